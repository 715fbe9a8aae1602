"""A table as text for a terminal of 80 columns, with or without colour.

Texts of others (names above all) are stripped of everything that could steer a terminal.
"""

import re
import unicodedata
from typing import Final

from local.money import printable, shown
from local.table_view import Json, TableView

WIDTH: Final = 80
LOG_LINES: Final = 8
NAME: Final = 16
YOU: Final = "You"
_COLOURS: Final = {"h": "31", "d": "34", "c": "32", "s": "0", "turn": "7", "dim": "2"}
_ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")
_STATUS: Final = {
    "waiting": "waits for the big blind",
    "posting": "about to post",
    "out": "sits out",
}


def name(player: str, most: int = NAME) -> str:
    """A player's name, harmless and no wider than `most` columns."""
    kept, width = "", 0
    for one in printable(player, most * 4):
        if unicodedata.combining(one):
            continue
        wide = 2 if unicodedata.east_asian_width(one) in "WF" else 1
        if width + wide > most:
            return kept[:-1] + "~" if kept else "~"
        kept, width = kept + one, width + wide
    return kept


def columns(text: str) -> int:
    """How many columns the text takes on a terminal."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def fitted(line: str, indent: str = "  ") -> list[str]:
    """The line in pieces of at most 80 columns, broken at blanks."""
    if columns(_ESCAPE.sub("", line)) <= WIDTH:
        return [line]
    pieces, piece = [], ""
    for word in line.split(" "):
        longer = f"{piece} {word}" if piece else word
        if piece.strip() and columns(_ESCAPE.sub("", longer)) > WIDTH:
            pieces.append(piece)
            longer = indent + word
        piece = longer
    return [*pieces, piece]


def does(who: str, deed: str) -> str:
    """A sentence on somebody, or on "You": "folds" becomes "You fold"."""
    if who != YOU:
        return f"{who} {deed}"
    verb, _, rest = deed.partition(" ")
    verb = "are" if verb == "is" else verb.removesuffix("s")
    return f"{who} {verb} {rest}".rstrip()


class Screen:
    """Draws a table for the player whose view it is."""

    def __init__(self, *, colour: bool = False, title: str = "") -> None:
        self.colour = colour
        self.title = title

    def lines(self, view: TableView, now: int) -> list[str]:
        """The whole screen. `now` is the server's clock in milliseconds."""
        if view.seq < 0:
            return ["Waiting for the table ..."]
        currency = self._currency(view)
        mine = view.mine
        out = [self._heading(view), ""]
        out += [self._seat(view, number, mine, currency) for number in range(len(view.seats))]
        out += ["", *self._middle(view, currency)]
        if view.hole:
            out.append(f"Your cards: {self.cards(view.hole)}")
        out += [self._whose_turn(view, mine, now, currency), ""]
        out += [f"  {line}" for line in self.log(view)[-LOG_LINES:]]
        return [piece for line in out for piece in fitted(line)]

    def cards(self, texts: list[str]) -> str:
        if not self.colour:
            return " ".join(texts)
        return " ".join(f"\x1b[{_COLOURS[text[1]]}m{text}\x1b[0m" for text in texts)

    def options(self, turn: Json, currency: str) -> str:
        """What the turn allows, with amounts."""
        allowed = ["fold"]
        if turn["check"]:
            allowed.append("check")
        if turn["to_call"]:
            allowed.append(f"call {shown(turn['to_call'], currency)}")
        if turn["verb"] is not None and turn["min_to"] is not None:
            least, most = shown(turn["min_to"], currency), shown(turn["max_to"], currency)
            to = "" if turn["verb"] == "bet" else "to "
            amounts = least if turn["min_to"] == turn["max_to"] else f"{least} .. {most}"
            allowed.append(f"{turn['verb']} {to}{amounts}")
        return " | ".join(allowed)

    def log(self, view: TableView) -> list[str]:
        """The hand so far, one line an event that is worth one."""
        currency = self._currency(view)
        lines = (self.event(view, event, currency) for event in view.log)
        return [line for line in lines if line is not None]

    def event(self, view: TableView, event: Json, currency: str) -> str | None:
        """One event in words, or None."""
        who = self._who(view, event.get("seat"))
        match event["e"]:
            case "hand_started":
                return f"Hand {event['number']}, button seat {event['button']}"
            case "posted":
                post = str(event["post"]).replace("_", " ")
                return does(who, f"posts {post} {shown(event['amount'], currency)}")
            case "acted":
                return does(who, self._deed(event, currency))
            case "board_dealt":
                return f"{str(event['street']).capitalize()}: {self.cards(event['cards'])}"
            case "returned":
                return does(
                    who, f"takes back {shown(event['amount'], currency)}, which nobody called"
                )
            case "shown":
                return does(who, f"shows {self.cards(event['cards'])}")
            case "mucked":
                return does(who, "mucks")
            case "pot_won":
                pot = "main pot" if event["pot"] == 0 else f"side pot {event['pot']}"
                parts = ", ".join(
                    f"{self._who(view, seat)} {shown(chips, currency)}"
                    for seat, chips in event["shares"]
                )
                rake = f" (rake {shown(event['rake'], currency)})" if event["rake"] else ""
                return f"{pot} {shown(event['amount'], currency)}: {parts}{rake}"
            case "hand_voided":
                return "The hand is void: all chips go back"
            case "seated":
                return does(who, f"sits down with {shown(event['chips'], currency)}")
            case "sat_out":
                return does(who, "sits out")
            case "going":
                why = "is removed by the clock" if event["exit"] == "removed" else "is leaving"
                return does(who, why)
            case "seat_emptied":
                return f"{name(event['player'])} is gone"
            case _:
                return None

    def _deed(self, event: Json, currency: str) -> str:
        do, to = event["do"], shown(event["to"], currency)
        deed = {
            "fold": "folds",
            "check": "checks",
            "call": f"calls {shown(event['paid'], currency)}",
            "bet": f"bets {to}",
            "raise": f"raises to {to}",
        }[do]
        why = {"expired": " (out of time)", "leaving": " (leaving)", "removed": " (removed)"}
        return deed + why.get(event["cause"], "")

    def _currency(self, view: TableView) -> str:
        return str(view.settings.get("currency", ""))

    def _who(self, view: TableView, number: int | None) -> str:
        seat = None if number is None else view.seats[number]
        if seat is None:
            return f"seat {number}"
        return YOU if seat["player"] == view.player else name(seat["player"])

    def _heading(self, view: TableView) -> str:
        stakes = view.settings
        game = "No-limit" if stakes["game"] == "nl" else "Fixed-limit"
        blinds = f"{shown(stakes['small_blind'])}/{shown(stakes['big_blind'], '')}"
        title = printable(self.title or view.table, 24)
        text = f"{title}  {game} hold'em {stakes['currency']} {blinds}"
        hand = view.hand
        return text if hand is None else f"{text}  hand {hand['number']}"

    def _seat(self, view: TableView, number: int, mine: int | None, currency: str) -> str:
        seat = view.seats[number]
        turn = view.turn
        arrow = ">" if turn is not None and turn["seat"] == number else " "
        button = "D" if view.state.get("button") == number else " "
        if seat is None:
            return f"{arrow}{number} {button} -"
        label = name(seat["player"]) + (" (you)" if number == mine else "")
        pad = " " * max(0, NAME + 6 - columns(label))
        bet = f"bet {shown(seat['bet'], currency)}" if seat["bet"] else ""
        stack = shown(seat["stack"], currency)
        row = f"{arrow}{number} {button} {label}{pad} {stack:>10}  {bet:<14} "
        row += self._state_of(view, number, seat)
        return f"\x1b[{_COLOURS['turn']}m{row}\x1b[0m" if self.colour and arrow == ">" else row

    def _state_of(self, view: TableView, number: int, seat: Json) -> str:
        hand = view.hand
        shown_cards = {} if hand is None else {one["seat"]: one["cards"] for one in hand["shown"]}
        if seat["exit"] is not None:
            return "leaving"
        if number in shown_cards:
            return self.cards(shown_cards[number])
        if seat["folded"] and view.running is not None:
            return "folded"
        if seat["in_hand"] and view.running is not None:
            return "all-in" if seat["all_in"] else ""
        return _STATUS.get(seat["status"], "")

    def _middle(self, view: TableView, currency: str) -> list[str]:
        hand = view.hand
        if hand is None:
            return ["No hand yet."]
        board = self.cards(hand["board"]) or "-"
        pots = [pot["amount"] for pot in hand.get("pots") or ()]
        pot = f"Pot: {shown(hand['pot'], currency)}"
        if len(pots) > 1:
            pot += " (" + " + ".join(shown(amount, currency) for amount in pots) + ")"
        return [f"Board: {board}", pot]

    def _whose_turn(self, view: TableView, mine: int | None, now: int, currency: str) -> str:
        turn = view.turn
        if turn is None:
            start = view.state.get("next_hand_at")
            if view.running is None and start is not None:
                return f"Next hand in {_seconds(start, now)} s."
            return "Waiting for players." if view.running is None else "No more betting."
        left = f"{_seconds(turn['deadline'], now)} s"
        if turn["seat"] == mine:
            return f"YOUR TURN ({left}): {self.options(turn, currency)}"
        return f"Turn: {self._who(view, turn['seat'])} ({left})"


class News:
    """The log as lines that come one after another, each once."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._known: tuple[int, int] = (0, 0)

    def lines(self, view: TableView) -> list[str]:
        """What the log has got since the last call."""
        hand = 0 if view.hand is None else int(view.hand["number"])
        known = self._known[1] if self._known[0] == hand else 0
        self._known = (hand, len(view.log))
        currency = str(view.settings.get("currency", ""))
        lines = (self._screen.event(view, event, currency) for event in view.log[known:])
        return [line for line in lines if line is not None]


def _seconds(until: int, now: int) -> int:
    return max(0, (until - now + 999) // 1000)
