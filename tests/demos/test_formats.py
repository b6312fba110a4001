"""Does `formats` say what fits, and how much is left?"""

from demos import formats
from demos.kit.declare.controls import Value, start_values
from tests.demos.reading import Read, read


def shown(**changes: Value) -> Read:
    values = {**start_values(formats.CONTROLS), **changes}
    return read(formats.frame(formats.scene(**values), 0.0))


def test_sixteen_bits_of_a_14b_model_do_not_fit_16_gb() -> None:
    # 14,768,307,200 parameters × 2 B = 29.5 GB
    outputs = shown(weights="f16").outputs
    assert outputs["weights_bytes"] == str(14_768_307_200 * 2)
    assert outputs["fits"] == "false"
    assert outputs["longest_context_tokens"] == "0"


def test_fewer_bits_leave_more_context_and_write_faster() -> None:
    # A card whose free memory, not the model's own limit, ends the context.
    wide, narrow = shown(weights="q6_k").outputs, shown(weights="q4_k_m").outputs
    assert int(narrow["longest_context_tokens"]) > int(wide["longest_context_tokens"])
    assert float(narrow["decode_tokens_per_s"]) > float(wide["decode_tokens_per_s"])


def test_the_sentence_names_the_widest_format_that_fits() -> None:
    values = start_values(formats.CONTROLS)
    scene = formats.scene(**values)
    fitting = [row.key for row in scene.rows if (row.memory.free_bytes or 0) >= 0]
    assert fitting[0] == "q5_k_m" or fitting[0] == "q6_k"
    assert {"q5_k_m": "Q5_K_M", "q6_k": "Q6_K"}[fitting[0]] in formats.say(scene, 0.0)
