"""Is a log read that times nothing but says how a model was loaded?"""

from pysim.doctor.diagnose import diagnose
from pysim.doctor.find import read
from pysim.doctor.read.llama_cpp.only_setup import TOOL

LOG = (
    "load_tensors: offloaded 5/37 layers to GPU\nload_tensors:        CUDA0 model buffer size =   500.00 MiB\n"
    "load_tensors:   CPU_Mapped model buffer size =  3500.00 MiB\nllama_context: n_ctx         = 32768\n"
    "llama_context: flash_attn    = 0\n"
)
PS = (
    "NAME          ID              SIZE     PROCESSOR          CONTEXT    UNTIL\n"
    "qwen3:32b     030ee887880f    30 GB    24%/76% CPU/GPU    32768      4 minutes from now\n"
)


def test_layers_on_the_host_are_told_without_any_time() -> None:
    (run,) = read(LOG).runs
    assert (run.tool, run.setup.layers_on_device, run.setup.layers) == (TOOL, 5, 37)
    assert (run.setup.context_tokens, run.setup.flash_attention) == (32768, False)
    (case,) = diagnose(LOG).cases
    assert case.causes[0].name == "layers on the host"
    assert (case.prefill, case.decode) == (None, None)


def test_ollamas_list_of_loaded_models_is_a_setup() -> None:
    (run,) = read(PS).runs
    assert (run.setup.model, run.setup.host_share, run.setup.context_tokens) == ("qwen3:32b", 0.24, 32768)


def test_a_log_that_says_nothing_of_layers_is_no_setup() -> None:
    assert read("llama_context: n_ctx         = 32768\n").runs == ()


def test_a_timed_run_needs_no_setup_of_its_own() -> None:
    (run,) = read(LOG + "eval time = 500.00 ms / 50 runs (10.00 ms per token, 100.00 tokens per second)\n").runs
    assert run.tool == "llama.cpp"
    assert run.setup.layers_on_device == 5
