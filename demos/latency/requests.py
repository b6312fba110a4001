"""The requests that a reader can send: written conversations, measured runs, and a published example."""

from __future__ import annotations

from demos.kit.declare.controls import Option
from demos.kit.tokenize.examples import EXAMPLES
from demos.kit.tokenize.tokenizer import pieces
from demos.latency.traces import averages, traces

OWN, WORKED, REAL_PREFIX = "own", "worked-example", "real-"
# Of each written conversation: how much of its answer is asked for.
ASKED = {"sky": ("Short question, short answer", 48), "document": ("Pasted document, short answer", 48)}
ASKED |= {"email": ("Short question, long answer", 400), "chat": ("Long chat", 120)}
REAL = {"chat": "Real run: short chat", "document": "Real run: pasted document", "answer": "Real run: long answer"}


def request_options() -> tuple[Option, ...]:
    """Return the options of the example control, each with the numbers that it fills in."""
    written = [
        Option(
            value=key,
            label=label,
            fills={"prompt_tokens": str(len(pieces(EXAMPLES[key].prompt))), "output_tokens": str(asked)},
        )
        for key, (label, asked) in ASKED.items()
    ]
    real = []
    for key, label in REAL.items():
        trace = traces()[key]
        fills = {"prompt_tokens": str(trace.prompt_tokens), "output_tokens": str(len(trace.pieces))}
        fills |= {"model": trace.model, "device": trace.device, "weights": trace.weights}
        real.append(Option(value=f"{REAL_PREFIX}{key}", label=label, fills=fills))
    given = averages()[WORKED]
    fills = {"prompt_tokens": str(given.prompt_tokens), "output_tokens": str(given.output_tokens)}
    fills |= {"model": given.model, "device": given.device, "weights": given.weights}
    worked = Option(value=WORKED, label="Worked example: measured speeds", fills=fills)
    return (*written, *real, worked, Option(value=OWN, label="Your own numbers"))
