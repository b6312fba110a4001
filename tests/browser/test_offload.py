"""Can a reader move layers until a model fits, and see what that costs?"""

from __future__ import annotations

import pysim
from demos.kit.number import raw
from pysim.roofline.host_part import host_part, least_on_host
from tests.browser.figures import Figure
from tests.browser.kept import KeptPages

ON = pysim.Deployment(
    pysim.load_model("qwen3-32b"),
    pysim.load_device("rtx-4090"),
    weight_format="q4_k_m",
    host=pysim.load_device("ryzen-9950x"),
)


def test_moving_the_layers_that_must_move_makes_it_fit_at_pysim_s_speed(kept: KeptPages) -> None:
    demo = Figure(kept("embed/offload.html"), "offload")
    demo.wait_for_python()
    needed = least_on_host(ON, 32_768)
    assert needed is not None
    demo.shows(hosted_layers=0, needed_layers=needed, fits="false")
    demo.slider("Layers moved").fill(str(needed))
    part = host_part(ON, needed, 32_768)
    demo.shows(hosted_layers=needed, fits="true", decode_tokens_per_s=raw(1 / part.token_s))
