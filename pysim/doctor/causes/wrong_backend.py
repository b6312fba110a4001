"""The GPU is not used: a build or a driver without it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_WORDS: Final = re.compile(
    r"no (?:compatible |usable )?GPUs? (?:found|were discovered|detected)|not compiled with GPU (?:offload )?support|"
    r"ggml_cuda_init: failed|no CUDA-capable device|failed to initialize CUDA|CUDA driver version is insufficient|"
    r"offloaded 0/\d{1,4} layers|library=cpu\b|\b100% CPU\b|inference compute\W{1,4}id=cpu",
    re.IGNORECASE,
)


def cause(evidence: Evidence) -> Cause | None:
    """Told by the tool's own lines."""
    words = evidence.find(_WORDS)
    if words is None:
        return None
    return Cause(
        name="GPU not used",
        certainty="shown",
        reveals=words.words,
        line=words.line,
        what="install the build for your GPU (CUDA, ROCm, Vulkan or Metal) and a current driver; give a container "
        "access to the GPU",
        test="the tool's first lines name the GPU, and the log says that layers are offloaded to it",
        replaces=("device",),
    )
