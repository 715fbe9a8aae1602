"""The TypeScript SDK in the real room: hands played through `ws`, over connections that break."""

import json

import pytest

from local.cognito import Users
from local.running import player_of
from local.stack import Room
from local.tables import LocalTables, open_tables
from poker_engine.codec import load_table
from poker_engine.stakes import no_limit, table_settings
from tests.web import run

pytestmark = pytest.mark.e2e

TABLE = "sdk"
SETTINGS = table_settings(no_limit("PHP", 600), 2, pause_ms=1_000)
HANDS = 2


def test_hands_are_played_over_connections_that_break(room: Room) -> None:
    tables = LocalTables(room)
    open_tables(tables, [(TABLE, SETTINGS)])
    users = Users(room)
    tokens = [users.token(name) for name in ("SdkAna", "SdkBen")]
    players = [player_of(token) for token in tokens]
    orders = {
        "url": room.websocket_url,
        "table": TABLE,
        "structure": SETTINGS.stakes.structure,
        "chips": SETTINGS.minimum,
        "hands": HANDS,
        "tokens": tokens,
    }
    told = json.loads(run("live", json.dumps(orders), seconds=240))

    stored = tables.load(TABLE)
    assert stored is not None
    assert told["seqs"] == [stored.table.seq] * 3
    assert len(tables.hands(TABLE)) >= HANDS
    for hand in tables.hands(TABLE):
        seats = load_table(hand.opening).seats
        assert [seat and seat.player for seat in seats] == players
    assert told["refusals"] == []
    assert told["equal"] >= 2
    assert told["cuts"] == 2
    # Broken once each, and exchanged now and then.
    assert min(told["connections"]) > 2
    assert not told["hiddenSeen"]
    assert set(range(1, HANDS + 1)) <= set(told["guestSaw"])
    assert told["states"] == ["open"] * 3
    assert told["signedOut"] == [False, True]
