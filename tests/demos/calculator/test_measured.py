"""Does a measurement of the reader's own machine move the calculator's speeds, and is an impossible one refused?"""

from demos import calculator
from demos.kit.declare.controls import Value, start_values
from tests.demos.reading import Read, read


def shown(**changes: Value) -> Read:
    values = {**start_values(calculator.CONTROLS), "weights": "q4_k_m", "engine": "llama.cpp", **changes}
    return read(calculator.frame(calculator.scene(**values), 0.0))


def test_a_slow_machine_is_predicted_slower_elsewhere_too() -> None:
    usual, own = (float(shown(measured_decode=given).outputs["decode_tokens_per_s"]) for given in (0, 100))
    assert own < usual
    assert "Calibrated with your measurement" in shown(measured_decode=100).text


def test_what_the_card_cannot_do_is_refused_and_changes_nothing() -> None:
    # 4.9 GB of weights at 1,008 GB/s allow about 210 tokens/s.
    frame = shown(measured_decode=2_000)
    assert "Your measurement is not used" in frame.text
    assert frame.outputs["decode_tokens_per_s"] == shown().outputs["decode_tokens_per_s"]
