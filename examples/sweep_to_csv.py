"""How do models, cards and weight formats compare? All combinations as CSV, on all processor cores.

python examples/sweep_to_csv.py > sweep.csv
"""

import csv
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product

from pysim import sweep

MODELS = ("llama-3.1-8b", "qwen3-14b", "gpt-oss-20b")
DEVICES = ("rtx-4090", "apple-m3-max-40c", "h100-sxm")
FORMATS = ("f16", "q8_0", "q4_k_m")


def main() -> None:
    """Estimate every combination and write one row for each."""
    settings = [
        {"model": model, "device": device, "weight_format": weights, "prompt_tokens": 2_000, "output_tokens": 300}
        for model, device, weights in product(MODELS, DEVICES, FORMATS)
    ]
    with ProcessPoolExecutor() as executor:
        runs = sweep(settings, executor)
    table = csv.writer(sys.stdout)
    table.writerow(["model", "device", "weights", "fits", "ttft_s", "tpot_s", "decode_tokens_per_s"])
    for setting, run in zip(settings, runs, strict=True):
        where = [setting["model"], setting["device"], setting["weight_format"]]
        table.writerow([*where, run.fits, run.ttft_s, run.tpot_s, run.decode_tokens_per_s])


# Other processes import this file: only the first one may start more of them.
if __name__ == "__main__":
    main()
