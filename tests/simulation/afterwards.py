"""Laws of hands that are over: who was dealt in is told them and may dispute each once, five within
24 hours; and what he was told that was kept is kept.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cardroom import keys
from cardroom.disputes import MOST
from cardroom.errors import RoomCode
from tests.simulation.dynamo import Written
from tests.simulation.record import SKEW_MS, Call, Hand, Record
from tests.simulation.secrecy import Cards

ROUTES: Final = frozenset({"hand", "hands", "dispute"})

type Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kept:
    """A dispute: the id of the message that made it, its text, and when (ms) it was written."""

    command: str
    text: str
    at: int


@dataclass
class Afterwards:
    record: Record
    cards: Mapping[Hand, Cards]
    """Of each hand that began: those of its players, by their names."""
    recorded: dict[Hand, int] = field(default_factory=dict)
    """When (ms) the record of each hand that is over was written, where it says how it began."""
    ends: dict[Hand, int] = field(default_factory=dict)
    """When (ms) it ended, by its record."""
    disputes: dict[str, dict[Hand, Kept]] = field(default_factory=lambda: defaultdict(dict))
    """By player."""
    _asked: dict[Call, Json] = field(default_factory=dict)
    """Of the calls that run."""

    def begun(self, call: Call, message: Json) -> None:
        if call.route in ROUTES:
            self._asked[call] = message

    def ended(self, call: Call, reply: Json | None) -> None:
        message = self._asked.pop(call, None)
        if message is None or reply is None:
            return
        self.record.counts[f"{call.route} answered"] += 1
        if call.route == "hand":
            self._hand(call, message, reply)
        elif call.route == "hands":
            self._hands(call, message, reply)
        else:
            self._dispute(call, message, reply)

    def over(self, name: str, number: int, ended: int) -> None:
        """A hand's record is written."""
        self.recorded[name, number] = self.record.now
        self.ends[name, number] = ended

    # Hands

    def _hand(self, call: Call, message: Json, reply: Json) -> None:
        hand: Hand = (message["table"], message["hand"])
        told = reply.get("hand")
        if told is not None:
            if hand not in self.recorded:
                self.record.fail(f"{_who(call)} is told hand {hand}, which is not over")
            if (told["table"], told["number"], told["ended"]) != (*hand, self.ends[hand]):
                self.record.fail(f"{_who(call)} is told another hand than {hand}")
            self._tells_of_dispute(call, hand, told.get("dispute"))
        if reply.get("code") == RoomCode.UNKNOWN_HAND and self._may_be_told(call, hand):
            self.record.fail(f"{_who(call)} is told that there is no hand {hand}")

    def _tells_of_dispute(self, call: Call, hand: Hand, told: Json | None) -> None:
        """Of his own, and of no other's."""
        kept = self.disputes[call.player].get(hand)
        if told is None:
            if kept is not None and kept.at < call.begun:
                self.record.fail(f"{call.player} is not told that he disputes {hand}")
        elif kept is None or told["text"] != kept.text:
            self.record.fail(f"{_who(call)} is told of a dispute of {hand} that is not his")

    def _may_be_told(self, call: Call, hand: Hand) -> bool:
        """When he began to ask it was over, and for long enough where he was not dealt in."""
        if hand not in self.recorded:
            return False
        late = 0
        if not self._dealt_in(call.player, hand):
            settings = self.record.tables[hand[0]].table.settings
            # By the clocks of who ended it and of who answers.
            late = settings.delay_s * 1000 + 2 * SKEW_MS
        return self.recorded[hand] + late < call.begun

    def _hands(self, call: Call, message: Json, reply: Json) -> None:
        if (told := reply.get("hands")) is None:
            if not call.player and reply.get("code") != RoomCode.NOT_ALLOWED:
                self.record.fail("a guest asks for his hands")
            return
        numbers = [row["number"] for row in told["hands"]]
        if numbers != sorted(set(numbers), reverse=True):
            self.record.fail(f"{call.player} is told his hands as {numbers}")
        most, after = message.get("up_to"), told["next"] or 0
        if numbers and (numbers[0] > (most or numbers[0]) or numbers[-1] <= after):
            self.record.fail(f"{call.player} asks up to {most} and is told {numbers}, then {after}")
        for number in numbers:
            if (told["table"], number) not in self.recorded:
                self.record.fail(f"{call.player} is told hand {number}, which is not over")
        if told["table"] not in told["tables"]:
            return
        # From where he asks to where it goes on all are told that were over when he asked.
        passed = [
            hand
            for hand, at in self.recorded.items()
            if hand[0] == told["table"]
            and after < hand[1] <= (most or hand[1])
            and hand[1] not in numbers
            and at < call.begun
            and self._dealt_in(call.player, hand)
        ]
        if passed:
            self.record.fail(f"{call.player} is not told his hands {passed}")

    # Disputes

    def written(self, written: Written) -> None:
        """An item of a dispute. Nobody answers it here, so it is written once."""
        item, player = written.new, written.key[0].removeprefix(keys.DISPUTES)
        table, _, number = written.key[1].partition("#")
        hand: Hand = (table, int(number))
        if item is None or not written.inserted:
            self.record.fail(f"{player}'s dispute of {hand} is written for ever")
        if not self.record.calls_told:
            return
        command = item["command"]["S"]
        begun = [
            call.begun
            for call, message in self._asked.items()
            if (call.player, call.route, message["id"]) == (player, "dispute", command)
            and (message["table"], message["hand"]) == hand
            and message["text"] == item["text"]["S"]
        ]
        if not begun:
            self.record.fail(f"nobody asked {player} to dispute {hand}")
        if hand not in self.recorded or not self._dealt_in(player, hand):
            self.record.fail(f"{player} disputes {hand}, in which he had no cards, or which runs")
        # No history lasts for a day. Those that came at the same moment may have seen fewer.
        if sum(one.at < min(begun) for one in self.disputes[player].values()) >= MOST:
            self.record.fail(f"{player} disputes more than {MOST} hands within 24 hours")
        self.disputes[player][hand] = Kept(command, item["text"]["S"], self.record.now)
        self.record.counts["disputes"] += 1

    def _dispute(self, call: Call, message: Json, reply: Json) -> None:
        hand: Hand = (message["table"], message["hand"])
        player, code = call.player, reply.get("code")
        kept = self.disputes[player].get(hand)
        mine = kept is not None and kept.command == message["id"]
        if code is None and not mine:
            self.record.fail(f"{player} is told that {hand} is disputed, and it is not kept")
        if code == RoomCode.ALREADY_DISPUTED and (kept is None or mine):
            self.record.fail(f"{player} is told that he has disputed {hand} before")
        if code == RoomCode.TOO_MANY_DISPUTES and (mine or len(self.disputes[player]) < MOST):
            self.record.fail(f"{player} may dispute {hand}, and is told that it is too much")
        was_over = self.recorded.get(hand, call.begun) < call.begun
        if code == RoomCode.NOT_DEALT_IN and was_over and self._dealt_in(player, hand):
            self.record.fail(f"{player} was dealt in {hand}, and is told that he was not")
        if (code == RoomCode.NOT_ALLOWED) != (not player):
            self.record.fail(f"{_who(call)} disputes {hand}, and is told {code}")

    def _dealt_in(self, player: str, hand: Hand) -> bool:
        return hand in self.cards and player in self.cards[hand].own


def _who(call: Call) -> str:
    return call.player or "a guest"
