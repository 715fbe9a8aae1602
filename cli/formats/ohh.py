"""Open Hand History 1.4.7 (hh-specs.handhistory.org), written: one JSON object a hand, with an
empty line after each.

An action's amount is what its player puts in by it, also for a raise; a pot's includes its rake.
What nobody called is in no pot. Seats count from 1, players by their place in the dealing order.
"""

import json
from datetime import UTC
from typing import Any, Final

from cardroom.days import moment
from cli.finished import Finished
from poker_engine.cards import text
from poker_engine.events import Acted, BoardDealt, Mucked, Posted, Shown
from poker_engine.stakes import Game
from poker_engine.state import Do, Post

VERSION: Final = "1.4.7"
POSTS: Final = {
    Post.ANTE: "Post Ante",
    Post.SMALL_BLIND: "Post SB",
    Post.BIG_BLIND: "Post BB",
    Post.LIVE: "Post Extra Blind",
    Post.DEAD: "Post Dead",
}
ACTS: Final = {
    Do.FOLD: "Fold",
    Do.CHECK: "Check",
    Do.CALL: "Call",
    Do.BET: "Bet",
    Do.RAISE: "Raise",
}
LIMITS: Final = {
    # The model of ohh-pydantic wants `action` there, which the specification does not have.
    Game.NO_LIMIT: {"bet_type": "NL", "bet_cap": 0, "action": "Dealt Cards"},
    Game.FIXED_LIMIT: {"bet_type": "FL", "bet_cap": 0, "action": "FixedLimit"},
}


def dump(hand: Finished) -> str:
    """The hand as one line."""
    return json.dumps({"ohh": _Writer(hand).hand()}, ensure_ascii=False, separators=(",", ":"))


class _Writer:
    def __init__(self, hand: Finished) -> None:
        self._hand = hand
        self._place = {one.seat: place for place, one in enumerate(hand.players)}
        self._left = {one.seat: one.stack for one in hand.players}
        self._number = 0

    def hand(self) -> dict[str, Any]:
        hand = self._hand
        stakes = hand.stakes
        fields: dict[str, Any] = {
            "spec_version": VERSION,
            "site_name": "Cardroom",
            "network_name": "Cardroom",
            "internal_version": VERSION,
            "tournament": False,
            "game_number": f"{hand.table}-{hand.number}",
            "start_date_utc": moment(hand.started or 0, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "table_name": hand.table,
            "game_type": "Holdem",
            "bet_limit": LIMITS[stakes.game],
            "table_size": hand.seats,
            "currency": stakes.currency,
            "dealer_seat": hand.button + 1,
            "small_blind_amount": self._amount(stakes.small_blind),
            "big_blind_amount": self._amount(stakes.big_blind),
            "ante_amount": self._amount(stakes.ante),
        }
        if hand.hero is not None:
            fields["hero_player_id"] = self._place[hand.hero]
        fields["players"] = [
            {
                "id": place,
                "seat": one.seat + 1,
                "name": one.name,
                "display": one.name,
                "starting_stack": self._amount(one.stack),
            }
            for place, one in enumerate(hand.players)
        ]
        fields["rounds"] = self._rounds()
        fields["pots"] = [
            {
                "number": pot.pot,
                "amount": self._amount(pot.amount),
                "rake": self._amount(pot.rake),
                "player_wins": [
                    {"player_id": self._place[seat], "win_amount": self._amount(chips)}
                    for seat, chips in pot.shares
                ],
            }
            for pot in hand.pots
        ]
        return fields

    def _rounds(self) -> list[dict[str, Any]]:
        rounds = [self._round(0, "Preflop")]
        for step in self._hand.steps:
            if isinstance(step, Posted):
                self._pay(rounds[-1], step.seat, POSTS[step.post], step.amount)
        for one in self._hand.players:
            if one.hole is not None:
                self._add(rounds[-1], one.seat, "Dealt Cards", cards=_texts(one.hole))
        showdown = self._round(0, "Showdown")
        for step in self._hand.steps:
            match step:
                case Acted(seat=seat, do=do, paid=paid):
                    self._pay(rounds[-1], seat, ACTS[do], paid)
                case BoardDealt(street, cards):
                    rounds.append(self._round(len(rounds), street.name.capitalize()))
                    rounds[-1]["cards"] = _texts(cards)
                case _:
                    pass
        for step in self._hand.steps:
            match step:
                case Shown(seat, cards):
                    self._add(showdown, seat, "Shows Cards", cards=_texts(cards))
                case Mucked(seat):
                    self._add(showdown, seat, "Mucks Cards")
                case _:
                    pass
        if showdown["actions"]:
            rounds.append(showdown | {"id": len(rounds)})
        return rounds

    def _round(self, number: int, street: str) -> dict[str, Any]:
        return {"id": number, "street": street, "actions": []}

    def _pay(self, into: dict[str, Any], seat: int, action: str, amount: int) -> None:
        self._left[seat] -= amount
        all_in = amount > 0 and self._left[seat] == 0
        more: dict[str, Any] = {"amount": self._amount(amount)} if amount else {}
        self._add(into, seat, action, **(more | ({"is_allin": True} if all_in else {})))

    def _add(self, into: dict[str, Any], seat: int, action: str, **more: Any) -> None:
        into["actions"].append(
            {"action_number": self._number, "player_id": self._place[seat], "action": action} | more
        )
        self._number += 1

    def _amount(self, amount: int) -> int | float:
        """A decimal of two places: the shortest number that reads as it is exact."""
        whole, rest = divmod(amount, self._hand.unit)
        return amount / self._hand.unit if rest else whole


def _texts(cards: tuple[int, ...]) -> list[str]:
    return [text(card) for card in cards]
