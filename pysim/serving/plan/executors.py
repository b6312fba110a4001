"""Executors by name: this process, several of this machine, or a Dask cluster's."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, Final, TypeVar

from pysim.errors import BadValue, UnknownName, quoted

NAMES: Final = ("process", "serial", "dask")
MOST_PROCESSES: Final = 1024
_Answer = TypeVar("_Answer")


class Serial(Executor):
    """Runs everything at once in this process."""

    def submit(self, do: Callable[..., _Answer], /, *args: Any, **kwargs: Any) -> Future[_Answer]:
        """The answer is there when this returns."""
        future: Future[_Answer] = Future()
        try:
            future.set_result(do(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def executor_named(name: str) -> Iterator[Executor]:
    """By name: "serial", "process" or "process:4", "dask" (a cluster on this machine) or "dask:tcp://host:8786".

    Raises BadValue or UnknownName.
    """
    kind, _, rest = name.partition(":")
    if kind not in NAMES:
        raise UnknownName("executor", name, NAMES)
    if kind == "serial":
        yield Serial()
    elif kind == "process":
        # A process that is started anew imports what it needs, and is the same on every system.
        with ProcessPoolExecutor(_processes(rest), mp_context=get_context("spawn"), initializer=_deaf) as pool:
            try:
                yield pool
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    else:
        with _dask(rest) as executor:
            yield executor


def _processes(text: str) -> int:
    if not text:
        return os.cpu_count() or 1
    if not (text.isdecimal() and text.isascii() and 1 <= int(text[:9]) <= MOST_PROCESSES):
        raise BadValue(f"process:{text[:20]} is not a number of processes from 1 to {MOST_PROCESSES:,}")
    return int(text)


def _deaf() -> None:
    """Ctrl-C is for the process that writes the results; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise BadValue('Dask is not installed: pip install "two-speeds[dask]"') from error
    cluster: Any = None
    try:
        if not address:
            cluster = LocalCluster(  # type: ignore[no-untyped-call]
                threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
            )
        client: Any = Client(address or cluster, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        raise BadValue(f"no Dask scheduler answers at {quoted(address)}: {error}") from error
    try:
        with client.get_executor() as executor:
            yield executor
    finally:
        client.close()
        if cluster is not None:
            cluster.close()
