"""Figures that people published as the output of their tools, as readers hand them on; the sources say where."""

from pysim.doctor.read.run import Latency, Run, Setup

STRIX = "AMD Radeon 8060S Graphics, gfx1151 (0x1151)"
QWEN7 = Setup(model="qwen2 7B", weights="Q8_0", weights_bytes=7.54 * 2**30, parameters=7.62e9, backend="CUDA")
LLAMA7 = Setup(
    model="llama 7B", weights="Q4_0", weights_bytes=3825065984, parameters=6738415616, backend="CUDA",
    device="NVIDIA GeForce RTX 3090 Ti", layers_on_device=99,
)  # fmt: skip
OSS = Setup(
    model="gpt-oss 120B", weights="MXFP4 MoE", weights_bytes=59.02 * 2**30, parameters=116.83e9, device=STRIX,
    backend="ROCm", layers_on_device=99, flash_attention=True,
)  # fmt: skip
EXPERTS_ON_HOST = Setup(
    model="qwen3moe 30B.A3B", weights="IQ4_XS - 4.25 bpw", weights_bytes=15.32 * 2**30, parameters=30.53e9,
    device="NVIDIA GeForce GTX 1650 SUPER, compute capability 7.5", backend="CUDA,BLAS", tensors_on_host="exps=CPU",
)  # fmt: skip
DENSE27 = Setup(
    model="qwen35 27B", weights="Q8_0", weights_bytes=29036089344, parameters=27320697856,
    device="AMD Radeon 8060S Graphics", backend="ROCm",
)  # fmt: skip


def prompt(setup: Setup, tokens: float, speed: float, deviation: float = 0.0, depth: float = 0, line: int = 1) -> Run:
    return Run(
        tool="llama-bench", kind="prompt", line=line, last_line=line, engine="llama.cpp", setup=setup,
        prompt_tokens=tokens, depth_tokens=depth, prefill_tokens_per_s=speed, prefill_deviation=deviation or None,
    )  # fmt: skip


def answer(setup: Setup, tokens: float, speed: float, deviation: float = 0.0, depth: float = 0, line: int = 2) -> Run:
    return Run(
        tool="llama-bench", kind="generation", line=line, last_line=line, engine="llama.cpp", setup=setup,
        output_tokens=tokens, depth_tokens=depth, decode_tokens_per_s=speed, decode_deviation=deviation or None,
        decode_passes=tokens,
    )  # fmt: skip


def request(tool: str, engine: str | None, **figures: object) -> Run:
    return Run(tool=tool, kind="request", line=1, last_line=8, engine=engine, **figures)  # type: ignore[arg-type]


def service(tool: str, engine: str | None, **figures: object) -> Run:
    return Run(tool=tool, kind="service", line=1, last_line=20, engine=engine, **figures)  # type: ignore[arg-type]


RUNS: dict[str, tuple[Run, ...]] = {
    # https://github.com/kyuz0/amd-strix-halo-toolboxes, gpt-oss-120b under ROCm 7.2.3
    "llama-bench gpt-oss": (prompt(OSS, 512, 625.58, 109.36), answer(OSS, 128, 51.81, 0.04)),
    # the same place: a dense model of 27 billion parameters, nothing in the cache
    "llama-bench unknown model": (answer(DENSE27, 128, 7.797, 0.001),),
    # https://github.com/ikawrakow/ik_llama.cpp/blob/8337e4cd/examples/llama-bench/README.md, as CSV
    "llama-bench 2023": (prompt(LLAMA7, 512, 2413.341687, 8.3), answer(LLAMA7, 128, 132.052051, 0.37)),
    # https://github.com/ggml-org/llama.cpp/blob/master/benches/dgx-spark/dgx-spark.md; no device line
    "llama-bench depth": (
        prompt(QWEN7, 2048, 2250.28, 6.41),
        answer(QWEN7, 32, 29.43, 0.02),
        prompt(QWEN7, 2048, 1471.23, 1.71, 32768, 9),
        answer(QWEN7, 32, 22.51, 0.02, 32768, 10),
    ),
    # the same file, llama-batched-bench with 32 sequences
    "llama-batched-bench": (
        request(
            "llama-batched-bench", "llama.cpp", prompt_tokens=512, output_tokens=32, sequences=32, prefill_s=7.035,
            decode_s=1.738, decode_passes=32, total_s=8.773, prefill_tokens_per_s=2328.93,
            decode_total_tokens_per_s=589.21,
        ),
    ),
    # https://github.com/ikawrakow/ik_llama.cpp/discussions/399
    "llama-bench experts on host": (
        prompt(EXPERTS_ON_HOST, 512, 14.29, 0.05), answer(EXPERTS_ON_HOST, 128, 2.75, 0.27)
    ),
    # https://github.com/ggml-org/llama.cpp/issues/2237, llama-7b in 16 bits on a Xeon
    "llama_print_timings": (
        request(
            "llama.cpp", "llama.cpp", load_s=0.90771, prompt_tokens=271, prefill_s=6.29468, output_tokens=512,
            decode_s=115.22219, decode_passes=510, total_s=121.96355,
        ),
    ),
    # https://github.com/abetlen/llama-cpp-python/issues/1830
    "slow first prompt": (
        request(
            "llama.cpp", "llama.cpp", prompt_tokens=13, prefill_s=14.80569, output_tokens=33, decode_s=3.43058,
            decode_passes=32, total_s=18.27873,
        ),
    ),
    # https://github.com/ollama/ollama/issues/1806
    "ollama": (
        request(
            "ollama --verbose", "llama.cpp", load_s=0.001365523, prompt_tokens=11, prefill_s=0.204563,
            prefill_tokens_per_s=53.77, output_tokens=120, decode_s=4.876787, decode_tokens_per_s=24.61,
            total_s=5.088275983,
        ),
    ),
    # https://github.com/ollama/ollama/pull/12742: only the last piece of the prompt was timed
    "ollama hidden prompt": (
        request(
            "ollama --verbose", "llama.cpp", load_s=4.97054657, prompt_tokens=32768, prefill_s=0.235137439,
            prefill_tokens_per_s=139356.80, output_tokens=1873, decode_s=18.173182374, decode_tokens_per_s=103.06,
            total_s=31.273112939, unaccounted_s=31.273112939 - 4.97054657 - 0.235137439 - 18.173182374,
            untrusted=("prefill_s", "prefill_tokens_per_s"),
        ),
    ),
    # https://github.com/ollama/ollama/pull/6122
    "ollama cold": (
        request(
            "ollama --verbose", "llama.cpp", load_s=1.036014583, prompt_tokens=48, prefill_s=0.095572,
            prefill_tokens_per_s=502.24, output_tokens=84, decode_s=0.796532, decode_tokens_per_s=105.46,
            total_s=1.929017,
        ),
    ),
    # https://github.com/ollama/ollama/pull/2163
    "ollama API": (
        request(
            "ollama API", "llama.cpp", setup=Setup(model="orca-mini"), load_s=0.000185542, prompt_tokens=42,
            prefill_s=0.558791, output_tokens=11, decode_s=0.290096, total_s=0.849287875,
        ),
    ),
    # https://github.com/vllm-project/vllm/pull/18566
    "vllm bench serve": (
        service(
            "vllm bench serve", "vllm", requests=1000, total_s=30.85, prompt_tokens=229.711, output_tokens=203.068,
            total_prefill_tokens_per_s=229711 / 30.85, decode_total_tokens_per_s=6582.87,
            ttft=Latency(mean_s=9.62613, median_s=9.4597, p99_s=12.66673), tpot=Latency(mean_s=0.07786),
            itl=Latency(mean_s=0.03813, p99_s=0.21435),
        ),
    ),
    # https://github.com/sgl-project/sglang/pull/9428
    "sglang prompts only": (
        service(
            "sglang bench_serving", "sglang", requests=64, total_s=15.30, prompt_tokens=2097122 / 64,
            output_tokens=101 / 64, total_prefill_tokens_per_s=137022.74, decode_total_tokens_per_s=6.60,
            sequences=49.12, ttft=Latency(mean_s=7.25211), end_to_end=Latency(mean_s=11.74639),
            itl=Latency(mean_s=8.13274),
        ),
    ),
    # https://github.com/sgl-project/sglang/issues/12389
    "sglang pauses": (
        service(
            "sglang bench_serving", "sglang", requests=300, total_s=637.274578, prompt_tokens=4000, output_tokens=1000,
            total_prefill_tokens_per_s=1883.018781, decode_total_tokens_per_s=470.754695, concurrency_limit=32,
            sequences=30.640292, ttft=Latency(mean_s=15.50769), tpot=Latency(mean_s=0.04962954),
            itl=Latency(mean_s=0.0496297, p99_s=0.04005106), end_to_end=Latency(mean_s=65.0875976),
        ),
    ),
    # https://github.com/triton-inference-server/perf_analyzer/pull/433, its table cut below these lines
    "genai-perf": (
        service(
            "genai-perf", None, ttft=Latency(mean_s=1.76461), itl=Latency(mean_s=0.02217),
            end_to_end=Latency(mean_s=13.06068),
        ),
    ),
    # https://github.com/ml-explore/mlx-examples/pull/1081, Llama 3.1 8B in 4 bits
    "mlx_lm": (
        request(
            "mlx-lm", "mlx-lm", prompt_tokens=32188, prefill_tokens_per_s=430.339, output_tokens=892,
            decode_tokens_per_s=32.480,
        ),
    ),
    # https://github.com/NVIDIA/TensorRT-LLM/blob/00f37686/docs/source/performance/perf-overview.md
    "trtllm-bench": (
        service(
            "trtllm-bench", "tensorrt-llm", prompt_tokens=(94022.5497 - 5530.7382) / 43.2089,
            output_tokens=5530.7382 / 43.2089, total_prefill_tokens_per_s=94022.5497 - 5530.7382,
            decode_total_tokens_per_s=5530.7382, total_s=115.7169214, requests=5000,
            ttft=Latency(mean_s=52.6670339), tpot=Latency(mean_s=0.1829639), end_to_end=Latency(mean_s=75.9034456),
        ),
    ),
    # https://github.com/openvinotoolkit/openvino.genai/issues/875: one token was generated
    "openvino one token": (
        request(
            "openvino genai benchmark", "openvino genai", load_s=18.507, total_s=0.02188,
            ttft=Latency(mean_s=0.02088), tpot=Latency(mean_s=0.02088), decode_tokens_per_s=47.89,
        ),
    ),
    # the example of LM Studio's REST API v0, https://lmstudio.ai/docs/api
    "lm studio": (
        request(
            "lm studio", "llama.cpp", setup=Setup(model="granite-3.0-2b-instruct", weights="Q4_K_M"), prompt_tokens=24,
            output_tokens=53, decode_tokens_per_s=51.437, decode_s=0.954, ttft=Latency(mean_s=0.111),
        ),
    ),
    # https://docs.vllm.ai, a line of its log: 10 requests at once
    "vllm log": (
        Run(
            tool="vllm log", kind="window", line=1, last_line=1, engine="vllm", decode_total_tokens_per_s=238.7,
            running=10, waiting=0, kv_cache_used_share=0.041, prefix_hit_share=0.537,
        ),
    ),
    # https://github.com/pytorch/torchchat/issues/852
    "torchchat": (
        Run(
            tool="torchchat", kind="combined", line=5, last_line=6, output_tokens=50, total_s=28.73,
            combined_tokens_per_s=1.74, achieved_bytes_per_s=27.95e9,
        ),
    ),
    # https://github.com/geerlingguy/ai-benchmarks/issues/24, a Raspberry Pi 500+
    "ollama rates only": (
        Run(
            tool="ollama --verbose", kind="generation", line=4, last_line=7, engine="llama.cpp",
            setup=Setup(model="llama3.2:3b"), decode_tokens_per_s=5.55, repeats=3,
        ),
    ),
}  # fmt: skip
