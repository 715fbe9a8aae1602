"""What a player has done on a turn that is over, told from the hand's log."""

from typing import Final

from cardroom.errors import Refused, RoomCode
from cardroom.soundness import events_of
from cardroom.stored import Stored
from poker_engine.events import Acted, TurnBegan
from poker_engine.state import Cause, Do

WITH_AMOUNT: Final = (Do.CALL, Do.BET, Do.RAISE)


def already_acted(stored: Stored, player: str, hand: int, turn: int) -> Refused | None:
    """Why he cannot act on this turn: he has done so himself, on another device.

    None where he has not, or where the log is that of another hand.
    """
    table, seat = stored.table, stored.table.seat_of(player)
    occupant = None if seat is None else table.seats[seat]
    if table.hand is None or table.hand.number != hand:
        return None
    if occupant is None or not occupant.standing.played:
        # Who took the seat after the hand has not acted in it.
        return None
    his = False
    for event in events_of(stored.log):
        if isinstance(event, TurnBegan):
            his = (event.number, event.seat) == (turn, seat)
        elif his and isinstance(event, Acted):
            return _told(event) if event.cause is Cause.OWN else None
    return None


def _told(event: Acted) -> Refused:
    told = f"you have acted on this turn already: {event.do}"
    if event.do not in WITH_AMOUNT:
        return Refused(RoomCode.ALREADY_ACTED, told)
    return Refused(RoomCode.ALREADY_ACTED, f"{told} to {event.to}", {"to": event.to})
