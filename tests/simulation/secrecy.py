"""A law: no byte that a client is sent tells it what it may not know, or may not know yet."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from cardroom.limits import DEPOSIT, LOSS, limits_view
from poker_engine.cards import parse_cards, text
from poker_engine.events import HandStarted
from poker_engine.showdown import hole_cards
from poker_engine.state import Table
from poker_engine.views import push
from tests.simulation.purses import Purses
from tests.simulation.record import SKEW_MS, Call, Record
from tests.simulation.waits import Waits

CARD: Final = re.compile(rb'"([2-9TJQKA][cdhs])"')
OWN: Final = frozenset({"plan", "pre", "refill", "owes"})
"""Of a seat: what its player alone is told."""
PRIVATE: Final = frozenset({"planned", "refill_set", "prepared"})
"""Events of one seat alone."""

type Json = dict[str, Any]


@dataclass
class Cards:
    """Of a hand: what everybody may see by now, and what each player."""

    public: set[str] = field(default_factory=set)
    own: dict[str, set[str]] = field(default_factory=dict)
    of_seat: dict[int, set[str]] = field(default_factory=dict)
    """Whoever may see them."""


@dataclass
class Secrecy:
    record: Record
    purses: Purses
    waits: Waits
    cards: dict[tuple[str, int], Cards] = field(default_factory=lambda: defaultdict(Cards))
    """By table and number of the hand."""
    hand_at: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    """By table: at each seq the number of its last hand."""

    def dealt(self, name: str, table: Table, event: HandStarted, deck: str) -> None:
        """From here on its players may see their cards."""
        cards, opened = Cards(), parse_cards(deck)
        for seat in event.dealt:
            player = table.seats[seat]
            if player is not None and table.hand is not None:
                shown = hole_cards(table.hand, opened, seat)
                cards.own[player.player] = cards.of_seat[seat] = text_of(shown)
        self.cards[name, event.number] = cards

    # Pushes

    def pushed(self, player: str, data: bytes, message: Json) -> None:
        name = message.get("table") or ""
        match message["type"]:
            case "events":
                self.may_see(name, player, data, message["before"], message["seq"])
                if CARD.search(data):
                    self._whose(
                        name, player, message, self._hands(name, message["before"], message["seq"])
                    )
                self._events(name, player, message)
                self._delayed(name, player, message["seq"])
            case "snapshot":
                self.may_see(name, player, data, message["seq"], message["seq"])
                self._picture(name, "", data, message)
                self._delayed(name, player, message["seq"])
            case "offer":
                self._offer(player, message)
            case "presence" | "lobby":
                self.may_see(name, player, data, 0, 0)
                found = {key for seat in _objects(message) for key in seat} & (
                    OWN | {"hole", "own"}
                )
                if found:
                    self._tells(player, found)
            case other:
                self.record.fail(f"{player or 'a guest'} is sent {other}")

    def _events(self, name: str, player: str, message: Json) -> None:
        tables = self.record.pasts[name].tables
        now = tables.get(message["seq"], [])
        if (own := message.get("own")) is not None:
            seats = ((table, table.seat_of(player)) for table in now)
            if not any(own == _own(table, seat) for table, seat in seats if seat is not None):
                self._tells(player, f"another seat's {own}")
        for event in message["events"]:
            if event["e"] in PRIVATE:
                ends = [*tables.get(message["before"], []), *now]
                his = any(table.seat_of(player) == event["seat"] for table in ends)
                came = any(
                    one["e"] == "seated" and (one["seat"], one["player"]) == (event["seat"], player)
                    for one in message["events"]
                )
                if not his and not came:
                    self._tells(player, f"another seat's {event}")

    def _offer(self, player: str, message: Json) -> None:
        structure, table = message["structure"], message["table"]
        offered = self.waits.offered[structure, player]
        if table is not None and (table, message["until"]) not in offered:
            self._tells(player, f"an offer of {table} that was never made to him")

    # Replies

    def replied(self, call: Call, text: str, message: Json) -> None:
        player, data = call.player, text.encode()
        shot = message.get("snapshot")
        if (hand := message.get("hand")) is not None:
            self._hand(player, data, hand)
        elif (hands := message.get("hands")) is not None:
            for row in hands["hands"]:
                self._row(player, hands["table"], row)
        elif shot is None:
            if CARD.search(data):
                self._tells(player, "cards without a table")
        else:
            name = message.get("table") or call.about
            self.may_see(name, player, data, shot["seq"], shot["seq"])
            self._picture(name, player, data, shot)
            self._delayed(name, player, shot["seq"])
        if (account := message.get("account")) is not None:
            self._account(call, account)
        if (limits := message.get("limits")) is not None:
            self._limits(call, limits)
        if (waiting := message.get("waiting")) is not None and waiting["table"] is not None:
            self._offer(player, waiting)

    def _hand(self, player: str, data: bytes, hand: Json) -> None:
        """One that is over, for who was dealt in, or for everybody."""
        name, number = hand["table"], hand["number"]
        cards = self.cards[name, number]
        if (hand["seat"] is not None) != (player in cards.own):
            self._tells(player, f"hand {number} of {name} as seat {hand['seat']}")
        self._knows(player, name, number, {one.decode() for one in CARD.findall(data)})
        if hand["state"]["hand"] is not None or _private(step["event"] for step in hand["steps"]):
            self._tells(player, f"more than hand {number} of {name}")
        self._whose(name, player, hand, [cards])
        self._seats(name, "", hand)
        # By the clock of who answers.
        now = self.record.now + SKEW_MS
        if player not in cards.own and hand["ended"] + self._delay_ms(name) > now:
            self._tells(player, f"hand {number} of {name} before its time")

    def _row(self, player: str, name: str, row: Json) -> None:
        if player not in self.cards[name, row["number"]].own:
            self._tells(player, f"hand {row['number']} of {name}, which is not his")
        self._knows(player, name, row["number"], {*row["hole"], *row["board"]})

    def _knows(self, player: str, name: str, number: int, cards: set[str]) -> None:
        hand = self.cards[name, number]
        if unseen := cards - hand.public - hand.own.get(player, set()):
            self._tells(player, f"{sorted(unseen)} of {name} hand {number}")

    def _account(self, call: Call, account: Json) -> None:
        if account["player"] != call.player:
            self._tells(call.player, f"{account['player']}'s account")
        for one in account["balances"]:
            owner = (call.player, one["currency"])
            if one["balance"] not in self.purses.held(owner, call.begun):
                self.record.fail(f"{call.player} is told a balance of {one}, which he had not")
        for line in account["lines"]:
            self._offer(call.player, line)
        self._limits(call, account["limits"])

    def _limits(self, call: Call, shown: Json) -> None:
        """As they were at some moment of the call."""
        for limits in self.purses.were(call.player, call.begun):
            # Where midnight is near, by the clock of who answers.
            for moment in (call.begun - SKEW_MS, self.record.now, self.record.now + SKEW_MS):
                wanted = limits_view(limits, (), moment)
                if _in_force(shown) == _in_force(wanted):
                    return
        self.record.fail(f"{call.player} is told other limits than his: {shown}")

    # What both may hold

    def may_see(self, name: str, player: str, data: bytes, before: int, seq: int) -> None:
        """What the player is told of the table from `before` to `seq`."""
        cards = {found.decode() for found in CARD.findall(data)}
        if not cards:
            return
        allowed: set[str] = set()
        hands = self.hand_at[name]
        for number in range(hands[before], hands[seq] + 1) if name else ():
            hand = self.cards[name, number]
            allowed |= hand.public | hand.own.get(player, set())
        if not cards <= allowed:
            who = player or "a guest"
            self.record.fail(f"{who} sees {sorted(cards - allowed)} of {name} at {seq}")

    def _picture(self, name: str, player: str, data: bytes, shot: Json) -> None:
        """A snapshot for a player's seat; for "" one that everybody may see."""
        if CARD.search(data):
            self._whose(name, player, shot, self._hands(name, shot["seq"], shot["seq"]))
        self._seats(name, player, shot)

    def _seats(self, name: str, player: str, shot: Json) -> None:
        """What one seat alone is told is told to it."""
        state = shot["state"]
        for seat in state["seats"]:
            if seat is None or not OWN & seat.keys():
                continue
            if not player or seat["player"] != player:
                self._tells(player, f"what only {seat['player']} is told of {name}")
        if not player and ("hole" in state or _private(state["log"])):
            self._tells(player, f"what one seat of {name} is told")

    def _hands(self, name: str, before: int, seq: int) -> list[Cards]:
        """Those that ran from `before` to `seq`."""
        hands = self.hand_at[name]
        return [self.cards[name, number] for number in range(hands[before], hands[seq] + 1)]

    def _whose(self, name: str, player: str, message: Json, several: list[Cards]) -> None:
        """Cards of a seat are that seat's, and his own are his."""
        for one in _objects(message):
            if (shown := one.get("cards")) and (seat := one.get("seat")) is not None:
                seats = (hand.of_seat.get(seat, set()) for hand in several)
                if not any(set(shown) <= cards for cards in seats):
                    self._tells(player, f"{shown} are the cards of seat {seat} of {name}")
            hole = one.get("hole")
            if hole and all(set(hole) != hand.own.get(player) for hand in several):
                self._tells(player, f"{hole} are his cards at {name}")

    def _delayed(self, name: str, player: str, seq: int) -> None:
        """Who has no seat sees the table late, where it has a delay."""
        past, delay = self.record.pasts[name], self._delay_ms(name)
        if not delay or seq == past.opened or (player and past.seated(player, seq)):
            return
        if player and seq <= past.gone.get(player, -1):
            return
        since = past.since.get(seq)
        if since is None or since + delay > self.record.now:
            late = "not at all" if since is None else f"{self.record.now - since} ms"
            self._tells(player, f"{name} at {seq}, which is {late} old, and may be {delay}")

    def _delay_ms(self, name: str) -> int:
        return self.record.tables[name].table.settings.delay_s * 1000

    def _tells(self, player: str, what: object) -> None:
        self.record.fail(f"{player or 'a guest'} is told {what}")


def text_of(cards: Iterable[int]) -> set[str]:
    return {text(card) for card in cards}


def _own(table: Table, seat: int) -> Json:
    own: Json = push(table, (), seat, None, table.seq, 0)["own"]
    return json.loads(json.dumps(own))  # type: ignore[no-any-return]


def _private(events: Iterable[Json]) -> bool:
    return any(event["e"] in PRIVATE for event in events)


def _objects(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _objects(one)


def _in_force(view: Json) -> tuple[Any, ...]:
    """Of what is shown of limits: those in force."""
    money = {
        (one["currency"], name, one[name]["value"])
        for one in view["currencies"]
        for name in (DEPOSIT, LOSS)
        if one[name]["value"] is not None
    }
    return frozenset(money), view["reminder_minutes"]["value"], view["exclude_until"] is None
