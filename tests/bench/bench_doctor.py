"""How long does a megabyte of each tool's output take to be read, and of texts made to be slow?"""

from __future__ import annotations

import time
from collections.abc import Callable

from pysim.doctor.find import read
from tests.bench.row import Row
from tests.tools.doctor_corpus import corpus

MEGABYTE = 1_000_000
# In the browser Python takes about four times as long; 1 s is promised there.
LOG_BOUND_S = 0.25
# Nothing but results of one form, one after the other.
RESULTS_BOUND_S = 0.4
# A text made to be slow.
BOUND_S = 1.0
GROWTH = 3.0
# A reading is held against a million rounds of the plainest loop, timed right before it: a busy machine slows both.
ROUNDS = 1_000_000
RESULTS_BOUND = 8.0
REPEATS = 3

# Words without which no reader would look for JSON at all.
JSON = '"predicted_ms" "speed_pp" "avg_ts" "n_prompt" "total_duration" "usage" "stats" "mean_ttft_ms"\n'

# What servers write between one result and the next.
LOG = "".join(
    f'2025-06-01 10:00:{second:02} INFO: 10.0.0.{second}:51{second:03} - "POST /v1/chat/completions HTTP/1.1" 200 OK\n'
    f"2025-06-01 10:00:{second:02} DEBUG scheduler: step {second}, 3 running, 0 waiting, took {second / 7:.3f} s\n"
    for second in range(60)
)

HOSTILE: dict[str, Callable[[int], str]] = {
    "one line of digits": lambda size: "1" * size,
    "opening brackets": lambda size: "[" * size,
    "opening braces and quotes": lambda size: JSON + '{"' * (size // 2),
    "nested objects": lambda size: JSON + '{"a":' * (size // 5),
    "broken objects, a line each": lambda size: JSON + '{"a": 1, "b"\n' * (size // 13),
    "an object that never ends": lambda size: JSON + '{"a": [' + "[1, 2], " * (size // 8),
    "escaped quotes": lambda size: JSON + '{"a": "' + '\\"' * (size // 2),
    "bars": lambda size: "|" * size,
    "rows of bars": lambda size: ("|" * 99 + "\n") * (size // 100),
    "rules of tables": lambda size: "| --- | --- |\n" * (size // 14),
    "spaces": lambda size: " " * size,
    "line ends": lambda size: "\n" * size,
    "carriage returns": lambda size: "x\r" * (size // 2),
    "colours never ended": lambda size: "\x1b[1" * (size // 3),
    "quotation marks": lambda size: "> > > > \n" * (size // 9),
    "one word to a line": lambda size: "eval time\n" * (size // 10),
    "times without an end": lambda size: "prompt eval time = " * (size // 19),
    "heads of blocks": lambda size: "============ Serving Benchmark Result ============\n" * (size // 51),
    "inserts": lambda size: "INSERT INTO t (n_prompt, n_gen) VALUES (\n" * (size // 41),
    "letters that are not ASCII": lambda size: "µ±│é" * (size // 4),
}


def rows() -> list[Row]:
    found = []
    slowest_s, name = max((_shortest_s(_repeated(LOG + text)), name) for name, text in corpus().items())
    found.append(Row(what="1 MB: log with the slowest sample", value=slowest_s, unit="s", bound=LOG_BOUND_S, note=name))
    results_s: dict[str, float] = {}
    for name, text in sorted(corpus().items()):
        loop_s, repeated = _loop_s(), _repeated(text)
        results_s[name] = _shortest_s(repeated)
        rounds, note = results_s[name] / min(loop_s, _loop_s()), f"{len(read(repeated).runs):,} runs listed"
        found.append(
            Row(what=f"1 MB of {name} over a loop", value=rounds, unit="ratio", bound=RESULTS_BOUND, note=note)
        )
    name = max(results_s, key=lambda each: results_s[each])
    found.append(Row(what="1 MB: results alone", value=results_s[name], unit="s", bound=RESULTS_BOUND_S, note=name))
    for name, made in HOSTILE.items():
        whole_s, half_s = _shortest_s(made(MEGABYTE)), _shortest_s(made(MEGABYTE // 2))
        found.append(Row(what=f"1 MB: {name}", value=whole_s, unit="s", bound=BOUND_S))
        # Where half a megabyte takes next to nothing the ratio is noise.
        growth = whole_s / max(half_s, 5e-3)
        found.append(Row(what=f"1 MB over half of it: {name}", value=growth, unit="ratio", bound=GROWTH))
    return found


def _repeated(text: str) -> str:
    return (text.rstrip("\n") + "\n") * (MEGABYTE // (len(text) + 1))


def _loop_s() -> float:
    times_s = []
    for _ in range(REPEATS):
        start_s, total = time.process_time(), 0
        for number in range(ROUNDS):
            total += number * number
        times_s.append(time.process_time() - start_s)
    return min(times_s)


def _shortest_s(text: str) -> float:
    times_s = []
    for _ in range(REPEATS):
        start_s = time.process_time()
        read(text)
        times_s.append(time.process_time() - start_s)
    return min(times_s)
