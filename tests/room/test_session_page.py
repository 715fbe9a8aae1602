"""docs/session.md is what the room says today."""

import json

from cardroom.contract import REPLIES
from cardroom.messages import MESSAGES
from tests.room.schema import hold, hold_push
from tests.room.session import PAGE, messages, page, record

WRITTEN = PAGE.read_text(encoding="utf-8")


def test_the_page_is_what_the_room_says(aws: None) -> None:
    assert page(record()) == WRITTEN, "run `make contract`"


def test_every_message_keeps_to_the_schema() -> None:
    asked: dict[str, str] = {}
    kinds = set()
    for way, message in messages(WRITTEN):
        if way.endswith(">"):
            hold(f"{MESSAGES[message['route']].__name__}Message", message)
            asked[message["id"]] = message["route"]
            kinds.add(message["route"])
        elif "id" in message:
            route = asked.pop(message["id"])
            hold("ErrorReply" if message["type"] == "error" else REPLIES[route].__name__, message)
        else:
            hold_push(json.dumps(message).encode())
            kinds.add(message["type"])
    assert asked == {}
    assert {"lobby", "quickseat", "sit", "act", "sync", "leave", "events", "snapshot"} <= kinds


def test_the_hand_goes_to_a_showdown_and_the_guest_sees_no_card_before_it() -> None:
    shown = [(way, message) for way, message in messages(WRITTEN) if way == "guest <"]
    early = [m for _, m in shown if '"over": false' in json.dumps(m)]
    assert early
    for message in early:
        assert not {"Ah", "Kh", "Qs", "Qd"} & set(json.dumps(message).split('"'))
    ended = shown[-1][1]["state"]
    assert {e["e"] for e in ended["log"]} >= {"shown", "pot_won", "hand_ended"}
