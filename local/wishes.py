"""What a player types, made into a request: at a table by the choices that the server sent with
the turn, in the lobby by what it shows.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from cardroom.messages import MAX_CHIPS, MAX_HAND
from cli.printable import printable
from local.lobby_view import CURRENCIES, LobbyView
from local.money import parsed, shown
from local.table_view import Json, TableView

HELP: Final = (
    "fold (f), check (k), call (c), bet 5 (b), raise 12.50 (r, the total to raise to), all-in (a); "
    "before your turn: fold, check/fold (cf), call 20, cancel; sit out (o), sit in (i), "
    "top up 50 (t), auto top up 50 or off, show (s: your cards), dispute 17 WHY, leave (l), lobby, "
    "help (h)."
)
LOBBY_HELP: Final = (
    "watch TABLE (w), sit TABLE SEAT [CHIPS], quick STAKE [CHIPS], wait STAKE, unwait STAKE, "
    "take [CHIPS] (an offered seat), filter php limit free (f; off), list, account, "
    "limit loss 500 php, limit deposit off usd, remind 30, exclude 7 days, "
    "dispute TABLE HAND WHY, quit (q), help (h)."
)
MOST_DAYS: Final = 1826
MOST_TEXT: Final = 300
"""Characters of what is written to support."""
NOT_YOURS: Final = "It is not your turn."
_WORDS: Final = {
    "f": "fold", "k": "check", "x": "check", "c": "call", "b": "bet", "r": "raise",
    "a": "all-in", "allin": "all-in", "all": "all-in", "o": "sit-out", "out": "sit-out",
    "i": "sit-in", "in": "sit-in", "t": "top-up", "topup": "top-up", "s": "show", "l": "leave",
    "q": "leave", "quit": "leave", "exit": "leave", "h": "help", "?": "help",
    "check/fold": "check-fold", "cf": "check-fold", "autotopup": "auto", "home": "lobby",
}  # fmt: skip
_PAIRS: Final = {
    ("all", "in"): "all-in",
    ("sit", "out"): "sit-out",
    ("sit", "in"): "sit-in",
    ("top", "up"): "top-up",
    ("raise", "to"): "raise",
    ("r", "to"): "raise",
    ("check", "fold"): "check-fold",
}
_WITH_AMOUNT: Final = ("bet", "raise", "top-up", "call", "auto", "sit")
_ACTS: Final = ("fold", "check", "call", "bet", "raise", "all-in", "check-fold")
_OTHERS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "sit-out": ("sitout", {"when": "now"}),
    "sit-in": ("sitin", {"post": True}),
    "leave": ("leave", {"when": "now"}),
    "show": ("show", {"cards": [0, 1]}),
    "lobby": ("home", {}),
    "help": ("help", {}),
}
_LOBBY_WORDS: Final = {
    "w": "watch", "table": "watch", "f": "filter", "q": "quit", "l": "list", "ls": "list",
    "exit": "quit", "leave": "quit", "h": "help", "?": "help",
}  # fmt: skip
_ANYWHERE: Final = frozenset(
    {
        "watch",
        "w",
        "table",
        "quick",
        "wait",
        "unwait",
        "take",
        "account",
        "limit",
        "remind",
        "exclude",
    }
)
"""Words of the lobby that are understood at a table too."""


class Refusal(Exception):
    """What was typed cannot be sent; the text is one sentence that says why."""


@dataclass(frozen=True)
class Wish:
    """A request to send: its route and fields, the table apart.

    Not sent as they are: "help"; "home" to the lobby, "look" at a table, "seat" at one, "quick" at
    a stake, "take" what is offered; "filter", "list", "quit" in the lobby; "exclude" for days;
    "account" to be told; "dispute", with its table.
    """

    route: str
    fields: dict[str, Any] = field(default_factory=dict)


def understood(line: str, view: TableView, lobby: LobbyView | None = None) -> Wish:
    """What the line asks for at a table. Raises Refusal."""
    words = line.lower().split()
    if not words:
        raise Refusal("Type what you want to do, or help.")
    if words[0] == "dispute":
        return _dispute(line.split(None, 1)[1:], view.table)
    if words[0] in _ANYWHERE:
        return of_lobby(line, lobby or LobbyView())
    verb, rest = _verb(words)
    if verb not in (*_ACTS, *_OTHERS, "top-up", "auto", "cancel", "sit"):
        raise Refusal(f"{printable(words[0])!r} is no command: type help for the list.")
    if verb not in _WITH_AMOUNT and rest:
        raise Refusal(f"{verb.replace('-', ' ')} takes nothing after it.")
    if verb in _OTHERS:
        route, fields = _OTHERS[verb]
        return Wish(route, dict(fields))
    currency = str(view.settings["currency"])
    match verb:
        case "top-up":
            return Wish("topup", {"chips": chips(_amount(verb, rest), currency)})
        case "auto":
            return _auto_top_up(rest, currency)
        case "sit":
            return _seat(view.table, rest)
    turn = view.turn
    if turn is None or turn["seat"] != view.mine or verb == "cancel":
        return _beforehand(verb, rest, view, currency)
    fields = _act(verb, rest, view, turn, currency)
    return Wish("act", {"hand": turn["hand"], "turn": turn["number"], **fields})


def of_lobby(line: str, lobby: LobbyView) -> Wish:
    """What the line asks for in the lobby. Raises Refusal."""
    words = line.split()
    if not words:
        raise Refusal("Type what you want to do, or help.")
    verb, rest = words[0].lower(), words[1:]
    verb = _LOBBY_WORDS.get(verb, verb)
    match verb, rest:
        case "watch", [table]:
            return Wish("look", {"table": table.lower()})
        case "watch", _:
            raise Refusal("Say which table: watch php-5-10-1.")
        case "sit", [table, *more]:
            return _seat(table.lower(), more)
        case "sit", _:
            raise Refusal("Say which table and seat: sit php-5-10-1 3.")
        case "quick", _:
            structure, more = _stake(verb, rest, lobby)
            return Wish("quick", {"structure": structure, "chips": _optional(more)})
        case "wait" | "unwait", _:
            structure, more = _stake(verb, rest, lobby)
            if more:
                raise Refusal(f"{verb} takes nothing after the stake.")
            return Wish(verb, {"structure": structure})
        case "take", _:
            return Wish("take", {"chips": _optional(rest)})
        case "filter", _:
            return Wish("filter", {"words": [word.lower() for word in rest]})
        case "limit" | "remind" | "exclude", _:
            return _limits(verb, [word.lower() for word in rest])
        case "dispute", _:
            return _dispute(line.split(None, 1)[1:])
        case "help" | "list" | "quit" | "account", []:
            return Wish(verb)
        case "help" | "list" | "quit" | "account", _:
            raise Refusal(f"{verb} takes nothing after it.")
    raise Refusal(f"{printable(words[0])!r} is no command here: type help for the list.")


def _seat(table: str, rest: list[str]) -> Wish:
    """A seat of the table; without one the first that is free."""
    if rest and not (rest[0].isascii() and rest[0].isdigit()):
        raise Refusal("Say which seat by its number, then the chips: sit 3 50.")
    seat = int(rest[0][:4]) if rest else None
    return Wish("seat", {"table": table, "seat": seat, "chips": _optional(rest[1:])})


def _dispute(rest: list[str], here: str | None = None) -> Wish:
    """Of a hand of the table that is named, or of the one that is looked at; in his own words."""
    words = rest[0].split(None, 1) if rest else []
    if words and not words[0].isdigit():
        here, words = words[0].lower(), words[1].split(None, 1) if len(words) > 1 else []
    number = words[0] if words else ""
    if here is None or len(words) < 2 or not (number.isascii() and number.isdigit()):
        raise Refusal("Say which hand, and what was wrong: dispute php-5-10-1 17 my flush lost.")
    text = " ".join(words[1].split())
    if len(text) > MOST_TEXT or not text.isprintable():
        raise Refusal(f"Say it in {MOST_TEXT} characters, without signs that cannot be printed.")
    if not 1 <= int(number[:10]) <= MAX_HAND:
        raise Refusal(f"{printable(number)!r} is no number of a hand.")
    return Wish("dispute", {"table": here, "hand": int(number), "text": text})


def _optional(rest: list[str]) -> int | None:
    """The chips to sit down with, where they are said."""
    if not rest:
        return None
    return chips(_amount("chips", rest), "")


def _stake(verb: str, words: list[str], lobby: LobbyView) -> tuple[str, list[str]]:
    """The stake that the words begin with, as the room calls it, and what follows."""
    for many in range(len(words), 0, -1):
        stake = lobby.stake(" ".join(words[:many]))
        if stake is not None:
            return str(stake["structure"]), words[many:]
    if not words:
        raise Refusal(f"Say which stake: {verb} php-5-10.")
    raise Refusal(f"There is no stake {printable(words[0])!r} here: list shows them.")


def _auto_top_up(rest: list[str], currency: str) -> Wish:
    # "auto top up 50" and "auto 50" are the same.
    amount = rest[2:] if rest[:2] == ["top", "up"] else rest
    if amount in (["off"], ["0"]):
        return Wish("autotopup", {"to": 0})
    return Wish("autotopup", {"to": chips(_amount("auto-top-up", amount), currency)})


def _limits(verb: str, rest: list[str]) -> Wish:
    match verb, rest:
        case "limit", [("deposit" | "loss") as what, amount, currency]:
            if currency.upper() not in CURRENCIES:
                raise Refusal(f"{printable(currency)!r} is no currency: php or usd.")
            most = None if amount == "off" else chips(_amount(f"limit {what}", [amount]), "")
            return Wish("limits", {"currency": currency.upper(), f"{what}_day": most})
        case "remind", ["off"]:
            return Wish("limits", {"reminder_minutes": None})
        case "remind", [minutes]:
            return Wish("limits", {"reminder_minutes": _count(minutes, 24 * 60)})
        case "exclude", [days, "day" | "days", *sure] if sure in ([], ["yes"]):
            return Wish("exclude", {"days": _count(days, MOST_DAYS), "sure": bool(sure)})
    example = {"limit": "limit loss 500 php", "remind": "remind 30", "exclude": "exclude 7 days"}
    raise Refusal(f"Say it like this: {example[verb]}.")


def _count(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= most):
        raise Refusal(f"{printable(text)!r} is no number from 1 to {most}.")
    return int(text)


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


def _beforehand(verb: str, rest: list[str], view: TableView, currency: str) -> Wish:
    """What is to be done when one's turn comes, at the price of now."""
    seat, turn = view.own, view.turn
    playing = seat is not None and seat["in_hand"] and not seat["all_in"] and view.running
    if seat is None or turn is None or not playing or turn["seat"] == view.mine:
        raise Refusal("There is nothing to take back." if verb == "cancel" else NOT_YOURS)
    price = int(turn["price"])
    cost = min(price - seat["bet"], seat["stack"])
    match verb:
        case "check-fold":
            do = "check_fold"
        case "fold":
            do = "fold"
        case "cancel":
            do = "none"
        case "call" if cost <= 0:
            raise Refusal("There is nothing to call yet: check/fold is possible.")
        case "call" if not rest:
            raise Refusal(f"It is not your turn: call {shown(cost)} calls that when it is.")
        case "call":
            if _amount(verb, rest) != cost:
                raise Refusal(f"To call is {shown(cost, currency)} now, not {printable(rest[0])}.")
            do = "call"
        case _:
            raise Refusal(f"{NOT_YOURS} Possible are fold, check/fold, or call and an amount.")
    return Wish("preact", {"hand": turn["hand"], "price": price, "do": do})


def _act(verb: str, rest: list[str], view: TableView, turn: Json, currency: str) -> dict[str, Any]:
    to_call, least, most = turn["to_call"], turn["min_to"], turn["max_to"]
    price = shown(to_call, currency)
    if verb == "check" and not turn["check"]:
        raise Refusal(f"You cannot check: call {price} or fold.")
    if verb == "call" and not to_call:
        raise Refusal("There is nothing to call: you may check.")
    if verb == "call" and rest and _amount(verb, rest) != to_call:
        raise Refusal(f"To call is {price} now, not {printable(rest[0])}: call, raise or fold.")
    if verb in ("fold", "check", "call"):
        return {"do": verb}
    if verb == "check-fold":
        return {"do": "check" if turn["check"] else "fold"}
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
