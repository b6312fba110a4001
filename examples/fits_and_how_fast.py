"""Does a model fit on my cards, and how fast will it be?

python examples/fits_and_how_fast.py
"""

from pysim import Deployment, load_device, load_model

on = Deployment(load_model("llama-3.1-70b"), load_device("rtx-4090"), n_devices=2, weight_format="q4_k_m")

room = on.memory(context_tokens=8_192)
print("fits" if room.fits else "does not fit", f"({room.free_bytes / 1e9:.1f} GB free on the fullest card)")
print(f"longest context: {on.max_context_tokens():,} tokens")

run = on.estimate(prompt_tokens=2_000, output_tokens=300)
print(f"first token after {run.ttft_s:.2f} s, then {run.decode_tokens_per_s:.1f} tokens/s ({run.decode_bound}-bound)")
low, high = run.band["decode_tokens_per_s"]
print(f"eight of ten such runs: {low:.1f} to {high:.1f} tokens/s")
