"""The recording that a cold page plays before Python has started: frames, unchanged parts stored once."""

from __future__ import annotations

import difflib
import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence

from demos.kit.declare.controls import Value
from demos.kit.declare.demo import Demo, Scene
from demos.kit.host.session import timing

FRAMES_PER_S = 15
PIECE_BORDER = re.compile(r"(?<=>)(?=<)")
Cut = tuple[int, int, list[int]]


def moments(stops: Sequence[float], rate: float) -> list[float]:
    """Return the recorded moments: every stop, and between two stops at most 15 a second of play.

    Those between are in the middles of equal stretches, so a run moves soon after its beginning.
    """
    times_s: list[float] = [stops[0]]
    for start, end in itertools.pairwise(stops):
        between = math.floor((end - start) / rate * FRAMES_PER_S)
        times_s += [start + (end - start) * (k + 0.5) / between for k in range(between)]
        times_s.append(end)
    return times_s


def recording(demo: Demo, values: Mapping[str, Value]) -> str:
    """Return the JSON text of a recorded run (`RecordingData` in demos/runtime/types.d.ts is its form)."""
    scene: Scene = demo.module.scene(**values)
    stops = demo.module.stops(scene)
    pieces: dict[str, int] = {}
    shown: list[int] = []
    frames: list[dict[str, object]] = []
    for t_s in moments(stops, demo.rate(scene)):
        parts = PIECE_BORDER.split(demo.module.frame(scene, t_s))
        wanted = [pieces.setdefault(part, len(pieces)) for part in parts]
        frames.append({"t": t_s, "cut": _cuts(shown, wanted)})
        shown = wanted
    run = {"values": demo.texts(values), "texts": demo.shown(values), **timing(demo, scene)}
    recorded = {"pieces": list(pieces), "frames": frames, "run": run}
    return json.dumps(recorded, ensure_ascii=False, separators=(",", ":"))


def _cuts(old: list[int], new: list[int]) -> list[Cut]:
    """Return the splices that turn `old` into `new`, each position as it is after those before it."""
    if not old:
        return [(0, 0, new)]
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    return [
        (new_start, old_end - old_start, new[new_start:new_end])
        for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes()
        if tag != "equal"
    ]
