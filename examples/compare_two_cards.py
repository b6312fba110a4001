"""Which of two cards is faster for my requests, and by how much in each phase?

python examples/compare_two_cards.py
"""

from dataclasses import replace

from pysim import Deployment, load_device, load_model

PROMPT_TOKENS, OUTPUT_TOKENS = 4_000, 500

one = Deployment(load_model("qwen3-8b"), load_device("rtx-4090"), weight_format="q4_k_m", engine="llama.cpp")
other = replace(one, device=load_device("rtx-5090"))

runs = [on.estimate(prompt_tokens=PROMPT_TOKENS, output_tokens=OUTPUT_TOKENS) for on in (one, other)]
for on, run in zip((one, other), runs, strict=True):
    print(f"{on.device.name}: prefill {run.prefill_tokens_per_s:,.0f} tokens/s, decode {run.decode_tokens_per_s:.0f}")

first, second = runs
print(f"prefill is {second.prefill_tokens_per_s / first.prefill_tokens_per_s:.2f} times as fast, for the arithmetic")
print(f"decode is {second.decode_tokens_per_s / first.decode_tokens_per_s:.2f} times as fast, for the bandwidth")
