"""Too many threads, or memory of another socket."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause
from pysim.doctor.recognise.device import HOSTS

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_THREADS: Final = re.compile(r"n_threads = (\d{1,4})(?: \(n_threads_batch = \d{1,4}\))? / (\d{1,4})\b")
_NODES: Final = re.compile(r"NUMA node\(s\):\s{1,30}([2-9]|\d\d)\b|available: ([2-9]|\d\d) nodes|--numa \w{1,12}")


def cause(evidence: Evidence) -> Cause | None:
    """Told by llama.cpp's count of threads, or by a machine with several memory nodes, where the processor works."""
    devices = evidence.judgement.known.devices
    works = evidence.judgement.on_host is not None or (bool(devices) and all(it.family in HOSTS for it in devices))
    if not works or not evidence.may_be_slow("decode"):
        return None
    nodes, threads = evidence.find(_NODES), evidence.find(_THREADS)
    if nodes is not None:
        return Cause(
            name="several memory nodes",
            certainty="likely",
            reveals=nodes.words,
            line=nodes.line,
            what="run on one socket's cores and memory (numactl -N 0 -m 0), or spread both evenly (--numa distribute)",
            test="time the same answer with one socket and with both",
        )
    if threads is None or int(threads.match[1]) < int(threads.match[2]):
        return None
    return Cause(
        name="too many threads",
        certainty="possible",
        reveals=threads.words,
        line=threads.line,
        what=f"use one thread per core (-t {max(1, int(threads.match[2]) // 2)} where cores have two threads)",
        test="llama-bench -t 4,8,16 shows which number writes fastest",
    )
