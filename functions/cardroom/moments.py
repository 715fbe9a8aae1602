"""When spectators are shown the table: at most six times a hand, as its record alone tells.

A hand's start, each street, its end and the first hand that is shown of free will after it; more
of these where the streets were fewer. While no hand runs or is set, whatever changes; but not that
somebody sits out, comes back or buys chips, which he might do all day.
"""

from cardroom.soundness import events_of
from poker_engine.events import (
    PRIVATE,
    BoardDealt,
    Closing,
    Event,
    HandEnded,
    HandScheduled,
    HandStarted,
    HandVoided,
    SatIn,
    SatOut,
    Shown,
    ToppedUp,
    TopUpPlayed,
)
from poker_engine.state import Table

AT_MOST = 6
"""Snapshots of one hand (DESIGN 7). One while a table closes has room: nobody shows after it."""

_COUNTED = (HandStarted, BoardDealt, HandEnded, HandVoided)
_ALWAYS = (*_COUNTED, Closing)
_NEVER = (*PRIVATE, SatIn, SatOut, ToppedUp, TopUpPlayed)


def is_moment(table: Table, events: tuple[Event, ...], log: str) -> bool:
    """Whether spectators are shown this write: the `table` it left, its public `events`, the text
    of the hand's `log` with them.
    """
    if any(isinstance(event, _ALWAYS) for event in events):
        return True
    if table.running is not None:
        return False
    if any(isinstance(event, HandScheduled) for event in events):
        return True
    if table.next_hand_at is None:
        return not all(isinstance(event, _NEVER) for event in events)
    return any(isinstance(event, Shown) for event in events) and _counted(log) <= AT_MOST


def _counted(log: str) -> int:
    """Moments of the hand so far, each by itself."""
    count, over = 0, False
    for event in events_of(log):
        count += isinstance(event, _COUNTED) or (over and isinstance(event, Shown))
        over = over or isinstance(event, HandEnded | HandVoided)
    return count
