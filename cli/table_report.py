"""What `cardroom tables show` prints of a table."""

from collections.abc import Iterator

from cardroom.listing import State, row_of
from cardroom.pace import Pace
from cardroom.store import DynamoTables
from cardroom.stored import Meta, Stored
from cli.players import when
from cli.printable import printable
from cli.served import Failed
from cli.tables import described
from local.money import shown
from poker_engine.state import Exit, Seat, Status

STATUSES = {
    Status.ACTIVE: "plays",
    Status.WAITING: "waits for the big blind",
    Status.POSTING: "posts to come in",
    Status.OUT: "sits out",
}
EXITS = {
    Exit.LEFT: "leaves when the hand is over",
    Exit.REMOVED: "removed by the clock when the hand is over",
    Exit.SAT_OUT: "has sat out for too long",
    Exit.CLOSED: "paid out when the hand is over",
}


def report(tables: DynamoTables, table_id: str) -> list[str]:
    """Its state, stakes, seats, pace and chips, line by line. Raises Failed if there is no such
    table.
    """
    stored, meta = tables.load(table_id), tables.meta(table_id)
    if stored is None or meta is None:
        raise Failed(f"{printable(table_id)}: there is no such table")
    return [f"{name:8}  {text}" for name, text in _lines(stored, meta)]


def _lines(stored: Stored, meta: Meta) -> Iterator[tuple[str, str]]:
    table, settings = stored.table, stored.table.settings
    yield "table", f"{stored.table_id}, {_state(stored)}"
    by = f"by itself, after {meta.base}" if meta.base else "by an operator"
    yield "opened", f"{when(meta.at)} UTC {by}"
    more = f"up to {meta.most} of these stakes open by themselves" if meta.most > 1 else "alone"
    yield "more", more
    yield "stakes", f"{described(settings)}, {settings.stakes.structure}"
    most = "without a maximum" if settings.maximum is None else f"to {shown(settings.maximum)}"
    yield "buy-in", f"{shown(settings.minimum)} {most}"
    bank = f", time bank {_seconds(settings.time_bank_ms)}" if settings.time_bank_ms else ""
    delay = f", spectators {settings.delay_s} s behind" if settings.delay_s else ""
    clocks = f"{_seconds(settings.clock_ms)} to act, {_seconds(settings.pause_ms)} between hands"
    yield "clock", f"{clocks}{bank}{delay}"
    taken = sum(seat is not None for seat in table.seats)
    yield "seats", f"{taken} of {len(table.seats)} taken"
    for number, seat in enumerate(table.seats):
        if seat is not None:
            yield f"  {number}", _seat(seat)
    yield "hands", _hands(stored)
    yield "pace", _pace(stored.pace)
    yield "chips", _chips(stored)
    for one in stored.leaving:
        yield "leaving", f"{one.player}: {shown(one.chips)}, since {when(one.at)} UTC"


def _state(stored: Stored) -> str:
    if stored.table.closed:
        return "closed"
    state = row_of(stored.table_id, stored.table, stored.pace).state
    return "closing" if state is State.CLOSING else str(state)


def _seat(seat: Seat) -> str:
    status = STATUSES[seat.standing.status] if seat.exit is None else EXITS[seat.exit]
    more = f" and {shown(seat.topup)} to come" if seat.topup else ""
    return f"{seat.player}: {shown(seat.stack)}{more}, {status}"


def _hands(stored: Stored) -> str:
    table = stored.table
    if table.running is not None:
        return f"{table.hands}, the last one is played"
    if table.next_hand_at is not None:
        return f"{table.hands}, the next one at {when(table.next_hand_at)} UTC"
    return f"{table.hands}"


def _pace(pace: Pace) -> str:
    parts = [
        None if pace.pot is None else f"average pot {shown(pace.pot)}",
        None if pace.flop is None else f"{pace.flop / 10:g}% see the flop",
        None if pace.hands_hour is None else f"{pace.hands_hour} hands an hour",
        None if pace.acting_ms is None else f"{_seconds(pace.acting_ms)} to act",
    ]
    return ", ".join(part for part in parts if part is not None) or "nothing is known yet"


def _chips(stored: Stored) -> str:
    """What is there, and what came and went: the difference is none, or the audit says so."""
    return (
        f"{shown(stored.chips)} at the table: {shown(stored.chips_in)} brought, "
        f"{shown(stored.chips_out)} paid out or raked"
    )


def _seconds(ms: int) -> str:
    return f"{ms / 1000:g} s"
