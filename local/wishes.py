"""What a player types, made into a request, by the choices that the server sent with the turn."""

from dataclasses import dataclass, field
from typing import Any, Final

from cardroom.messages import MAX_CHIPS
from local.money import parsed, printable, shown
from local.table_view import Json, TableView

HELP: Final = (
    "fold (f), check (k), call (c), bet 5 (b), raise 12.50 (r, the total to raise to), all-in (a), "
    "sit out (o), sit in (i), top up 50 (t), show (s: your cards), leave (l), help (h)."
)
_WORDS: Final = {
    "f": "fold", "k": "check", "x": "check", "c": "call", "b": "bet", "r": "raise",
    "a": "all-in", "allin": "all-in", "all": "all-in", "o": "sit-out", "out": "sit-out",
    "i": "sit-in", "in": "sit-in", "t": "top-up", "topup": "top-up", "s": "show", "l": "leave",
    "q": "leave", "quit": "leave", "exit": "leave", "h": "help", "?": "help",
}  # fmt: skip
_PAIRS: Final = {
    ("all", "in"): "all-in",
    ("sit", "out"): "sit-out",
    ("sit", "in"): "sit-in",
    ("top", "up"): "top-up",
    ("raise", "to"): "raise",
    ("r", "to"): "raise",
}
_WITH_AMOUNT: Final = ("bet", "raise", "top-up")
_ACTS: Final = ("fold", "check", "call", "bet", "raise", "all-in")
_OTHERS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "sit-out": ("sitout", {"when": "now"}),
    "sit-in": ("sitin", {"post": True}),
    "leave": ("leave", {"when": "now"}),
    "show": ("show", {"cards": [0, 1]}),
}


class Refusal(Exception):
    """What was typed cannot be sent; the text is one sentence that says why."""


@dataclass(frozen=True)
class Wish:
    """A request to send: its route and fields, the table apart."""

    route: str
    fields: dict[str, Any] = field(default_factory=dict)


def understood(line: str, view: TableView) -> Wish:
    """The request that the line asks for; the route "help" asks for the list of words. Raises
    Refusal.
    """
    words = line.lower().split()
    if not words:
        raise Refusal("Type what you want to do, or help.")
    verb, rest = _verb(words)
    if verb not in (*_ACTS, *_OTHERS, "top-up", "help"):
        raise Refusal(f"{printable(words[0])!r} is no command: type help for the list.")
    if verb not in _WITH_AMOUNT and rest:
        raise Refusal(f"{verb.replace('-', ' ')} takes nothing after it.")
    if verb == "help":
        return Wish("help")
    if verb in _OTHERS:
        route, fields = _OTHERS[verb]
        return Wish(route, dict(fields))
    currency = str(view.settings["currency"])
    if verb == "top-up":
        return Wish("topup", {"chips": chips(_amount(verb, rest), currency)})
    turn = view.turn
    if turn is None or turn["seat"] != view.mine:
        raise Refusal("It is not your turn.")
    fields = _act(verb, rest, view, turn, currency)
    return Wish("act", {"hand": turn["hand"], "turn": turn["number"], **fields})


def _verb(words: list[str]) -> tuple[str, list[str]]:
    pair = _PAIRS.get((words[0], words[1])) if len(words) > 1 else None
    if pair is not None:
        return pair, words[2:]
    return _WORDS.get(words[0], words[0]), words[1:]


def _amount(verb: str, rest: list[str]) -> int:
    if len(rest) != 1:
        raise Refusal(f"Say one amount: {verb.replace('-', ' ')} 12.50.")
    try:
        return parsed(rest[0])
    except ValueError as error:
        raise Refusal(str(error)) from None


def chips(amount: int, currency: str) -> int:
    """The amount, if a message can carry it. Raises Refusal."""
    if amount < 1:
        raise Refusal("An amount is more than 0.")
    if amount > MAX_CHIPS:
        raise Refusal(f"{shown(amount, currency)} is too large.")
    return amount


def _act(verb: str, rest: list[str], view: TableView, turn: Json, currency: str) -> dict[str, Any]:
    to_call, least, most = turn["to_call"], turn["min_to"], turn["max_to"]
    price = shown(to_call, currency)
    if verb == "check" and not turn["check"]:
        raise Refusal(f"You cannot check: call {price} or fold.")
    if verb == "call" and not to_call:
        raise Refusal("There is nothing to call: you may check.")
    if verb in ("fold", "check", "call"):
        return {"do": verb}
    if verb == "all-in":
        return _all_in(view, turn, currency)
    amount = _amount(verb, rest)
    if least is None:
        rather = f"call {price} or fold" if to_call else "check"
        raise Refusal(f"You cannot {verb} here: {rather}.")
    if verb != turn["verb"]:
        other = "There is a bet already" if verb == "bet" else "Nobody has bet yet"
        to = "to " if turn["verb"] == "raise" else ""
        only = "" if least == most else " or more"
        raise Refusal(f"{other}: {turn['verb']} {to}{shown(least, currency)}{only}.")
    if not least <= amount <= most:
        to = "to " if verb == "raise" else ""
        if least == most:
            raise Refusal(f"You may {verb} {to}{shown(least, currency)} only.")
        low, high = shown(least, currency), shown(most, currency)
        raise Refusal(f"You may {verb} {to}{low} at least and {high} at most.")
    return {"do": verb, "to": amount}


def _all_in(view: TableView, turn: Json, currency: str) -> dict[str, Any]:
    seat = view.seats[turn["seat"]] or {}
    whole = seat.get("bet", 0) + seat.get("stack", 0)
    if turn["max_to"] == whole:
        return {"do": turn["verb"], "to": whole}
    if turn["call_to"] == whole and turn["to_call"]:
        return {"do": "call"}
    if turn["max_to"] is not None:
        raise Refusal(f"You cannot put all in: the most is {shown(turn['max_to'], currency)}.")
    if turn["to_call"]:
        raise Refusal(f"You cannot put all in: call {shown(turn['to_call'], currency)} or fold.")
    raise Refusal("You cannot put all in: you may check.")
