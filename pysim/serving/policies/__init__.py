"""Policies by name: each in its own file, with a pointer to the engine's source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pysim.errors import UnknownName
from pysim.serving.policies.prefill_first import PrefillFirst
from pysim.serving.policies.sarathi import Sarathi
from pysim.serving.policies.shortest_first import ShortestFirst
from pysim.serving.policies.static import Static
from pysim.serving.policies.vllm_v1 import VllmV1
from pysim.serving.policy import Policy

POLICIES: Final[dict[str, Callable[[], Policy]]] = {
    policy.name: policy for policy in (VllmV1, PrefillFirst, Sarathi, ShortestFirst, Static)
}


def policy_named(name: str) -> Policy:
    """A policy with its defaults; UnknownName naming those that there are."""
    if name not in POLICIES:
        raise UnknownName("policy", name, POLICIES)
    return POLICIES[name]()
