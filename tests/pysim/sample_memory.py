"""The memory of an RTX 4090 with Llama 3.1 8B in 16 bits, by arithmetic."""

from typing import Final

import pysim

MIB: Final = 2**20
WEIGHTS: Final = 16_060_522_496  # 8,030,261,248 parameters × 2 bytes
TOKEN: Final = 131_072  # bytes of cache, 32 layers × 2 × 8 heads × 128 × 2
# Scores of a pass of 512 tokens in 32 bits, 8 MiB more, and 470 MiB of the process.
WORKING: Final = 512 * 128_256 * 4 + (8 + 470) * MIB
# What drivers give of 24 GiB: 23.52 GiB (https://github.com/ggml-org/llama.cpp/issues/23679).
ROOM: Final = pysim.load_device("rtx-4090").usable_memory_bytes or 0.0
# 8.43 GB beside weights and working memory: 64,315 tokens.
FREE: Final = ROOM - WEIGHTS - WORKING
