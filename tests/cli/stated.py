"""A room in which anything happens over some days; what it tells players for their own statements,
and what the operator's say of the same: for the tests of the client's. Written anew by

    .venv/bin/python -m tests.cli.stated
"""

import io
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

from cardroom import statements
from cardroom.days import Days, Zone, midnight
from cardroom.dealer import Applied
from cardroom.histories import Unreadable
from cardroom.messages import Ok
from cardroom.money import Entry
from cardroom.outcomes import outcome
from cardroom.stored import HandRecord
from cardroom.tables import open_table
from cardroom.takings import DynamoTakings
from cli.sheets import Style, write
from cli.statements import report, statement
from poker_engine.legal import options
from poker_engine.stakes import no_limit, table_settings
from poker_engine.state import Table
from tests.releases.__main__ import Memory
from tests.room.random_room import something
from tests.room.world import TABLE, World
from tests.simulation.wire import wired

FILE: Final = Path(__file__).parents[2] / "web/client/test/statements.json"
PLAYERS: Final = ("p0", "p1", "p2", "p3")
HOUR: Final = 3_600_000
ZONE: Final = Zone("Europe/Berlin")
BEGINS: Final = "2024-03-29T20:00+00:00"
"""Before the day on which clocks go forward there."""
SEED: Final = 1
PAGE: Final = 20
"""Entries in one answer, so that there are some answers."""

type Json = dict[str, Any]


def played(seed: int, begins: int, zone: Zone) -> World:
    """Two tables, two currencies; some days, with hands over midnight and void ones."""
    world, dice = World(seed=seed), Random(seed)
    world.clock.go_to(begins)
    for player in PLAYERS:
        world.connect(player, player)
        world.fund(player, currency="USD", amount=1_000_000)
    assert open_table(world.tables, "u", table_settings(no_limit("USD", 100)), world.clock.now())
    midnights = 0
    for turn in range(130):
        something(world, dice, dice.choice(PLAYERS), turn)
        if turn % 6 == 0:
            _at_the_other_table(world, dice, dice.choice(PLAYERS))
        running = world.stored().table.running is not None
        if running and turn // 30 > midnights:
            midnights += 1
            today = Days(zone=zone).day(world.clock.now())
            world.clock.go_to(midnight(today + timedelta(1), zone) + dice.randrange(2))
        elif running and turn % 60 < 5:
            world.dealer.void("t", "a test")
        elif turn % 8 == 0:
            world.clock.go(dice.randrange(4 * HOUR))
    world.dealer.apply("t")
    world.play_out()
    world.dealer.void("u", "a test")
    return world


def _at_the_other_table(world: World, dice: Random, player: str) -> None:
    stored = world.tables.load("u")
    assert stored is not None
    if stored.table.seat_of(player) is None:
        world.say(player, "sit", table="u", seat=PLAYERS.index(player), chips=20_000, post=True)
        return
    due = stored.table.next_hand_at
    if stored.table.running is None and due is not None:
        world.clock.go_to(max(world.clock.now(), due))
    while (table := _now(world, "u")).running is not None:
        may, turn = options(table), table.running.turn
        assert may
        assert turn
        seat = table.seats[turn.seat]
        assert seat is not None
        fields: dict[str, Any] = {"do": "check" if may.check else "call"}
        if may.max_to is not None and dice.random() < 0.2:
            fields = {"do": str(may.verb), "to": may.max_to}
        fields |= {"table": "u", "hand": table.hands, "turn": turn.number}
        assert isinstance(world.say(seat.player, "act", **fields), Ok)
    if dice.random() < 0.3:
        world.say(player, "leave", table="u")


def _now(world: World, name: str) -> Table:
    """The table, with what is due."""
    applied = world.dealer.apply(name)
    assert isinstance(applied, Applied)
    return applied.stored.table


class Ledgers(DynamoTakings):
    """As the operator reads them; but who booked an entry is told as a player is."""

    def entries(self, name: str) -> list[Entry]:
        return [
            one if one.who in (name, statements.TABLE) else replace(one, who=statements.HOUSE)
            for one in super().entries(name)
        ]


def recorded() -> Json:
    """Of two players: all that they are told, each hand's result, and the operator's CSV over all
    days, over each day, and over some.
    """
    begins = int(datetime.fromisoformat(BEGINS).timestamp()) * 1000
    world = played(SEED, begins, ZONE)
    now, ledgers = world.clock.now(), Ledgers(TABLE, world.tables._client)
    days = Days(zone=ZONE)
    first, last = days.day(begins), days.day(now)
    each = [first + timedelta(number) for number in range((last - first).days + 1)]
    spans: list[tuple[date | None, date | None]] = [(None, None), (None, each[1]), (each[2], None)]
    spans += [(day, day) for day in (first - timedelta(1), *each, last + timedelta(1))]
    told: Json = {"zone": ZONE.name, "tables": dict(_tables(ledgers)), "players": {}}
    for player in PLAYERS[:2]:
        files = []
        for begin, end in spans:
            out = io.StringIO()
            mine = statement(ledgers, player, Days(begin, end, ZONE), now)
            write(report(mine), Style.CSV, out)
            span = {"from": begin and str(begin), "to": end and str(end)}
            files.append({**span, "csv": out.getvalue()})
        told["players"][player] = {"ledger": list(_pages(world, player)), "statements": files}
    return told


def _pages(world: World, player: str) -> Iterator[Json]:
    fields: Json = {"zone": ZONE.name}
    while True:
        page = _asked(world, player, "ledger", fields).ledger
        assert page is not None
        yield page
        if page["next"] is None:
            return
        fields["after"] = page["next"]


def _tables(ledgers: Ledgers) -> Iterator[tuple[str, Json]]:
    """Each hand: when and on which day it ended, and the net and rake of each who was dealt in."""
    days = Days(zone=ZONE)
    for table in ledgers.tables():
        hands = []
        for record in ledgers.records(table):
            assert not isinstance(record, Unreadable)
            hands.append([record.ended, str(days.day(record.ended)), _outcomes(record)])
        yield table, {"stake": ledgers.stake(table), "hands": hands}


def _outcomes(record: HandRecord) -> Json:
    found = {player: outcome(record, player) for player in PLAYERS[:2]}
    return {name: [one.net, one.rake] for name, one in found.items() if one is not None}


def number_of(entry: Json) -> int:
    """Of its wallet."""
    number: int = entry["number"]
    return number


def ledger_of(world: World, player: str, zone: str) -> tuple[list[Json], list[Json]]:
    """All entries, and the wallets as the first answer told them."""
    entries: list[Json] = []
    wallets: list[Json] | None = None
    fields: Json = {"zone": zone}
    while True:
        page = _asked(world, player, "ledger", fields).ledger
        assert page is not None
        entries += page["entries"]
        wallets = page["wallets"] if wallets is None else wallets
        if page["next"] is None:
            return entries, wallets
        fields["after"] = page["next"]


def results_of(world: World, player: str, zone: str, table: str) -> dict[str, Json]:
    """From the first hand to the last, by day."""
    days: dict[str, Json] = {}
    fields: Json = {"zone": zone, "table": table}
    while True:
        page = _asked(world, player, "results", fields).results
        assert page is not None
        assert page["unreadable"] == []
        for one in page["days"]:
            sums = days.setdefault(one["day"], {"hands": 0, "net": 0, "rake": 0})
            for name in sums:
                sums[name] += one[name]
        if page["next"] is None:
            return days
        fields["hand"] = page["next"]


def _asked(world: World, player: str, route: str, fields: Json) -> Ok:
    reply = world.say(player, route, **fields)
    assert isinstance(reply, Ok), reply
    return reply


def text() -> str:
    """Of the file, all of it from the seed."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        os.environ.setdefault(name, "testing")
    os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
    with wired(Memory()), patch.object(statements, "ENTRIES", PAGE):
        return json.dumps(recorded(), separators=(",", ":"), indent=None) + "\n"


if __name__ == "__main__":
    FILE.write_text(text())
