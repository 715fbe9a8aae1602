"""A table as text for a terminal of 80 columns or fewer, with or without colour.

Texts of others (names above all) are stripped of everything that could steer a terminal.
"""

import unicodedata
from typing import Final

from cli.printable import printable
from local.money import shown
from local.page import WIDTH, Page, columns, fitted
from local.table_view import Json, TableView

NAME: Final = 16
SHORT_NAME: Final = 8
"""Where there are fewer than 80 columns."""
YOU: Final = "You"
LEAST_BANK: Final = 1_000
"""Milliseconds; a time bank is used by whole seconds."""
WATCHING: Final = "You watch: sit takes the first free seat, sit 3 another; lobby goes back."
_COLOURS: Final = {"h": "31", "d": "34", "c": "32", "s": "0", "turn": "7", "dim": "2"}
_STATUS: Final = {
    "waiting": "waits for the big blind",
    "posting": "about to post",
    "out": "sits out",
}
_BACK: Final = {
    "waiting": "sits in, to wait for the big blind",
    "posting": "sits in, to post a blind",
}
_BETS: Final = ("small_bet", "big_bet")
_PREPARED: Final = {
    "check_fold": "check, or fold to a bet",
    "call": "call",
    "fold": "fold",
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

    def page(
        self, view: TableView, now: int, width: int = WIDTH, foot: list[str] | None = None
    ) -> Page:
        """The whole screen, `foot` at its end. `now` is the server's clock in milliseconds."""
        if view.seq < 0:
            return Page(["Waiting for the table ..."], foot=foot or [])
        currency = self._currency(view)
        mine = view.mine
        now -= view.late_ms
        table = [self._heading(view), ""]
        for number in range(len(view.seats)):
            table += self._seat(view, number, mine, currency, width)
        table += ["", *self._middle(view, currency), *self._notes(view)]
        if view.hole:
            table.append(f"Your cards: {self.cards(view.hole)}")
        table += [*self._own_state(view, mine, currency), *self._own_wishes(view, currency)]
        if view.running is not None or not view.state.get("frozen"):
            table.append(self._whose_turn(view, mine, now, currency))
        return Page(table, [f"  {line}" for line in self.log(view)], foot or [])

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

    def log(self, view: TableView, since: int = 0) -> list[str]:
        """The hand so far, one line an event that is worth one; the first `since` left out."""
        currency = self._currency(view)
        names = ((event, _Names(players, view.player)) for event, players in view.told()[since:])
        lines = (self.event(event, who, currency) for event, who in names)
        return [line for line in lines if line is not None]

    def event(self, event: Json, names: "_Names", currency: str) -> str | None:
        """One event in words, or None."""
        who = names.of(event.get("seat"))
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
                    f"{names.of(seat)} {shown(chips, currency)}" for seat, chips in event["shares"]
                )
                rake = f" (rake {shown(event['rake'], currency)})" if event["rake"] else ""
                return f"{pot} {shown(event['amount'], currency)}: {parts}{rake}"
            case "hand_voided":
                return "The hand is void: all chips go back"
            case "seated":
                return does(who, f"sits down with {shown(event['chips'], currency)}")
            case "sat_out":
                return does(who, "sits out")
            case "sat_in":
                return does(who, _BACK.get(event["status"], "sits in"))
            case "topped_up":
                return does(who, f"tops up by {shown(event['chips'], currency)}")
            case "going":
                why = "is removed by the clock" if event["exit"] == "removed" else "is leaving"
                return does(who, why)
            case "seat_emptied":
                return f"{who} left the table"
            case "bank_opened":
                return does(who, "takes time from the bank")
            case "frozen":
                return "The table is frozen"
            case "thawed":
                return "The table goes on"
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

    def _heading(self, view: TableView) -> str:
        stakes = view.settings
        game = "No-limit" if stakes["game"] == "nl" else "Fixed-limit"
        # Fixed-limit is called by its bets, no-limit by its blinds (RULES 1).
        low, high = ("small_blind", "big_blind") if stakes["game"] == "nl" else _BETS
        title = printable(self.title or view.table, 24)
        limits = f"{shown(stakes[low])}/{shown(stakes[high])}"
        text = f"{title}  {game} hold'em {stakes['currency']} {limits}"
        hand = view.hand
        return text if hand is None else f"{text}  hand {hand['number']}"

    def _seat(
        self, view: TableView, number: int, mine: int | None, currency: str, width: int
    ) -> list[str]:
        seat = view.seats[number]
        turn = view.turn
        arrow = ">" if turn is not None and turn["seat"] == number else " "
        button = "D" if view.state.get("button") == number else " "
        if seat is None:
            return [f"{arrow}{number} {button} -"]
        most = NAME if width >= WIDTH else SHORT_NAME
        label = name(seat["player"], most) + (" (you)" if number == mine else "")
        pad = " " * max(0, most + 6 - columns(label))
        bet = f"bet {shown(seat['bet'], currency)}" if seat["bet"] else ""
        stack = shown(seat["stack"], currency)
        row = f"{arrow}{number} {button} {label}{pad} {stack:>10}  {bet:<14} "
        state = self._state_of(view, number, seat)
        if width < WIDTH:
            state = state.replace("the big blind", "BB")
        pieces = fitted(row + state, width, " " * 6)
        if not self.colour or arrow != ">":
            return pieces
        return [f"\x1b[{_COLOURS['turn']}m{piece}\x1b[0m" for piece in pieces]

    def _state_of(self, view: TableView, number: int, seat: Json) -> str:
        state = self._plays(view, number, seat)
        if number not in view.away:
            return state
        return f"{state}, away" if state else "away"

    def _plays(self, view: TableView, number: int, seat: Json) -> str:
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

    def _notes(self, view: TableView) -> list[str]:
        """What is unusual about the table."""
        notes = []
        if view.state.get("frozen"):
            notes.append("The table is frozen: no new hand begins for now.")
        if view.state.get("closing"):
            notes.append("The table closes: no more hands after this one.")
        late = view.settings.get("delay_s", 0)
        if late and view.mine is None:
            notes.append(f"You see this table {late} s late.")
        return notes

    def _own_wishes(self, view: TableView, currency: str) -> list[str]:
        """What the player has told the room to do for him."""
        seat = view.own
        if seat is None:
            return []
        lines = []
        prepared = seat.get("pre")
        if prepared is not None:
            cost = min(prepared["price"] - seat["bet"], seat["stack"])
            amount = f" {shown(cost, currency)}" if prepared["do"] == "call" else ""
            lines.append(
                f"When it is your turn you {_PREPARED[prepared['do']]}{amount}: "
                "cancel takes that back."
            )
        if seat.get("refill"):
            lines.append(f"Before each hand you top up to {shown(seat['refill'], currency)}.")
        return lines

    def _own_state(self, view: TableView, mine: int | None, currency: str) -> list[str]:
        """What a player who gets no cards can do about it."""
        seat = None if mine is None else view.seats[mine]
        if seat is None:
            return [WATCHING] if view.player else []
        if seat["exit"] is not None or (seat["in_hand"] and view.running):
            return []
        if not seat["stack"] and (seat["status"] == "out" or not seat.get("refill")):
            least = max(1, view.settings["minimum"] - seat["topup"])
            return [
                f"You have no chips: type top up {shown(least)} or more, then sit in; or leave."
            ]
        return {
            "out": ["You sit out: type sit in to come back, or leave."],
            "waiting": ["You wait for the big blind: type sit in to post one and play sooner."],
            "posting": ["You post a blind and are dealt in as soon as your place allows it."],
        }.get(seat["status"], [])

    def _whose_turn(self, view: TableView, mine: int | None, now: int, currency: str) -> str:
        turn = view.turn
        if turn is None:
            start = view.state.get("next_hand_at")
            if view.running is None and start is not None:
                return f"Next hand in {_seconds(start, now)} s."
            return "Waiting for players." if view.running is None else "No more betting."
        left = f"{_seconds(turn['deadline'], now)} s"
        seat = view.seats[turn["seat"]]
        if view.in_bank:
            left += " of the time bank"
        elif turn["seat"] == mine and seat is not None and seat.get("bank", 0) >= LEAST_BANK:
            left += f", then {seat['bank'] // 1000} s of your time bank"
        if turn["seat"] == mine:
            return f"YOUR TURN ({left}): {self.options(turn, currency)}"
        whose = f"seat {turn['seat']}" if seat is None else name(seat["player"])
        return f"Turn: {whose} ({left})"


class _Names:
    """Who sat where when something happened."""

    def __init__(self, players: list[str | None], viewer: str) -> None:
        self._players = players
        self._viewer = viewer

    def of(self, number: int | None) -> str:
        player = None if number is None else self._players[number]
        if player is None:
            return f"seat {number}"
        return YOU if player == self._viewer else name(player)


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
        return self._screen.log(view, known)


def _seconds(until: int, now: int) -> int:
    return max(0, (until - now + 999) // 1000)
