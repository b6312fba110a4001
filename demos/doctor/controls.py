"""The controls and readouts of the doctor's page."""

from __future__ import annotations

from demos.doctor.examples import EXAMPLES
from demos.kit.declare.catalogue_lists import (
    CACHES,
    ENGINES,
    PASTED,
    WEIGHTS,
    device_options,
    model_options,
    named_options,
)
from demos.kit.declare.config_box import config_text
from demos.kit.declare.controls import Choice, Number, Option, Text
from demos.kit.declare.readouts import Readout
from pysim.doctor.diagnose import MOST_CASES
from pysim.doctor.words import TIME_PART_WORDS

RECOGNISED, OWN = "recognised", "own"
LIMIT = 1_000_000
AS_RECOGNISED = Option(value=RECOGNISED, label="as recognized")
VERDICTS = {
    "slower": "slower than nine of ten such runs",
    "typical": "typical",
    "faster": "faster than nine of ten such runs",
}


def _listed(name: str, label: str, named: tuple[tuple[str, str], ...]) -> Choice:
    return Choice(name=name, label=label, start=RECOGNISED, options=(AS_RECOGNISED, *named_options(named)))


def _examples() -> tuple[Option, ...]:
    given = tuple(Option(value=example.key, label=example.label, fills={"text": example.text}) for example in EXAMPLES)
    return (Option(value=OWN, label="your own text"), *given)


def _models() -> tuple[Option, ...]:
    listed = (AS_RECOGNISED, *model_options())
    filling = tuple(Option(value=option.value, label=option.label, fills={"config": ""}) for option in listed)
    return (*filling, Option(value=PASTED, label="your own config.json or .gguf"))


CONTROLS = (
    Choice(name="example", label="Try", start=EXAMPLES[0].key, options=_examples(), otherwise=OWN),
    Text(
        name="text",
        label="What your tool printed",
        start="",
        limit=LIMIT,
        rows=12,
        private=True,
        drop=True,
        placeholder="Paste it here, with everything around it, or drop a file.",
    ),
    Number(name="case", label="Show number", start=1, low=1, high=MOST_CASES),
    Choice(name="model", label="Model", start=RECOGNISED, options=_models(), otherwise=PASTED),
    Choice(name="device", label="Device", start=RECOGNISED, options=(AS_RECOGNISED, *device_options(sized=False))),
    Number(name="bandwidth", label="Or its bandwidth, GB/s (0: not said)", start=0, low=0, high=100_000),
    Number(name="flops", label="… its peak, TFLOP/s", start=0, low=0, high=100_000),
    Number(name="memory", label="… its memory, GiB", start=0, low=0, high=100_000),
    _listed("devices", "How many", tuple((str(number), str(number)) for number in range(1, 9))),
    _listed("weights", "Weights", WEIGHTS),
    _listed("kv", "Cache", CACHES),
    _listed("engine", "Engine", ENGINES[:-1]),
    config_text(),
)

READOUTS = (
    Readout(name="cases", label="Found", counts="run"),
    Readout(name="slow_part", label="The slow part", texts={str(part): text for part, text in TIME_PART_WORDS.items()}),
    Readout(name="prefill_tokens_per_s", label="Reads at", unit="tokens/s"),
    Readout(name="prefill_verdict", label="… which is", texts=VERDICTS),
    Readout(name="decode_tokens_per_s", label="Writes at, per answer", unit="tokens/s"),
    Readout(name="decode_verdict", label="… which is", texts=VERDICTS),
    Readout(name="ttft_s", label="First token after", unit="s"),
    Readout(name="tpot_s", label="Each token after that", unit="s"),
    Readout(name="total_s", label="In all", unit="s"),
    Readout(name="mbu", label="Bandwidth used, writing (MBU)", unit="%"),
    Readout(name="mfu", label="Math used, reading (MFU)", unit="%"),
)
