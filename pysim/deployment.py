"""A deployment and the questions that can be asked of it; each is one line that calls the verb.

>>> from pysim import Deployment, load_device, load_model
>>> on = Deployment(load_model("llama-3.1-8b"), load_device("rtx-4090"), weight_format="q4_k_m")
>>> run = on.estimate(prompt_tokens=2_000, output_tokens=300)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from pysim.deployed import Deployed
from pysim.memory.occupancy import Occupancy, max_batch, max_context_tokens, occupancy
from pysim.requests.batch_limits import BatchLimits, batch_limits
from pysim.requests.calibrate import Measurement, calibrate
from pysim.requests.request_estimate import Estimate, Estimates, estimate, estimate_many
from pysim.requests.stream import Stream, stream
from pysim.requests.timeline import TimedPass, timed
from pysim.roofline.cost_of_pass import PassCost, PassCosts, pass_cost, pass_cost_many
from pysim.roofline.ridge import ridge_batch, ridge_tokens

if TYPE_CHECKING:
    from pysim.arrays.numeric import Given
    from pysim.requests.passes import Pass
    from pysim.serving.frontend import FrontEnd
    from pysim.serving.policy import Policy
    from pysim.serving.run import Run
    from pysim.serving.serve import Load, Split
    from pysim.serving.step_cost import Tuned


@dataclass(frozen=True, slots=True)
class Deployment(Deployed):
    """A model on devices, stored and run in one way; `replace` of dataclasses makes a changed one.

    Fields, positional: `model`, `device`; by name: `n_devices` (1), `split` ("tensor" or "layers"),
    `weight_format` ("config": what the model's config says, else 16 bits), `kv_format` ("f16"), `engine` (None: all
    engines of the device's family together), `backend` (None: the family's usual one), `layers_on_host` (0), `host`
    (None).
    Raises BadValue or UnknownName naming what is wrong.
    """

    def calibrated(self, *measurements: Measurement) -> Self:
        """The same deployment, its typical times as a measured run of its machine says, in a narrower band.

        The measured run may be of another model, format or length than those asked for later. Raises BadValue where a
        measurement contradicts physics, or one the other.
        """
        return calibrate(self, measurements)

    def estimate(
        self,
        *,
        prompt_tokens: float,
        output_tokens: float,
        prompt_depth: float = 0,
        batch: float = 1,
        chunk_tokens: float | None = None,
        speed: str = "typical",
    ) -> Estimate:
        """Times, speeds and memory of `batch` equal requests that start together."""
        return estimate(
            self,
            prompt_tokens=prompt_tokens,
            output_tokens=output_tokens,
            prompt_depth=prompt_depth,
            batch=batch,
            chunk_tokens=chunk_tokens,
            speed=speed,
        )

    def estimate_many(
        self,
        *,
        prompt_tokens: Given,
        output_tokens: Given,
        prompt_depth: Given = 0,
        batch: Given = 1,
        chunk_tokens: Given | None = None,
        speed: str = "typical",
    ) -> Estimates:
        """The same for numpy arrays that broadcast."""
        return estimate_many(
            self,
            prompt_tokens=prompt_tokens,
            output_tokens=output_tokens,
            prompt_depth=prompt_depth,
            batch=batch,
            chunk_tokens=chunk_tokens,
            speed=speed,
        )

    def pass_cost(
        self, new_tokens: float, context_tokens: float, batch: float = 1, *, speed: str = "typical"
    ) -> PassCost:
        """FLOP, bytes and time of one pass, and what bounds it."""
        return pass_cost(self, new_tokens, context_tokens, batch, speed=speed)

    def pass_cost_many(
        self, new_tokens: Given, context_tokens: Given, batch: Given = 1, *, speed: str = "typical"
    ) -> PassCosts:
        """The same for numpy arrays that broadcast."""
        return pass_cost_many(self, new_tokens, context_tokens, batch, speed=speed)

    def memory(self, context_tokens: int, batch: int = 1) -> Occupancy:
        """What fills each device's memory, what stays free on the fullest one, and whether all of it fits."""
        return occupancy(self, context_tokens, batch)

    def max_context_tokens(self, batch: int = 1) -> int:
        """The longest context that memory holds for each of `batch` conversations."""
        return max_context_tokens(self, batch)

    def max_batch(self, context_tokens: int) -> int:
        """The most conversations of `context_tokens` tokens each that memory holds."""
        return max_batch(self, context_tokens)

    def ridge_tokens(self, context_tokens: float = 0) -> float | None:
        """How many tokens in one pass make its arithmetic take as long as its reading; None where none do."""
        return ridge_tokens(self, context_tokens)

    def ridge_batch(self, context_tokens: float) -> float | None:
        """How many conversations make a decode pass compute-bound; None where none do."""
        return ridge_batch(self, context_tokens)

    def batch_limits(self, context_tokens: int) -> BatchLimits:
        """What ends the rise of the total speed as more conversations share a pass."""
        return batch_limits(self, context_tokens)

    def timeline(self, passes: Iterable[Pass], *, speed: str = "typical") -> Iterator[TimedPass]:
        """The passes of one request laid in time, each as long as it costs."""
        return timed(passes, self, speed=speed)

    def stream(self, *, prompt_tokens: int, output_tokens: int, speed: str = "typical") -> Stream:
        """When each token of one answer appears."""
        return stream(self, prompt_tokens=prompt_tokens, output_tokens=output_tokens, speed=speed)

    def serve(
        self, load: Load, *, policy: Policy | str | None = None, seed: int = 0, token_budget: int | None = None,
        seats: int | None = None, kv_tokens: int | None = None, tuned: Tuned | None = None, at_once: int | None = None,
        think_s: float = 0.0, keeps_rows: bool | None = None, replicas: int = 1, router: str = "least-tokens",
        split: Split | None = None, frontend: FrontEnd | None = None,
    ) -> Run:  # fmt: skip
        """Many requests over time: what became of each, percentiles, and the record of the steps.

        Arguments and errors: `pysim.serving.serve.serve`. Needs an engine whose scheduler is known.
        """
        from pysim.serving.frontend import NO_FRONT_END
        from pysim.serving.serve import serve
        from pysim.serving.step_cost import UNTUNED

        return serve(
            self, load, policy=policy, seed=seed, token_budget=token_budget, seats=seats, kv_tokens=kv_tokens,
            tuned=tuned or UNTUNED, at_once=at_once, think_s=think_s, keeps_rows=keeps_rows, replicas=replicas,
            router=router, split=split, frontend=frontend or NO_FRONT_END,
        )  # fmt: skip
