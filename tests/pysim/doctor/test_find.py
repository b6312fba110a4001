"""Is everything found that a text holds: results behind a long log, tables that people made beside a tool's lines?"""

from pysim.doctor.find import read

WINDOW = (
    "INFO 05-05 10:00:00 metrics.py:351] Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 40.0 tokens/s,"
    " Running: 1 reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: 0.1%, CPU KV cache usage: 0.0%.\n"
)
BLOCK = """============ Serving Benchmark Result ============
Successful requests:                     100
Benchmark duration (s):                  50.00
Total input tokens:                      10000
Total generated tokens:                  20000
Request throughput (req/s):              2.00
Output token throughput (tok/s):         400.00
Mean TTFT (ms):                          500.00
Mean TPOT (ms):                          20.00
"""
KOBOLD = "CtxLimit:7980/32768, Amt:198/512, Process:10.00s (700.00T/s), Generate:20.00s (9.90T/s), Total:30.00s\n"
TABLE = """
|            | Prompt processing |  Generation |
|------------|-------------------|-------------|
| llama.cpp  |     1490 tokens/s | 30 tokens/s |
| KoboldCpp  |       34 tokens/s |  5 tokens/s |
"""


def test_a_result_behind_a_long_log_is_read_too() -> None:
    reading = read(WINDOW * 4000 + BLOCK)
    block = reading.runs[-1]
    assert (block.tool, block.requests, block.line) == ("vllm bench serve", 100, 4001)
    assert all(run.kind == "window" for run in reading.runs[:-1])
    assert reading.lines == 4010
    assert "not read" in reading.gaps[0].message


def test_a_table_made_beside_a_tools_lines_is_read_too() -> None:
    tool, first, second = read(f"{KOBOLD}\nwith other settings:\n{TABLE}").runs
    assert tool.tool == "KoboldCpp"
    assert (first.label, first.prefill_tokens_per_s) == ("llama.cpp", 1490)
    assert (second.label, second.decode_tokens_per_s) == ("KoboldCpp", 5)


def test_a_row_of_a_tools_own_table_is_no_other_table() -> None:
    assert [run.tool for run in read(KOBOLD + TABLE.replace("\n| KoboldCpp", "\n" + KOBOLD + "| KoboldCpp")).runs] == [
        "KoboldCpp",
        "KoboldCpp",
    ]
