"""`cardroom players export` and `erase`: what is kept of a player, to be given to him or erased."""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import UTC
from typing import Any, Final

from cardroom.bank import Order
from cardroom.days import moment
from cardroom.disputes import Dispute
from cardroom.money import Entry, Player, Standing
from cardroom.personal import Arrival, DynamoPersonal
from cardroom.spans import DAY_MS
from cardroom.systemclock import SystemClock
from cli.outputs import into
from cli.served import Failed

NOT_HERE: Final = (
    "his hands: cardroom hands export --player NAME --as player NAME --format ohh",
    "his address of mail and his password: the user pool has them",
)
"""What the room has besides, and where it is to be had."""


def export(args: argparse.Namespace, player: Player, personal: DynamoPersonal) -> None:
    """Writes it as JSON. Raises DamagedError and OSError."""
    text = json.dumps(told(player, personal, SystemClock().now()), indent=2, ensure_ascii=False)
    with into(args.out) as out:
        out.write(f"{escaped(text)}\n")


def escaped(text: str) -> str:
    """JSON that steers no terminal: what would, which only stands in its texts, as JSON says it."""
    return "".join(
        one if one.isprintable() or one == "\n" else json.dumps(one)[1:-1] for one in text
    )


def told(player: Player, personal: DynamoPersonal, now: int) -> dict[str, Any]:
    """All that is kept under his name; moments in UTC, amounts in minor units."""
    limits = personal.limits(player.name)
    session = personal.session(player.name)
    return {
        "player": player.name,
        "created": _iso(player.created),
        "standing": {"is": str(player.standing), "since": _iso(player.at), "why": player.why},
        "wallets": {one.currency: one.balance for one in player.wallets},
        "ledger": [_booked(one) for one in personal.entries(player.name)],
        "limits": json.loads(limits.dump()) if limits.version else None,
        "last visit": session and {"from": _iso(session.began), "to": _iso(session.seen)},
        "tables left": [
            {
                "table": one.table,
                "chips": one.left.chips,
                "at": _iso(one.left.at),
            }
            for one in personal.left_tables(player.name)
        ],
        "connections came from": days(personal.arrivals_of(player.name, now)),
        "disputed hands": [_disputed(one) for one in personal.disputes_of_player(player.name)],
        "not in this file": [one.replace("NAME", player.name) for one in NOT_HERE],
    }


def days(arrivals: Iterable[Arrival]) -> dict[str, str]:
    """By day (UTC), in words: what is kept are hashes, which say nothing to anybody."""
    found: dict[int, list[Arrival]] = defaultdict(list)
    for one in arrivals:
        found[one.day].append(one)
    said = {}
    for day, those in sorted(found.items()):
        addresses = len({one.address for one in those})
        devices = len({one.device for one in those if one.device})
        text = f"{addresses} {'address' if addresses == 1 else 'addresses'}"
        if devices:
            text += f", {devices} {'device' if devices == 1 else 'devices'} that had a name"
        said[f"{moment(day * DAY_MS, UTC):%Y-%m-%d}"] = f"{text}, as hashes"
    return said


def _booked(one: Entry) -> dict[str, Any]:
    """Without who did it, as in his statement: of the room's people nothing is told."""
    told = {**asdict(one), "kind": str(one.kind), "at": _iso(one.at)}
    del told["who"]
    return told


def _disputed(one: Dispute) -> dict[str, Any]:
    return {
        "hand": f"{one.table}/{one.hand}",
        "at": _iso(one.at),
        "text": one.text,
        "answered": {"at": _iso(one.closed), "word": one.word} if one.closed else None,
    }


def _iso(at: int) -> str:
    """Milliseconds as ISO 8601, in UTC."""
    return moment(at, UTC).isoformat(timespec="seconds")


def erase(player: Player, order: Order, personal: DynamoPersonal) -> list[str]:
    """What it says. Raises Failed."""
    if player.standing is not Standing.CLOSED:
        raise Failed(f"{player.name} is {player.standing}: close his account first")
    stands = replace(player, at=SystemClock().now(), who=order.who, why=order.why)
    gone = personal.erase(stands)
    return [
        f"{player.name} is erased: {gone.arrivals} arrivals, {gone.disputes} disputes, "
        f"{gone.others} of limits, last visit and leavings",
        "  kept: his name, his ledger, and what he did in hands, by the name that he had",
        "  not here: his address of mail, which the user pool keeps until you delete him there",
    ]
