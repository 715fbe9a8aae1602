"""What the replayer's tests are given is what the room tells today."""

import json

from cardroom.contract import PastHandView
from tests.cli.replayed import HANDS, files


def test_the_recorded_hands_and_odds_are_those_of_today() -> None:
    stale = [path.name for path, text in files().items() if path.read_text() != text]
    assert stale == [], ".venv/bin/python -m tests.cli.replayed"


def test_they_are_as_the_contract_has_it_and_hold_what_is_rare() -> None:
    hands = json.loads(HANDS.read_text())
    for one in hands:
        PastHandView.model_validate_json(json.dumps(one["hand"]))
    assert len(hands) > 40
    assert any(one["voided"] for one in hands)
    assert max(len(one["pots"]) for one in hands) >= 3
    assert {one["hand"]["state"]["settings"]["game"] for one in hands} == {"nl", "fl"}
    assert any(step["event"]["e"] == "shown" for one in hands for step in one["hand"]["steps"])
    assert {one["hand"]["seat"] is None for one in hands} == {True, False}
