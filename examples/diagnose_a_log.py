"""What does the output of my tool say: which phase is slow, and what would help?

llama-bench -m model.gguf | python examples/diagnose_a_log.py -
python examples/diagnose_a_log.py            # a sample
"""

import sys

from pysim import diagnose

SAMPLE = """\
| model                  |     size |  params | backend | ngl |  test |            t/s |
| ---------------------- | -------: | ------: | ------- | --: | ----: | -------------: |
| llama 8B Q4_K - Medium | 4.58 GiB |  8.03 B | CUDA    |  99 | pp512 | 4801.21 ± 12.3 |
| llama 8B Q4_K - Medium | 4.58 GiB |  8.03 B | CUDA    |  99 | tg128 |   41.18 ± 0.12 |
"""

text = sys.stdin.read() if sys.argv[1:] == ["-"] else SAMPLE
print(diagnose(text, device="rtx-4090"))
