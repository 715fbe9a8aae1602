"""What comes by mistake or by malice is refused with a code, or passed over, and spoils nothing."""

from tests.simulation.damage import damage
from tests.simulation.fuzz import fuzz, parts
from tests.simulation.torn import torn


def test_bad_messages_and_events_get_a_code_and_never_a_fault() -> None:
    summary = fuzz(seed=1, inputs=3_000)
    assert summary.answers["bad_message"] > 1_000
    assert {"ok", "too_deep", "too_large", "unknown_route", "not_allowed"} <= set(summary.answers)
    functions = {"authorizer", "connect", "disconnect", "fanout", "floor", "broadcast", "clock"}
    assert functions | {"message", "signup"} == set(summary.inputs)
    assert {"authorizer: Allow", "authorizer: Deny"} <= set(summary.answers)


def test_a_damaged_item_is_reported_and_spoils_no_other() -> None:
    kinds, answers = damage(seed=1, inputs=20)
    assert kinds["TABLE/STATE"] > 2
    assert answers["ok"] > 10 * answers["out_of_order"] > 0


def test_a_damaged_file_of_hands_is_named_line_by_line() -> None:
    kinds, codes = torn(seed=1, inputs=500)
    assert kinds["line"] > 400
    assert kinds["file"]
    assert codes["replay: exit 2"]


def test_inputs_are_dealt_out_to_seeds() -> None:
    dealt = parts(100_000, seed=5)
    assert sum(inputs for _, _, inputs in dealt) == 100_000
    assert {kind for kind, _, _ in dealt} == {"wire", "stored", "files"}
    assert len({(kind, seed) for kind, seed, _ in dealt}) == len(dealt)
