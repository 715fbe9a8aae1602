"""One hand from the lobby to the showdown, every message both ways; docs/session.md is made of it.

    python -m tests.room.session            # writes the page

The room is the real one, above moto; clock and cards are given. The test compares the page.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from moto import mock_aws

from cardroom.messages import PROTOCOL
from tests.engine.kit import deck_for
from tests.room.world import START, World, create_dynamodb_table, settings
from tests.template.parsed import ROOT

PAGE: Final = ROOT / "docs/session.md"
TABLE: Final = "php-5-10"
THINKS_MS: Final = 2_000

INTRODUCTION: Final = f"""\
# A recorded session

Every message of one hand, both ways: ana and ben play at {TABLE}, a guest watches. Made by
`make contract` from the real room, with the clock and the cards given. What it all means is in
[protocol.md](protocol.md).

A line is a message, whose it is and which way: `ana >` is what ana's client sends, `ana <` what it
receives. All three connections are open, ana's and ben's with their tokens. The number is
milliseconds since the beginning, {START}. Pushes may come in another order than this, and before
or after a reply.
"""


@dataclass
class Step:
    """What happens, in a sentence, and the messages that it takes: (moment, whose and which way,
    text).
    """

    told: str
    lines: list[tuple[int, str, str]] = field(default_factory=list)


class Session:
    """Says things at a table of a world, and writes down all that passes."""

    def __init__(self) -> None:
        self.world = World(settings(seats=2))
        self.steps: list[Step] = []
        for player in ("ana", "ben"):
            self.world.fund(player, amount=1_000_000)
            self.world.connect(player, player)
        self.world.connect("guest")
        self._asked: dict[str, int] = {}

    def step(self, told: str) -> None:
        self.steps.append(Step(told))

    def say(self, who: str, route: str, **fields: Any) -> dict[str, Any]:
        """The reply; pushes come after it."""
        number = self._asked[who] = self._asked.get(who, 0) + 1
        message = {"route": route, "id": f"{who}-{number}", "v": PROTOCOL, **fields}
        self._write(f"{who} >", json.dumps(message, separators=(",", ":")))
        if "table" in fields:
            fields["table"] = "t"
        player = "" if who == "guest" else who
        reply = self.world.say(player, route, on=who, id=message["id"], **fields)
        self._write(f"{who} <", reply.text())
        self.deliver()
        told: dict[str, Any] = json.loads(reply.text())
        return told

    def deal(self) -> None:
        self.world.deal()
        self.deliver()

    def act(self, do: str, **fields: Any) -> None:
        """Who has the turn does it."""
        table = self.world.stored().table
        assert table.hand is not None
        assert table.hand.turn is not None
        seat = table.seats[table.hand.turn.seat]
        assert seat is not None
        self.world.clock.go(THINKS_MS)
        turn = {"hand": table.hand.number, "turn": table.hand.turn.number}
        self.say(seat.player, "act", table=TABLE, **turn, do=do, **fields)

    def deliver(self) -> None:
        """What the stream, the queue and their functions make of it."""
        self.world.stream()
        self.world.fan_out()
        posts, self.world.push.posts = self.world.push.posts, []
        for connection, data in sorted(posts, key=lambda post: post[0]):
            self._write(f"{connection} <", data.decode())

    def _write(self, way: str, text: str) -> None:
        named = text.replace('"t"', f'"{TABLE}"')
        self.steps[-1].lines.append((self.world.clock.now() - START, way, named))


def record() -> list[Step]:
    """Needs an empty AWS, as the fixture `aws` makes it."""
    session = Session()
    world = session.world
    stake = settings().stakes.structure
    session.step("The guest looks at the lobby once, and watches the table.")
    session.say("guest", "lobby", watch=False)
    session.say("guest", "watch", table=TABLE)
    session.step("Ana asks what she has, and takes a seat at the stake, to be dealt in at once.")
    session.say("ana", "account")
    session.say("ana", "quickseat", structure=stake, chips=50_000, post=True)
    session.step("Ben takes the other seat. The first hand is set for 3 seconds later.")
    session.say("ben", "sit", table=TABLE, seat=1, chips=80_000, post=True)
    # Ben draws the button: ana, on its left, is dealt to first.
    world.randomness.decks = [deck_for((0, 1), {0: "AhKh", 1: "QsQd"}, "Kd7c2sQh3d")]
    session.step("The hand begins. Each player is told his own cards, the guest none.")
    session.deal()
    assert world.stored().table.button == 1
    session.step("Ben has the button and raises; his first try is too small.")
    session.act("raise", to=1_500)
    session.act("raise", to=3_000)
    session.act("call")
    session.step("The flop: a bet, and a call.")
    session.act("check")
    session.act("bet", to=4_000)
    session.act("call")
    session.step("The turn is checked; ana clicks twice, and acts once.")
    session.act("check")
    session.say("ana", "act", table=TABLE, hand=1, turn=6, do="check")
    session.act("check")
    session.step("The river, and the showdown.")
    session.act("bet", to=10_000)
    session.act("call")
    session.step("Ana has missed a push, asks for the table, and asks again.")
    seq = world.stored().table.seq
    session.say("ana", "sync", table=TABLE, seq=seq - 1)
    session.say("ana", "sync", table=TABLE, seq=seq)
    session.step("Ben has won enough, and leaves before the next hand.")
    session.say("ben", "leave", table=TABLE, when="now")
    return session.steps


def page(steps: list[Step]) -> str:
    return INTRODUCTION + "".join(_told(number, step) for number, step in enumerate(steps, 1))


def _told(number: int, step: Step) -> str:
    lines = "".join(f"{at:>6} {way:<7} {text}\n" for at, way, text in step.lines)
    return f"\n## {number}. {step.told}\n\n```\n{lines}```\n"


def messages(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Of a page: whose and which way, and the message."""
    for who, way, body in re.findall(r"^ *\d+ (\w+) ([<>]) +(\{.*\})$", text, re.MULTILINE):
        yield f"{who} {way}", json.loads(body)


def main() -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        os.environ[name] = "testing"
    os.environ["AWS_DEFAULT_REGION"] = os.environ["AWS_REGION"] = "us-east-1"
    os.environ.pop("AWS_ENDPOINT_URL", None)
    with mock_aws():
        create_dynamodb_table()
        PAGE.write_text(page(record()), encoding="utf-8")


if __name__ == "__main__":
    main()
