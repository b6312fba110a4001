"""Files that a contributor adds, one per recipe of CONTRIBUTING, and what each must bring about."""

from __future__ import annotations

from typing import Final

# A model's parameters: vocabulary × hidden for the table and for the head, then per layer the attention, the
# feed-forward block and two norms, and a last norm.
MISTRAL_CONFIG: Final = """model_type = "mistral"
hidden_size = 5120
intermediate_size = 14336
num_hidden_layers = 40
num_attention_heads = 32
num_key_value_heads = 8
head_dim = 128
vocab_size = 131072
tie_word_embeddings = false
max_position_embeddings = 131072
"""
MISTRAL_PARAMS: Final = (
    2 * 131072 * 5120 + 40 * (2 * 5120 * 32 * 128 + 2 * 5120 * 8 * 128 + 3 * 5120 * 14336 + 2 * 5120) + 5120
)
YI_CONFIG: Final = """model_type = "llama"
hidden_size = 4096
intermediate_size = 11008
num_hidden_layers = 32
num_attention_heads = 32
num_key_value_heads = 4
vocab_size = 64000
tie_word_embeddings = false
max_position_embeddings = 4096
"""
YI_PARAMS: Final = 2 * 64000 * 4096 + 32 * (2 * 4096 * 4096 + 2 * 4096 * 4 * 128 + 3 * 4096 * 11008 + 2 * 4096) + 4096
READ: Final = 'source = "https://example.org/card"\nchecked = 2026-12-01\n'


def model(name: str, config: str, params: int, kv_bytes: int, head: str = "") -> str:
    """Return a model's TOML."""
    published = f"total_params = {params}\nactive_params = {params}\nkv_bytes_per_token_f16 = {kv_bytes}\n"
    return f'name = "{name}"\n{head}\n[config]\n{config}{READ}\n[published]\n{published}{READ}'


def device(name: str, family: str, fp16: str, bandwidth: str, size: str, head: str = "") -> str:
    """Return a device's TOML."""
    top = f'name = "{name}"\nfamily = "{family}"\nkind = "gpu"\nconfidence = "high"\n{head}'
    peak = f'[peak]\nfp16 = "{fp16}"\nkind = "datasheet"\n{READ}'
    return f'{top}\n{peak}\n[memory]\nbandwidth = "{bandwidth}"\nsize = "{size}"\n{READ}'


MODEL = (
    "pysim/catalog/models/mistral-recipe-12b.toml",
    model("Mistral Recipe 12B", MISTRAL_CONFIG, MISTRAL_PARAMS, 40 * 2 * 8 * 128 * 2),
)
DEVICE = (
    "pysim/catalog/devices/rtx-recipe.toml",
    device("NVIDIA GeForce RTX Recipe", "nvidia-geforce", "88.2 TFLOPS", "672 GB/s", "16 GiB"),
)
NEW_FAMILY_MODEL = (
    "pysim/catalog/models/yi-1.5-6b.toml",
    model("Yi 1.5 6B", YI_CONFIG, YI_PARAMS, 32 * 2 * 4 * 128 * 2, 'heard = ["Yi"]\n'),
)
# Its matrix units take FP8 at the rate of 16 bits.
NEW_FAMILY_DEVICE = (
    "pysim/catalog/devices/weaver-3.toml",
    device("Acme Weaver 3", "acme-weaver", "1835 TFLOPS", "3.7 TB/s", "128 GB", 'heard = ["Weaver"]\n').replace(
        "[peak]", '[peak]\nfp8 = "1835 TFLOPS"'
    ),
)
ENGINE = (
    "pysim/catalog/engines/aphrodite.toml",
    'name = "Aphrodite"\nalso = ["Aphrodite Engine"]\nbuilt_on = ["vllm"]\n\n[about]\nwhat = "serves many requests"\n'
    + READ,
)
READER = (
    "pysim/doctor/readers/nanobench.py",
    '''"""Reader of nanobench: `nanobench: 512 prompt tokens in 0.256 s, 128 answer tokens in 3.2 s`."""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Reading, Run
from pysim.doctor.read.text import Text

TOOLS: Final = {"nanobench": "nanobench"}
MARK: Final = "answer tokens in"
_LINE: Final = re.compile(
    rf"nanobench: ({NUMBER}) prompt tokens in ({NUMBER}) s, ({NUMBER}) answer tokens in ({NUMBER}) s"
)


def read(text: Text) -> Reading:
    """Return one run per line of the tool."""
    runs = []
    for at in text.places(MARK):
        line, words = text.lines[at]
        figures = _LINE.search(words)
        if figures is None:
            continue
        prompt, reading_s, output, writing_s = (number(figure) for figure in figures.groups())
        runs.append(
            Run(
                tool="nanobench",
                kind="request",
                line=line,
                last_line=line,
                prompt_tokens=prompt,
                output_tokens=output,
                prefill_s=reading_s,
                decode_s=writing_s,
                prefill_tokens_per_s=prompt / reading_s if prompt and reading_s else None,
                decode_tokens_per_s=output / writing_s if output and writing_s else None,
            )
        )
    return Reading(runs=tuple(runs), lines=len(text.lines))
''',
)
SAMPLE = (
    "tests/pysim/doctor/samples/nanobench.toml",
    """text = '''
starting
nanobench: 512 prompt tokens in 0.256 s, 128 answer tokens in 3.2 s
done
'''

[[run]]
tool = "nanobench"
prompt_tokens = 512
prefill_s = 0.256
prefill_tokens_per_s = 2000  # 512 / 0.256
decode_tokens_per_s = 40  # 128 / 3.2
""",
)
DEMO: Final = '''"""How much is twice?"""

from __future__ import annotations

from demos.kit.declare.controls import Slider
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Readout, readouts
DOUBLED
TITLE = "How much is twice?"
LEAD = "Drag the slider."
CONTROLS = (Slider(name="tokens", label="Tokens", low=1, high=100, step=1, start=10),)
READOUTS = (Readout(name="twice", label="Twice", counts="token"),)
ASKED = ("two times as many tokens",)


def scene(tokens: float) -> float:
    """Return twice the tokens."""
    return doubled(tokens)


def stops(scene: float) -> list[float]:
    """Return the only moment."""
    return [0.0]


def frame(scene: float, t_s: float) -> str:
    """Draw the number."""
    return readouts(READOUTS, {"twice": scene}).safe_str


def say(scene: float, t_s: float) -> str:
    """Say the number."""
    return f"Twice is {scene:g}."


def explain(scene: float) -> list[Formula]:
    """Return the formula."""
    return [Formula(label="Twice", rule="2 × tokens", inserted="2 × tokens", result=f"{scene:g}", source="counted")]


def table(scene: float) -> list[list[str]]:
    """Return the number under its name."""
    return [["twice"], [f"{scene:g}"]]
'''
DOUBLED: Final = '''

def doubled(tokens: float) -> float:
    """Return twice the tokens."""
    return 2 * tokens

'''
ONE_FILE_DEMO = ("demos/twice.py", DEMO.replace("DOUBLED", DOUBLED))
FOLDER_DEMO = {
    "demos/twice_in_parts/__init__.py": DEMO.replace("How much is twice?", "How much is twice, in parts?").replace(
        "DOUBLED\n", "from demos.twice_in_parts.doubled import doubled\n\n"
    ),
    "demos/twice_in_parts/doubled.py": f'"""Doubling."""\n{DOUBLED.rstrip()}\n',
    "demos/twice_in_parts/style.css": ':where([data-demo="twice-in-parts"]) .twice { color: var(--ink-1); }\n',
}
ANSWER: Final = """
### Is twice as much twice as long? { #twice-as-long }

Mostly yes.

A cache of twice the tokens takes
`=kv_cache_bytes("mistral-recipe-12b", 2000) / kv_cache_bytes("mistral-recipe-12b", 1000)` times
the memory; [the lesson](lessons/prefill-and-decode.md#what-the-cache-costs) says why.

Also asked as: double length, two times the tokens
{ .also-asked }
"""
LESSON = (
    "docs/lessons/twice-as-long.md",
    """---
number: "01.99"
kind: Concept
description: Twice the tokens take twice the memory.
---

# Twice as long

```predict
question: How much memory do twice the tokens take?
a: The same
b: Twice as much
answer: b
reason: Each [token](term) has a row of its own.
```

```demo twice
tokens: 20
```

The cache of 1,000 tokens takes `=kv_cache_bytes("yi-1.5-6b", 1000)`.
""",
)
FILES = {
    **dict((MODEL, DEVICE, NEW_FAMILY_MODEL, NEW_FAMILY_DEVICE, ENGINE, READER, SAMPLE, ONE_FILE_DEMO, LESSON)),
    **FOLDER_DEMO,
}
