"""Are ollama's own figures read right, and its known faults seen?"""

import pytest

from pysim.doctor.read.text import clean
from pysim.doctor.readers import ollama, ollama_bench, ollama_json, ollama_log
from tests.pysim.doctor.samples import sample


def test_an_answers_lines_become_one_run_in_seconds() -> None:
    (run,) = ollama.read(clean(sample("ollama_verbose.txt"))).runs
    assert (run.tool, run.kind, run.engine, run.setup.model) == (
        "ollama --verbose",
        "request",
        "llama.cpp",
        "llama3.1:8b",
    )
    assert (run.line, run.last_line) == (3, 10)
    assert (run.total_s, run.load_s, run.prefill_s, run.decode_s) == (5.3, 0.05, 0.25, 5.0)
    assert (run.prompt_tokens, run.output_tokens) == (512, 400)
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == (2048.0, 80.0)
    # 5.3 s = 0.05 s + 0.25 s + 5 s + 0 s
    assert run.unaccounted_s == pytest.approx(0, abs=1e-12)
    assert run.doubts == ()
    assert run.untrusted == ()


def test_a_prompt_of_which_only_the_last_batch_was_timed_is_not_believed() -> None:
    """Total - load - eval = 20 - 2 - 10 = 8 s, not 0.2 s: reading took up to 8 s, 16000/8 = 2000 tokens/s."""
    text = (
        "total duration: 20s\nload duration: 2s\nprompt eval count: 16000 token(s)\nprompt eval duration: 200ms\n"
        "prompt eval rate: 80000.00 tokens/s\neval count: 500 token(s)\neval duration: 10s\neval rate: 50.00 tokens/s\n"
    )
    (run,) = ollama.read(clean(text)).runs
    assert run.prefill_tokens_per_s == 80000.0
    assert run.untrusted == ("prefill_s", "prefill_tokens_per_s")
    assert run.unaccounted_s == pytest.approx(20 - 2 - 0.2 - 10)
    assert "reading took up to 8 s, or 2000 tokens/s" in run.doubts[0]


def test_a_prompt_from_the_cache_is_no_measure_of_reading() -> None:
    """32,768 tokens in 12 ms are 2.7 million a second, 27,000 times the speed of writing."""
    text = (
        sample("ollama_verbose.txt")
        .replace("512 token(s)", "32768 token(s)")
        .replace("250ms", "12ms")
        .replace("5.3s", "5.062s")
    )
    (run,) = ollama.read(clean(text.replace("2048.00", "2730666.67"))).runs
    assert "cache" in run.doubts[0]
    assert "prefill_tokens_per_s" in run.untrusted


def test_reading_in_less_than_one_pass_is_not_believed() -> None:
    """Each written token takes 1 / (80/s) = 12.5 ms, so 512 tokens cannot be read in 4 ms."""
    text = (
        sample("ollama_verbose.txt").replace("250ms", "4ms").replace("5.3s", "5.054s").replace("2048.00", "128000.00")
    )
    (run,) = ollama.read(clean(text)).runs
    assert "impossibly fast" in run.doubts[0]
    assert run.untrusted == ("prefill_s", "prefill_tokens_per_s")


def test_lines_of_reading_that_ollama_left_out_mean_a_cached_prompt() -> None:
    lines = [line for line in sample("ollama_verbose.txt").splitlines() if not line.startswith("prompt eval")]
    reading = ollama.read(clean("\n".join(lines)))
    assert "cache" in reading.runs[0].doubts[0]
    assert reading.runs[0].prefill_tokens_per_s is None
    assert reading.gaps == ()


def test_what_a_half_cut_answer_lacks_is_named() -> None:
    reading = ollama.read(
        clean(sample("ollama_verbose.txt")[: sample("ollama_verbose.txt").index("eval duration:        5s")])
    )
    assert reading.runs[0].prefill_tokens_per_s == 2048.0
    assert reading.runs[0].decode_tokens_per_s is None
    assert reading.gaps[0].message == "missing: eval duration, eval rate"


def test_a_rate_that_its_own_count_and_time_deny_is_named() -> None:
    (run,) = ollama.read(clean(sample("ollama_verbose.txt").replace("80.00 tokens", "90.00 tokens"))).runs
    assert "90 tokens/s, does not match 400 tokens in 5 s" in run.doubts[0]


@pytest.mark.parametrize(
    ("shown", "seconds"),
    [
        ("1m2.5s", 62.5),
        ("850µs", 0.00085),
        ("850us", 0.00085),
        ("850Âµs", 0.00085),
        ("1h0m1s", 3601.0),
        ("750ns", 7.5e-7),
    ],
)
def test_durations_are_what_go_prints(shown: str, seconds: float) -> None:
    (run,) = ollama.read(clean(sample("ollama_verbose.txt").replace("50ms", shown))).runs
    assert run.load_s == pytest.approx(seconds)


def test_answers_in_one_line_and_with_thousands_separators_are_read() -> None:
    text = " ".join(sample("ollama_verbose.txt").replace("512 token", "1,512 token").splitlines())
    (run,) = ollama.read(clean(text)).runs
    assert (run.prompt_tokens, run.decode_tokens_per_s) == (1512, 80.0)


def test_a_script_that_keeps_only_rates_is_one_run_with_its_average() -> None:
    """4.0, 5.0, 6.0: mean 5.0, standard deviation 1.0."""
    rates = "".join(f"eval rate:            {rate} tokens/s\n" for rate in ("4.00", "5.00", "6.00"))
    text = f"Running benchmark 3 times using model: llama3.2:3b\n\n{rates}Average Eval Rate: 5.00 tokens/second\n"
    (run,) = ollama.read(clean(text)).runs
    assert (run.kind, run.repeats, run.decode_tokens_per_s, run.decode_deviation) == ("generation", 3, 5.0, 1.0)
    assert run.setup.model == "llama3.2:3b"
    assert run.prefill_tokens_per_s is None


def test_the_apis_nanoseconds_become_seconds() -> None:
    """1000 tokens / 0.5 s = 2000/s; 200 / 4 s = 50/s; 4.6 - 0.1 - 0.5 - 4 = 0."""
    (run,) = ollama_json.read(clean(sample("ollama_api.jsonl"))).runs
    assert (run.tool, run.setup.model, run.line) == ("ollama API", "qwen3:8b", 2)
    assert (run.load_s, run.prefill_s, run.decode_s, run.total_s) == pytest.approx((0.1, 0.5, 4.0, 4.6))
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == pytest.approx((2000.0, 50.0))


def test_a_stream_that_broke_off_before_its_times_is_a_gap() -> None:
    reading = ollama_json.read(clean(sample("ollama_api.jsonl").splitlines()[0] + "\n"))
    assert reading.runs == ()
    assert "ends before its last object" in reading.gaps[0].message


def test_times_that_a_front_end_hands_on_inside_usage_are_found() -> None:
    text = '{"model": "a", "usage": {"total_duration": 3e9, "load_duration": 0, "prompt_eval_count": 10, ' \
           '"prompt_eval_duration": 1e9, "eval_count": 20, "eval_duration": 2e9}}'  # fmt: skip
    (run,) = ollama_json.read(clean(text)).runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == pytest.approx((10.0, 10.0))


@pytest.mark.parametrize("name", ["ollama_python.txt", "ollama_open_webui.txt"])
def test_bare_nanoseconds_of_other_front_ends_are_read_as_such(name: str) -> None:
    """1000 tokens / 0.5 s = 2000/s; 200 / 4 s = 50/s."""
    reading = ollama.read(clean(sample(name)))
    (run,) = reading.runs
    assert (run.prefill_s, run.decode_s, run.total_s) == pytest.approx((0.5, 4.0, 4.6))
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == pytest.approx((2000.0, 50.0))
    assert reading.gaps == ()


def test_the_servers_log_says_what_ran_where_and_how_long_each_request_took() -> None:
    (run,) = ollama_log.read(clean(sample("ollama_log.txt"))).runs
    assert (run.requests, run.failed_requests) == (2, 1)
    assert run.end_to_end is not None
    assert run.end_to_end.mean_s == pytest.approx((90 + 10.5) / 2)
    known = run.setup
    assert (known.device, known.backend, known.n_devices) == ("NVIDIA GeForce RTX 4060", "CUDA", 1)
    assert (known.layers_on_device, known.layers) == (22, 33)
    assert known.device_memory_bytes == 8 * 2**30
    # 3.0 GiB on the device and 1.5 GiB on the host
    assert known.weights_bytes == pytest.approx(4.5 * 2**30)
    assert (known.context_tokens, known.slots, known.kv_keys, known.flash_attention) == (8192, 2, "q8_0", True)
    assert known.engine_version == "0.12.5"


def test_ollama_ps_says_how_much_stayed_on_the_host() -> None:
    table = (
        "NAME           ID              SIZE      PROCESSOR          CONTEXT    UNTIL\n"
        "llama3.1:70b   46e0c10c039e    42 GB     40%/60% CPU/GPU    4096       4 minutes from now\n"
    )
    (run,) = ollama.read(clean(table + sample("ollama_verbose.txt").split("\n", 2)[2])).runs
    assert (run.setup.model, run.setup.host_share, run.setup.context_tokens) == ("llama3.1:70b", 0.4, 4096)


def test_the_benchmarks_rows_are_one_run_per_answer() -> None:
    (run,) = ollama_bench.read(clean(sample("ollama_bench.txt"))).runs
    assert (run.setup.model, run.prompt_tokens, run.output_tokens) == ("qwen3:8b", 256, 200)
    assert (run.prefill_s, run.decode_s, run.load_s, run.total_s) == (0.064, 2.5, 0.12, 2.7)
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == (4000.0, 80.0)


@pytest.mark.parametrize(
    "text",
    [
        "NAME,STEP,COUNT,NS_PER_COUNT,TOKEN_PER_SEC\nm:8b,prefill,128,250000.00,4000.00\nm:8b,generate,64,20000000,50.00\n",
        "BenchmarkModel/name=m:8b/step=prefill 128 250000.00 ns/token 4000.00 token/sec\n"
        "BenchmarkModel/name=m:8b/step=generate 64 20000000 ns/token 50.00 token/sec\n",
    ],
)
def test_the_benchmarks_other_forms_say_the_same(text: str) -> None:
    """128 x 250 µs = 32 ms; 64 x 20 ms = 1.28 s."""
    (run,) = ollama_bench.read(clean(text)).runs
    assert (run.prefill_s, run.decode_s) == pytest.approx((0.032, 1.28))
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == (4000.0, 50.0)
