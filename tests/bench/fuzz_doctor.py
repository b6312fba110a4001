"""Do 100,000 spoiled outputs of tools go through all readers without an error or a slow one?

`python -m tests.bench.fuzz_doctor [count [seed]]`; the same seed gives the same texts.
Texts that make trouble are kept under `build/fuzz_doctor/`.
"""

from __future__ import annotations

import json
import random
import sys
import time
import traceback
from pathlib import Path

from pysim.cli.output import plain
from pysim.doctor.case import Diagnosis
from pysim.doctor.diagnose import judge
from pysim.doctor.find import read
from pysim.doctor.judge.setups import Choices
from pysim.doctor.show.as_json import as_json
from pysim.doctor.show.details import details
from pysim.doctor.show.post import as_post
from pysim.doctor.show.terminal import MOST_LINES, WIDTH, as_lines
from tests.tools.doctor_corpus import assert_sound, corpus, mutated

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "fuzz_doctor"
COUNT = 100_000
# A text of 20,000 characters at most: anything slower is not a matter of length.
SLOW_S = 0.5


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    bad = slow = 0
    slowest_s, spent_s, characters = 0.0, 0.0, 0
    for number in range(count):
        text = mutated(random.Random(f"{seed}/{number}"))
        start_s = time.process_time()
        try:
            reading = read(text)
            assert_sound(reading)
            answered(judge(reading, Choices(), text))
        except Exception as error:
            bad += 1
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}:{place.lineno}"
            print(f"{_kept(text, seed, number)}: {where}: {type(error).__name__}: {error!s:.200}")
        took_s = time.process_time() - start_s
        if took_s > SLOW_S:
            slow += 1
            print(f"{_kept(text, seed, number)}: {took_s:.2f} s for {len(text)} characters")
        slowest_s, spent_s, characters = max(slowest_s, took_s), spent_s + took_s, characters + len(text)
    rate = f"{characters / 1e6 / spent_s:.1f} MB/s" if spent_s else ""
    print(f"{count:,} texts of {len(corpus())} samples, {characters / 1e6:.0f} MB, {rate}")
    print(f"{bad} errors, {slow} slow; the slowest took {slowest_s * 1e3:.0f} ms")
    if bad or slow:
        sys.exit(1)


def answered(diagnosis: Diagnosis) -> None:
    """Show a diagnosis in every form, and check that its answer fits a terminal."""
    lines = as_lines(diagnosis)
    assert len(lines) <= MOST_LINES, len(lines)
    assert max(map(len, lines)) <= WIDTH, max(lines, key=len)
    assert as_post(diagnosis)
    assert details(diagnosis) or not diagnosis.cases
    json.dumps(plain(as_json(diagnosis)), allow_nan=False)


def _kept(text: str, seed: int, number: int) -> Path:
    """The file that holds a text that made trouble."""
    path = KEPT / f"{seed}-{number}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path.relative_to(ROOT)


if __name__ == "__main__":
    main()
