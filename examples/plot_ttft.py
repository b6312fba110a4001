"""How does the time to first token grow with the prompt? A plot, drawn with matplotlib.

pip install ".[plot]"
python examples/plot_ttft.py ttft.png
"""

import sys

import numpy as np

from pysim import Deployment, load_device, load_model

try:
    import matplotlib
except ModuleNotFoundError:
    sys.exit('matplotlib is missing: pip install ".[plot]"')
matplotlib.use("Agg")  # draws files, with or without a display
from matplotlib import pyplot

prompts = np.unique(np.logspace(0, 5, 200).astype(int))
for device in ("apple-m3-max-40c", "rtx-4090", "h100-sxm"):
    on = Deployment(load_model("llama-3.1-8b"), load_device(device), weight_format="q4_k_m")
    runs = on.estimate_many(prompt_tokens=prompts, output_tokens=1)
    pyplot.loglog(prompts, runs.ttft_s, label=on.device.name)
    pyplot.fill_between(prompts, *runs.band["ttft_s"], alpha=0.2)

pyplot.xlabel("prompt, tokens")
pyplot.ylabel("time to first token, s")
pyplot.legend()
pyplot.savefig(sys.argv[1] if len(sys.argv) > 1 else "ttft.png")
