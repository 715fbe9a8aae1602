"""What a hand's log is mostly made of, in fewer bytes: the second schema of events, as JSON.

An action and a post are named by what was done. Chips that an action took are left out where they
are the usual ones, and so is the time between a deadline and its expiry at the usual grace.

    ["act", 7, "call", 2000, 2000]            ["call", 7, 2000]
    ["act", 5, "raise", 4000, 3000]           ["raise", 5, 4000, 3000]
    ["act", 6, "check", 2000]                 ["check", 6, 2000]
    ["post", 3, "small_blind", 1000]          ["small_blind", 3, 1000]
    ["turn", 4, 9, 1700000748010, 1990]       ["turn", 4, 9, 1700000748010]

The names stand here anew, not as the engine's enums: what is stored changes by a new schema only.
"""

from typing import Any, Final

type Json = Any

BETS: Final = frozenset({"call", "bet", "raise"})
"""Usually the first chips that its seat puts in on the street: it took what then is there."""
ACTIONS: Final = frozenset({"fold", "check"}) | BETS
POSTS: Final = frozenset({"ante", "small_blind", "big_blind", "live", "dead"})
AT: Final = {"turn": 3, "bank": 2}
"""Where an event of this tag has its deadline; after it comes the time until it expires."""


def terse(event: list[Json]) -> list[Json]:
    """An event of the first schema as one of the second.

    Raises ValueError, TypeError or LookupError where it is none.
    """
    tag = event[0]
    if tag == "act":
        _, seat, do, *rest = event
        if do not in ACTIONS:
            raise ValueError("not an action")
        to, paid, *more = _padded(rest)
        if more or paid != _usual(do, to):
            return [do, seat, to, paid, *more]
        return [do, seat, to] if to else [do, seat]
    if tag == "post":
        _, seat, post, *rest = event
        if post not in POSTS:
            raise ValueError("not a post")
        return [post, seat, *rest]
    if tag in ACTIONS or tag in POSTS:
        raise ValueError("an event of a later schema")
    place = AT.get(tag)
    if place is not None and len(event) == place + 2 and event[-1] == _span(event[place]):
        return event[:-1]
    return event


def plain(event: list[Json]) -> list[Json]:
    """The way back.

    Raises ValueError, TypeError or LookupError where it is no event of the second schema.
    """
    tag, *rest = event
    if tag in ACTIONS:
        seat, *amounts = rest
        to, paid, *more = amounts if len(amounts) > 1 else _alone(tag, amounts)
        event = ["act", seat, tag, to, paid, *more]
        while event[-1] == 0 and len(event) > 3:
            del event[-1]
        return event
    if tag in POSTS:
        seat, *rest = rest
        return ["post", seat, tag, *rest]
    if tag in ("act", "post"):
        raise ValueError("an event of an earlier schema")
    place = AT.get(tag)
    if place is not None and len(event) == place + 1:
        return [*event, _span(event[place])]
    return event


def _padded(amounts: list[Json]) -> list[Json]:
    """`to` and `paid`, which are left out where they are 0, and what comes after them."""
    return amounts + [0] * (2 - len(amounts))


def _alone(do: str, amounts: list[Json]) -> list[Json]:
    to = amounts[0] if amounts else 0
    return [to, _usual(do, to)]


def _usual(do: str, to: Json) -> Json:
    """What an action that made the seat's total of the street this one has taken."""
    return to if do in BETS else 0


def _span(deadline: Json) -> Json:
    """Milliseconds to the first whole second after a deadline and a second of grace."""
    # `%` fills a text out, to whatever length it says.
    if type(deadline) is not int:
        raise TypeError("not a moment")
    return 2_000 - deadline % 1_000
