"""The math and the table of the demo `long-prompt`."""

from __future__ import annotations

import math

from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.formulas import Formula
from demos.kit.draw.pass_math import FITTED, ROOFLINE_URL, typical_time
from demos.kit.number import count, plural
from demos.long_prompt.controls import APART, FIRST, PIECES
from demos.long_prompt.simulation import LINK, PROMPT_TOKENS, Scene
from pysim import units
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.roofline.cost_of_pass import pass_cost
from pysim.serving.cluster.link import LINKS

SARATHI = "prompts in pieces: Agrawal et al., Sarathi-Serve, 2024"
SARATHI_URL = "https://arxiv.org/abs/2403.02310"
DISTSERVE = "two pools: Zhong et al., DistServe, 2024"
DISTSERVE_URL = "https://arxiv.org/abs/2401.09670"


def explain(scene: Scene) -> list[Formula]:
    """A step without the newcomer, a step with a piece of its prompt, how many there are, and what others wait."""
    if scene.served is None:
        return []
    on = scene.served.on
    context = PROMPT_TOKENS + 40
    alone = on.pass_cost(1, context, scene.streams, speed="typical")
    steps = [typical_time(f"A step in which {plural(scene.streams, 'answer')} gets a token", alone)]
    if scene.policy == APART:
        return [*steps, _wire(scene)]
    piece = min(scene.prompt_tokens, scene.budget - (scene.streams if scene.policy == PIECES else 0))
    if scene.policy not in (PIECES, FIRST):
        piece = scene.prompt_tokens
    if scene.policy == FIRST:
        carried = on.pass_cost(piece, 0, 1, speed="typical")
    else:
        carried = pass_cost(on, 1, context, scene.streams, mixed=[(piece, 0)], speed="typical")
    steps.append(typical_time(f"A step that reads {count(piece)} tokens of the prompt", carried))
    number = math.ceil(scene.prompt_tokens / piece)
    steps.append(
        Formula(
            label="Steps that read the prompt",
            rule="tokens of the prompt ÷ tokens of it in a step, rounded up",
            inserted=f"{count(scene.prompt_tokens)} ÷ {count(piece)}",
            result=plural(number, "step"),
            source=SARATHI,
            source_url=SARATHI_URL,
        )
    )
    waited = number if scene.policy == FIRST else 1
    steps.append(
        Formula(
            label="The longest gap",
            rule="steps that read between two tokens × their length; the last pieces also look back at all before them",
            inserted=f"about {count(waited)} × {units.show(carried.time_s, 's', digits=3)} or more",
            result=units.show(scene.worst_gap_s, "s", digits=3),
            source=FITTED,
            source_url=ROOFLINE_URL,
        )
    )
    return steps


def _wire(scene: Scene) -> Formula:
    if scene.served is None:
        raise ValueError("nothing runs")
    on, link = scene.served.on, LINKS[LINK]
    size = kv_cache_bytes(on.model, scene.prompt_tokens, on.kv_format)
    wait_s = (scene.late.sent_s or scene.late.first_s) - scene.late.first_s
    return Formula(
        label="Sending the prompt's cache rows to the machine that writes",
        rule="bytes of the rows ÷ rate of the link + its latency",
        inserted=f"{units.show(size, 'B')} ÷ {units.show(link.bytes_per_s, 'B/s')} (InfiniBand, 400 Gbit/s) + 20 µs",
        result=units.show(wait_s, "s", digits=3),
        source=DISTSERVE,
        source_url=DISTSERVE_URL,
    )


def table(scene: Scene) -> list[list[Cell]]:
    """Every step in view: when it begins, how long it takes, and whether it reads the prompt."""
    rows: list[list[Cell]] = [["step_start_s", "step_s", "reads_a_prompt"]]
    for bar in scene.bars:
        rows.append([bar.start_s - scene.late.request.arrive_s, bar.seconds, "yes" if bar.reads else "no"])
    return rows
