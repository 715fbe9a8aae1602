"""What clients may send by mistake or by malice is answered with a code, and changes nothing."""

from tests.simulation.fuzz import fuzz


def test_bad_input_gets_a_code_and_never_a_fault() -> None:
    answered = fuzz(seed=1, inputs=3_000)
    assert answered["bad_message"] > 1_000
    assert {"ok", "too_deep", "too_large", "unknown_route", "not_allowed"} <= set(answered)
