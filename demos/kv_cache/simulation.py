"""The simulation behind the demo `kv-cache`: an answer with a KV cache and without one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pysim
from demos.kit.declare.controls import Value
from demos.kv_cache.runs import AnswerRun, answer_run

PLAY_S = 12.0  # for the slower of the two ways; both play at the same pace


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """What the simulator answered, for both ways; `cache` says which of them plays."""

    prompt: int
    answer: int
    cache: bool
    on: pysim.Deployment
    without: AnswerRun
    kept: AnswerRun
    ridge: float | None

    @property
    def plays(self) -> AnswerRun:
        """The way that plays."""
        return self.kept if self.cache else self.without


def scene(**values: Value) -> Scene:
    """Both ways through the answer, at typical speed."""
    prompt, answer = int(values["prompt_tokens"]), int(values["output_tokens"])
    on = pysim.Deployment(
        pysim.load_model(str(values["model"])),
        pysim.load_device(str(values["device"])),
        weight_format=str(values["weights"]),
    )
    return Scene(
        prompt=prompt,
        answer=answer,
        cache=bool(values["cache"]),
        on=on,
        without=answer_run(on, prompt, answer, cache=False),
        kept=answer_run(on, prompt, answer, cache=True),
        ridge=ridge(on),
    )


@lru_cache(maxsize=16)
def ridge(on: pysim.Deployment) -> float | None:
    """How long a text is from which on its pass takes longer the longer it gets."""
    return on.ridge_tokens()


def play_rate(scene: Scene) -> float:
    """Both ways at one pace, so the quicker one is seen to be quicker."""
    return max(scene.without.ends_s[-1], scene.kept.ends_s[-1]) / PLAY_S
