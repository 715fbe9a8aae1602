"""What a recipient may not see changes nothing of what he is sent, and nothing that is logged.

Whole hands are played on decks that differ only in what he never may see: his pushes, his replies,
all log lines and all that is stored of the running hand are the same bytes. But for the seal of its
record, in the log and in STATE once the hand is over: a digest of the whole deck, of which at least
27 cards are in an order that nobody ever sees, more than can be tried.
"""

import io
import json
from contextlib import redirect_stdout
from dataclasses import dataclass
from random import Random

import pytest

from cardroom.proof import RECORDED
from cardroom.seals import BETWEEN
from cardroom.signals import PowertoolsSignals
from cardroom.store import hands
from poker_engine.cards import DECK, text
from tests.room.conftest import Memory
from tests.room.world import World

PLAYERS = ("ana", "ben", "cyd", "dan")
RECIPIENTS = (*PLAYERS, "guest")


@dataclass
class Seen:
    """All bytes: by recipient, in the log, in the stream."""

    pushes: dict[str, list[bytes]]
    replies: dict[str, list[str]]
    log: list[str]
    states: list[str]

    def by(self, recipient: str) -> tuple[list[bytes], list[str], list[str], list[str]]:
        return self.pushes[recipient], self.replies[recipient], self.log, self.states


class Printed:
    """What the functions print, the logger's lines among them."""

    def __init__(self) -> None:
        self.stream = io.StringIO()
        self.seals: list[str] = []
        """Of records, taken out of the lines."""
        self.signals = PowertoolsSignals("hidden", self.stream)

    def taken(self) -> list[str]:
        """The lines since the last time, but for the time at which they were printed."""
        lines = [json.loads(line) for line in self.stream.getvalue().splitlines()]
        self.stream.seek(0)
        self.stream.truncate()
        for line in lines:
            line.pop("timestamp", None)
            line.get("_aws", {}).pop("Timestamp", None)
            if line.get("message") == RECORDED:
                self.seals.append(line.pop("seal"))
        return [json.dumps(line) for line in lines]


@pytest.fixture(scope="module")
def printed() -> Printed:
    return Printed()


def _world(printed: Printed) -> World:
    world = World()
    world.dealer._signals = printed.signals
    world.room._signals = printed.signals
    world.broadcast._signals = printed.signals
    world.fanout._signals = printed.signals
    return world


def _play(printed: Printed, deck: tuple[int, ...], seed: int) -> tuple[World, Seen]:
    """One hand of four by seeded choices, watched by a guest."""
    random = Random(seed)
    replies: dict[str, list[str]] = {recipient: [] for recipient in RECIPIENTS}
    with redirect_stdout(printed.stream):
        world = _world(printed)
        world.randomness.decks.append(deck)
        world.connect("guest")
        world.say("", "watch", on="guest")
        world.seat(*PLAYERS)
        world.deal()
        while True:
            world.stream()
            world.fan_out()
            for recipient, answers in replies.items():
                player = "" if recipient == "guest" else recipient
                answers.append(world.say(player, "sync", on=recipient, seq=0).text())
            table = world.stored().table
            if table.running is None or table.hand is None:
                break
            world.clock.go(100)
            do = random.choice(("call", "call", "check", "check", "raise", "fold"))
            fields = {"to": table.hand.price * 3 or 3000} if do == "raise" else {}
            world.act(do, **fields)
        printed.signals.flush()
    pushes = {recipient: world.push.to(recipient) for recipient in RECIPIENTS}
    states = [
        json.dumps({**image, "seal": "seal" in image}, sort_keys=True)
        for image in world.tables.history
    ]
    return world, Seen(pushes, replies, printed.taken(), states)


def _visible(world: World, recipient: str) -> set[int]:
    """Places in the deck that this recipient saw by the end."""
    table = world.stored().table
    assert table.hand is not None
    dealt = table.hand.dealt
    count = len(dealt)
    places = {2 * count + number for number in range(len(table.hand.board))}
    for order, seat in enumerate(dealt):
        occupant = table.seats[seat]
        if occupant is not None and occupant.player == recipient:
            places.update((order, count + order))
    (record,) = hands("t")
    for seat, cards in table.hand.shown:
        order = dealt.index(seat)
        places.update(p for p in (order, count + order) if record.deck[p] in cards)
    return places


@pytest.mark.rule("7")
@pytest.mark.parametrize("seed", range(2))
def test_hidden_cards_change_no_byte(memory: Memory, printed: Printed, seed: int) -> None:
    random = Random(seed)
    deck = tuple(random.sample(DECK, 52))
    world, seen = _play(printed, deck, seed)
    hidden = {recipient: set(range(52)) - _visible(world, recipient) for recipient in RECIPIENTS}
    assert any("broadcast" in line for line in seen.log)
    for recipient in RECIPIENTS:
        assert seen.pushes[recipient]
        places = sorted(hidden[recipient])
        cards = [deck[place] for place in places]
        random.shuffle(cards)
        other = list(deck)
        for place, card in zip(places, cards, strict=True):
            other[place] = card
        assert tuple(other) != deck
        memory.empty()
        printed.seals.clear()
        _, again = _play(printed, tuple(other), seed)
        assert again.by(recipient) == seen.by(recipient)
        (seal,) = printed.seals
        told = [*again.pushes[recipient], *(one.encode() for one in again.replies[recipient])]
        assert not any(part.encode() in one for one in told for part in seal.split(BETWEEN))


def test_no_card_of_a_running_hand_is_in_state_or_queue(world: World) -> None:
    world.seat("ana", "ben")
    world.connect("guest")
    world.say("", "watch", on="guest")
    world.stream()
    world.queue.bodies.clear()
    world.deal()
    images = json.dumps(world.tables.images).replace("\\", "")
    world.stream()
    queued = "".join(world.queue.bodies).replace("\\", "")
    assert queued
    for card in DECK:
        assert f'"{text(card)}"' not in images
        assert f'"{text(card)}"' not in queued
