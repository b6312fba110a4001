"""Mixtures that publishers of GGUF files choose themselves: how many bits do Unsloth's and bartowski's files take?

Unsloth chooses the types of tensors for each model separately (Dynamic 2.0 of 2025, 3.0 of 2026), so one number for all
models is off by a few percent; a file's own header says it exactly.
"""

from __future__ import annotations

from typing import Final

UNSLOTH: Final = (
    "solved from the sizes of published files, which differ by model; a GGUF's header has the exact size"
    " (https://huggingface.co/unsloth)"
)
BARTOWSKI: Final = "https://huggingface.co/bartowski: llama.cpp's mixture with the input table and the head in Q8_0"

# Bits per weight of a dense model's layers, of experts, of what is beside them, of the head, and the type of the input
# table. Solved from llama-bench's sizes: Q8_K_XL from qwen3-30b-a3b (33.51 GiB), qwen3-32b (36.76) and gemma-3-12b
# (13.40), all of whose tables are in 16 bits; Q4_K_XL from gemma-3-27b (dense) and qwen3-30b-a3b (experts); Q3_K_XL
# from qwen3-235b-a22b. The others from file sizes, read on 2026-12-01: Gemma 4 31B (7.95 to 25.63 GiB), Qwen3.8 27B
# (9.01 to 25.92 GB), GLM-4.6 (84 to 204 GB), GLM-5.3 (201.83 to 637.37 GiB beside 746.32 in Q8_0),
# Qwen3.6 35B-A3B (11.44 GiB).
MIXTURES: Final = {
    "q8_k_xl": (9.27, 9.27, 9.27, 16.0, "f16"),
    "q6_k_xl": (7.1, 6.85, 8.5, 8.5, "q8_0"),
    "q5_k_xl": (5.75, 5.65, 6.5625, 6.5625, "q5_k"),
    "q4_k_xl": (4.89, 4.6, 4.89, 6.5625, "q4_k"),
    "iq4_xs": (4.15, 3.85, 5.5, 6.5625, "q4_k"),
    "q3_k_xl": (3.9, 3.5, 4.5, 6.5625, "q3_k"),
    "iq3_xxs": (3.1, 2.95, 4.5, 6.5625, "q3_k"),
    "q2_k_xl": (2.95, 2.75, 4.5, 6.5625, "q3_k"),
    "iq2_m": (2.75, 2.5, 4.5, 5.5, "q3_k"),
    "iq2_xxs": (2.4, 2.4, 4.5, 5.5, "q3_k"),
    "iq1_m": (2.25, 2.25, 4.5, 5.5, "q3_k"),
    "iq1_s": (2.1, 2.1, 4.5, 5.5, "q3_k"),
    "tq1_0": (1.8, 1.8, 4.5, 5.5, "q3_k"),
}
# name → the recipe of everything but the tables
LARGE_TABLES: Final = {
    "q2-k-l": "q2_k", "q3-k-xl": "q3_k_l", "q4-k-l": "q4_k_m", "q5-k-l": "q5_k_m", "q6-k-l": "q6_k",
}  # fmt: skip
