"""What must hold in the end, when all has been calm for a while."""

import json
from collections.abc import Iterable
from typing import Any, Final

from cardroom.alarm import current_hand
from poker_engine.views import snapshot
from tests.simulation.client import Client
from tests.simulation.laws import Laws
from tests.simulation.secrecy import OWN

PARTS: Final = ("seats", "button", "hands", "next_hand_at", "turn", "closing", "frozen")
"""Of a snapshot: what pushes keep up to date."""


def at_rest(laws: Laws, clients: Iterable[Client]) -> None:
    """Before anybody asks anything more: what the room has told of its own."""
    cloud, everyone = laws.cloud, list(clients)
    for client in everyone:
        if not client.connection:
            laws.fail(f"{client.name} did not come back")
    live = {client.connection: client.player for client in everyone}
    begun = laws.counts["hands"]
    running = sum(stored.table.running is not None for stored in laws.tables.values())
    if laws.counts["hands ended"] + laws.counts["hands voided"] != begun - running:
        laws.fail("a hand neither ended nor was voided")
    laws.subscriptions.in_the_end(live)
    laws.subscriptions.rows()
    laws.waits.ended()
    for name, stored in laws.tables.items():
        hand = current_hand(stored.table)
        if hand is None or (name, hand) in cloud.struck_clocks:
            continue  # One that has died is missed by nobody while all act in time.
        if (stored.table.next_hand_at or 0) > cloud.now:
            continue  # Planned just now, perhaps: its news may be on the way.
        if not cloud.running_clocks[name, hand]:
            laws.fail(f"{name}: no clock runs for hand {hand}")
    for client in everyone:
        for name, view in client.views.items():
            wanted = laws.subscriptions.away_of(name, client.connection)
            fresh = view.seq == laws.tables[name].table.seq and client.watches(name)
            if wanted is None or view.mine is None or not fresh:
                continue
            laws.counts["presence compared"] += 1
            if sorted(view.away) != wanted:
                laws.fail(f"{client.name}: {sorted(view.away)} of {name} are away, not {wanted}")


def at_last(laws: Laws, clients: Iterable[Client]) -> None:
    """When everybody has asked once more: all is paid, and everybody knows what is stored."""
    for name, stored in laws.tables.items():
        if stored.leaving:
            laws.fail(f"{name}: somebody has not been paid")
    for client in clients:
        for name, view in client.views.items():
            stored = laws.tables[name]
            if view.seq != stored.table.seq:
                continue  # It plays on: a push is on its way.
            laws.counts["views compared"] += 1
            seat = stored.table.seat_of(client.player) if client.player else None
            wanted = _known(snapshot(stored.table, seat, None, laws.cloud.now)["state"])
            known = _known(view.state)
            for part in PARTS:
                if part == "turn" and seat is None and stored.table.settings.delay_s:
                    continue  # Who has just left is not told whose turn it is.
                if part == "seats" and not laws.subscriptions.told(name, client.connection):
                    # What only his seat is told comes with the next push, where one was lost.
                    known[part], wanted[part] = _public(known[part]), _public(wanted[part])
                if known[part] != wanted[part]:
                    how = _differs(known[part], wanted[part])
                    laws.fail(f"{client.name} has other {part} of {name}: {how}")


def _known(state: dict[str, Any]) -> dict[str, Any]:
    known: dict[str, Any] = json.loads(json.dumps({part: state.get(part) for part in PARTS}))
    return known


def _public(seats: list[dict[str, Any] | None]) -> list[dict[str, Any] | None]:
    return [
        seat and {name: value for name, value in seat.items() if name not in OWN} for seat in seats
    ]


def _differs(known: Any, wanted: Any) -> str:
    """Where two values part."""
    if isinstance(known, dict) and isinstance(wanted, dict):
        names = [name for name in wanted | known if known.get(name, "") != wanted.get(name, "")]
        return ", ".join(
            f"{name} {_differs(known.get(name, 'nothing'), wanted.get(name, 'nothing'))}"
            for name in names
        )
    if isinstance(known, list) and isinstance(wanted, list) and len(known) == len(wanted):
        several = [(n, a, b) for n, (a, b) in enumerate(zip(known, wanted, strict=True)) if a != b]
        return ", ".join(f"{number}: {_differs(one, other)}" for number, one, other in several)
    return f"{known} is not {wanted}"
