"""What would fewer bytes or less arithmetic per token bring: smaller weights, a smaller cache, other passes?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Advice
from pysim.doctor.judge.prediction import outlook, speed_up
from pysim.formats.names import kv_format, weight_format
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.memory.weights import weights_bytes
from pysim.roofline.cost_of_pass import pass_cost
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import Case
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.judge.prediction import Phases, Subject
    from pysim.doctor.judge.setups import Known

_SERVERS: Final = ("vllm", "sglang", "tensorrt-llm", "lmdeploy turbomind", "hf transformers")
# The next smaller weights that people find ready-made, per engine.
_SMALLER: Final = {"mlx-lm": ("MLX q8", "MLX q4"), "exllamav2": ("EXL2 4.0 bpw",)} | dict.fromkeys(
    _SERVERS, ("FP8", "AWQ-INT4")
)
_FILES: Final = ("Q8_0", "Q4_K_M")
_MUCH_LESS: Final = 0.75
_LONG_TOKENS: Final = 4096
_MICRO_BATCH_TOKENS: Final = 2048
_USUAL_MICRO_BATCH_TOKENS: Final = 512  # llama.cpp's n_ubatch
_GUESSES: Final = 4
_ACCEPTED: Final = (0.4, 0.75)
_GUESSING: Final = ("llama.cpp", "ik_llama.cpp", "vllm", "sglang", "tensorrt-llm")


def memory_changes(case: Case, group: Group, facts: Known) -> Iterator[Advice]:
    """Every such change that this run has not made yet, with what pysim computes for it."""
    if (
        not facts.subjects
        or any(each.kind == "does not fit" for each in case.cannot_tell)
        or group.first.kind == "combined"
    ):
        return
    engine = facts.subjects[0].engine
    if case.decode is not None and case.decode.doubt is None:
        yield from _smaller_weights(facts, engine)
        yield from _smaller_cache(facts, engine)
        yield from _shorter_context(case, facts)
        guessed = any("draft" in doubt or "guess" in doubt for doubt in case.doubts)
        if "ollama" not in group.first.tool.lower() and engine in _GUESSING and not guessed:
            yield from _guesses(facts)
    if case.prefill is not None and case.prefill.doubt is None:
        yield from _narrow_arithmetic(facts, engine)
        yield from _larger_pieces(case, group, facts, engine)
        yield from _reused_prefix(case, group, facts)


def changed(
    facts: Known,
    phase: Phases,
    change: Callable[[Subject], Subject | None],
    before: Callable[[Subject], Subject] | None = None,
) -> tuple[float, float] | None:
    """The gain over all possible set-ups, as lowest and highest; None where one of them cannot make the change."""
    lows, highs = [], []
    for subject in facts.subjects:
        after = change(subject)
        found = None if after is None else speed_up(subject if before is None else before(subject), after, phase)
        if found is None:
            return None
        lows.append(found[0])
        highs.append(found[1])
    return min(lows), max(highs)


def _smaller_weights(facts: Known, engine: str) -> Iterator[Advice]:
    first = facts.subjects[0]
    now = weights_bytes(first.model, first.weights)
    targets = [each for each in _SMALLER.get(engine, _FILES) if weights_bytes(first.model, each) < _MUCH_LESS * now]
    for target in reversed(targets):
        gain = changed(facts, "decode", lambda each, how=target: replace(each, weights=how))  # type: ignore[misc]
        if gain is None:
            continue
        sizes = f"{show(weights_bytes(first.model, target), 'B', digits=3)} instead of {show(now, 'B', digits=3)}"
        yield Advice(
            kind="weights",
            what=f"weights in {target} instead of {weight_format(first.weights).name}",
            figure="writing",
            low=gain[0],
            high=gain[1],
            why=f"every answer token reads the weights once, in all {sizes}",
            setting=f"weights {target}, all else as it was",
        )
        return


def _smaller_cache(facts: Known, engine: str) -> Iterator[Advice]:
    target = "FP8" if engine in _SERVERS else "Q8_0"
    first = facts.subjects[0]
    if kv_format(first.kv).bits_per_element < 16 or engine in ("mlx-lm", "hf transformers"):
        return
    gain = changed(facts, "decode", lambda each: replace(each, kv=target.lower()))
    if gain is None:
        return
    tokens = first.decode_depth_tokens + first.output_tokens
    size = show(kv_cache_bytes(first.model, tokens, first.kv, first.answer_sequences), "B", digits=3)
    yield Advice(
        kind="cache",
        what=f"a cache in {target} instead of {kv_format(first.kv).name}",
        figure="writing",
        low=gain[0],
        high=gain[1],
        why=f"every answer token reads the cache, here {size}; half as many bytes per number take half as long",
        setting=f"cache {target}, all else as it was",
    )


def _shorter_context(case: Case, facts: Known) -> Iterator[Advice]:
    tokens = facts.subjects[0].decode_depth_tokens
    if tokens < _LONG_TOKENS:
        return
    gain = changed(facts, "decode", lambda each: replace(each, decode_depth_tokens=each.decode_depth_tokens // 2))
    if gain is not None:
        yield Advice(
            kind="context",
            what=f"half the context, {tokens // 2:,} tokens instead of {tokens:,}",
            figure="writing",
            low=gain[0],
            high=gain[1],
            why="every answer token looks back at the whole conversation",
            setting=f"{tokens // 2:,} tokens in the cache when the answer begins",
        )


def _guesses(facts: Known) -> Iterator[Advice]:
    """Guessing from the text so far needs no second model; one pass then checks the guesses and the next token."""
    first = facts.subjects[0]
    if first.answer_sequences > 1:
        return
    lows, highs = [], []
    for each in facts.subjects:
        for speed in ("datasheet", "typical"):
            one, many = (
                pass_cost(each.on, new, each.decode_depth_tokens, logit_rows=new, speed=speed).time_s
                for new in (1, 1 + _GUESSES)
            )
            slower = one / many
            lows.append(_yielded(_ACCEPTED[0]) * slower)
            highs.append(_yielded(_ACCEPTED[1]) * slower)
    if min(lows) > 1:
        yield Advice(
            kind="guesses",
            what=f"speculative decoding, {_GUESSES} guesses a pass from the text so far (prompt lookup)",
            figure="writing",
            low=min(lows),
            high=max(highs),
            why="a pass that checks guesses reads the weights once for several tokens; it pays where the answer "
            "repeats its prompt, as in code, summaries or corrections",
            setting=f"{_GUESSES} guesses, each right with {_ACCEPTED[0]:.0%} to {_ACCEPTED[1]:.0%}; guessing is free",
        )


def _yielded(chance: float) -> float:
    """Tokens per pass: 1 + a + a² + … for as many guesses, each of which counts only behind right ones."""
    return (1 - chance ** (_GUESSES + 1)) / (1 - chance)


def _narrow_arithmetic(facts: Known, engine: str) -> Iterator[Advice]:
    first = facts.subjects[0]
    wide = weight_format(first.weights).multiplies_in in ("fp16", "fp32")
    if engine not in _SERVERS or not wide or not all("fp8" in each.device.peak_flop_per_s for each in facts.subjects):
        return
    gain = changed(facts, "prefill", lambda each: replace(each, weights="FP8"))
    if gain is not None:
        yield Advice(
            kind="arithmetic",
            what=f"FP8 weights instead of {weight_format(first.weights).name}",
            figure="reading",
            low=gain[0],
            high=gain[1],
            why="reading is arithmetic, and this device multiplies 8-bit numbers faster than 16-bit ones",
            setting="weights FP8, all else as it was",
        )


def _larger_pieces(case: Case, group: Group, facts: Known, engine: str) -> Iterator[Advice]:
    setup = group.first.setup
    prompt = facts.subjects[0].prompt_tokens
    now = setup.micro_batch_tokens or _USUAL_MICRO_BATCH_TOKENS
    if engine not in ("llama.cpp", "ik_llama.cpp") or now >= _MICRO_BATCH_TOKENS or prompt <= now:
        return
    after = min(_MICRO_BATCH_TOKENS, prompt)
    gain = changed(
        facts,
        "prefill",
        lambda each: replace(each, chunk_tokens=after),
        lambda each: replace(each, chunk_tokens=min(now, prompt)),
    )
    if gain is not None:
        yield Advice(
            kind="micro-batch",
            what=f"micro-batches of {_MICRO_BATCH_TOKENS:,} instead of {now:,} tokens (-ub {_MICRO_BATCH_TOKENS})",
            figure="reading",
            low=gain[0],
            high=gain[1],
            why="each piece of the prompt reads the weights once, of a mixture nearly all experts",
            setting=f"pieces of {after:,} tokens instead of {now:,}",
        )


def _reused_prefix(case: Case, group: Group, facts: Known) -> Iterator[Advice]:
    first = facts.subjects[0]
    run = group.first
    if case.assembled and case.slow != "prefill":
        return  # a test's prompt is made up: nobody sends it twice
    if first.prompt_tokens < 256 or run.cached_tokens or (run.prefix_hit_share or 0) > 0.5:
        return
    kept = first.prompt_tokens * 9 // 10

    def after(each: Subject) -> Subject:
        return replace(
            each, prompt_tokens=each.prompt_tokens - kept, prompt_depth_tokens=each.prompt_depth_tokens + kept
        )

    found = [(outlook(each, "prefill"), outlook(after(each), "prefill")) for each in facts.subjects]
    ratios = [
        ratio
        for one, other in found
        if one is not None and other is not None
        for ratio in (one.typical_s / other.typical_s, one.best_s / other.best_s)
    ]
    if ratios and min(ratios) > 1:
        yield Advice(
            kind="prefix",
            what="the beginning of the prompt kept word for word, so that its cache can be used again",
            figure="reading",
            low=min(ratios),
            high=max(ratios),
            why="what the cache holds already need not be read again: put what changes at the end",
            setting=f"{kept:,} of {first.prompt_tokens:,} prompt tokens as in the request before",
        )
