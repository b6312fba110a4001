"""Working memory: what does an engine need of a device besides weights and cache?

The buffers of its largest pass by a closed form of the model's sizes, graphs that it records, and what its process
takes of a card before it loads anything. Estimates: logs agree with them to about a fifth.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pysim.engines.memory_rules import PassSize, WorkingRule
    from pysim.hardware.device import Device
    from pysim.memory.engine_settings import EngineSettings
    from pysim.models.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingMemory:
    """Estimated bytes on one device besides weights and cache.

    `buffers_bytes`: of the largest pass, which logs call compute buffer or peak of activations. `graphs_bytes`:
    recorded graphs. `outside_bytes`: the process itself and what devices need to work together.
    """

    buffers_bytes: float
    graphs_bytes: float
    outside_bytes: float

    @property
    def total_bytes(self) -> float:
        """All of it."""
        return self.buffers_bytes + self.graphs_bytes + self.outside_bytes


NO_WORKING: Final = WorkingMemory(buffers_bytes=0.0, graphs_bytes=0.0, outside_bytes=0.0)


@lru_cache(maxsize=1024)
def working_memory(
    rule: WorkingRule,
    model: Model,
    device: Device,
    settings: EngineSettings,
    ways: int = 1,
    *,
    head: bool = True,
) -> WorkingMemory:
    """What `rule` makes of a model on one of `ways` devices that work together.

    `head`: the scores of the next token are computed here.
    """
    rule = next((older for version, older in reversed(rule.earlier) if settings.before(version)), rule)
    tokens, sequences = _pass(rule, device, settings)
    row = tokens * rule.number_bytes
    layer = row * (rule.hidden_copies * model.hidden_size + rule.ffn_copies * _inner_width(model) / ways)
    scores = tokens if rule.logits_of == "pass" else min(tokens, sequences)
    logits = scores * model.vocab_size * rule.logit_bytes + rule.logits_hidden_copies * row * model.hidden_size
    kept = _expert_rows(model, ways) * row if rule.holds_expert_rows else 0.0
    outside = rule.outside_bytes if device.kind == "gpu" else 0.0
    if ways > 1 and _linked(device):
        outside = max(outside, rule.together_bytes)
    return WorkingMemory(
        buffers_bytes=max(layer, logits if head else 0.0) + kept + rule.fixed_bytes,
        graphs_bytes=0.0 if settings.eager else rule.graph_layer_bytes * model.num_hidden_layers,
        outside_bytes=outside,
    )


def _pass(rule: WorkingRule, device: Device, settings: EngineSettings) -> tuple[int, int]:
    """Tokens of the largest pass, and sequences whose next token is chosen after it."""
    memory = device.usable_memory_bytes or 0.0
    size = next((size for size in rule.passes if memory >= size.least_bytes and not _excepted(size, device)), None)
    size = rule.passes[-1] if size is None else size
    tokens = size.tokens if settings.pass_tokens is None else settings.pass_tokens
    return tokens, size.sequences if settings.most_sequences is None else settings.most_sequences


def _excepted(size: PassSize, device: Device) -> bool:
    return any(word in device.name.lower() for word in size.except_devices)


def _linked(device: Device) -> bool:
    """Do such devices have their own links, besides the host's bus?"""
    return any(link.name != "pcie" for link in device.links)


def _inner_width(model: Model) -> int:
    """The widest that one token becomes inside a layer, over the experts that it visits."""
    experts = model.num_experts_per_tok + model.n_shared_experts
    return max(model.intermediate_size, experts * model.moe_intermediate_size if model.num_experts else 0)


def _expert_rows(model: Model, ways: int) -> float:
    """Numbers for each token in the two buffers in which a mixture's experts leave their rows."""
    inner, hidden = model.moe_intermediate_size / ways, model.hidden_size
    return model.num_experts_per_tok * (max(inner, hidden) + max(2 * inner, hidden))
