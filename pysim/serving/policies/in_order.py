"""What most schedulers share: prompts in order, as far as budget, seats and free blocks go."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pysim.serving.held import Held
from pysim.serving.policy import View

Feed = tuple[tuple[Held, int], ...]


def in_order(
    view: View, *, budget: int, waiting: Iterable[Held] | None = None, reserve_all: bool = False, most: int = 0,
    keep_free: int = 0, whole: bool = False, may_join: Callable[[Held, int], bool] | None = None,
    most_partial: int = 0,
) -> Feed:  # fmt: skip
    """Tokens to feed: admitted prompts continue, then the queue is admitted until one lacks budget, a seat or blocks.

    `reserve_all`: admitted only where the whole prompt fits. `most`: tokens of one prompt in a step (0: no bound).
    `keep_free`: blocks that admissions leave free. `whole`: a prompt is cut only where it is alone too long for a step.
    `may_join(request, blocks of this step)`: a scheduler's own condition. `most_partial`: prompts in pieces at once.
    """
    feed: list[tuple[Held, int]] = []
    room, seats, partial = view.free_blocks, view.seats - view.running, 0
    for held in view.partial:
        fed = min(held.left, budget, most or held.left)
        need = view.blocks_for(held, fed)
        if fed < 1 or need > room:
            return tuple(feed)
        feed.append((held, fed))
        budget, room, partial = budget - fed, room - need, partial + (fed < held.left)
    taken = 0
    for held in view.waiting if waiting is None else waiting:
        left = held.left - view.cached(held)
        fed = min(left, budget, most or left)
        if fed < 1 or seats < 1 or (whole and fed < left and (feed or left <= view.budget)):
            break
        if most_partial and partial >= most_partial and fed < left:
            break
        need = view.blocks_for(held, fed)
        wanted = view.blocks_for(held, left) if reserve_all else need
        if wanted > room - keep_free or (may_join is not None and not may_join(held, taken)):
            break
        feed.append((held, fed))
        budget, room, seats, taken = budget - fed, room - need, seats - 1, taken + view.blocks_at_most(held)
        partial += fed < left
    return tuple(feed)
