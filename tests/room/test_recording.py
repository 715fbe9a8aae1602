"""The hands that clients in other languages are tested against are those that the room plays."""

import json
from collections import Counter

from tests.room.recording import FILE, new_world, recorded


def test_the_recording_is_what_the_room_tells(aws: None) -> None:
    assert FILE.read_text() == recorded(new_world()), (
        "web/sdk/test/recorded-hands.json is stale: .venv/bin/python -m tests.room.recording"
    )


def test_the_recording_holds_what_is_hard_for_a_client() -> None:
    pushes = [
        push for step in json.loads(FILE.read_text())["steps"] for push in step["pushes"]["ana"]
    ]
    told = [push for push in pushes if push["type"] == "events"]
    kinds = Counter(event["e"] for push in told for event in push["events"])
    assert kinds["hand_started"] == 2
    assert kinds["shown"] > 2
    assert {"planned", "prepared", "refill_set", "bank_opened", "topped_up", "seat_emptied"} <= set(
        kinds
    )
    private = [push for push in told if push["seq"] == push["before"]]
    assert len(private) > 2
    assert sum(push["type"] == "presence" for push in pushes) > 1
    assert max(sum("shares" in pot for pot in push["pots"]) for push in told) > 1, "a side pot"
