"""`make fuzz`: bad input of every kind. Whatever comes, the answer is a refusal with a code.

Messages on the wire are the most of it: good ones, damaged in one place or in several, and raw
bytes. Beside them are odd events for the other functions, damaged items of the store (`damage`) and
damaged files of hands (`torn`).
"""

import argparse
import json
import sys
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from cardroom.accounts import DynamoAccounts
from cardroom.bank import Bank, Order
from cardroom.budget import Budgets, Rate
from cardroom.errors import RoomCode
from cardroom.messages import MESSAGES
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock
from cardroom.tables import open_table
from poker_engine.errors import Code
from poker_engine.stakes import no_limit, table_settings
from tests.simulation.arguments import at_least_one
from tests.simulation.calm import CalmCloud
from tests.simulation.cloud import TABLE, simulated
from tests.simulation.damage import damage
from tests.simulation.laws import Laws
from tests.simulation.record import Broken, Call
from tests.simulation.torn import torn
from tests.simulation.triggers import Triggers

SAMPLES: Final = Path(__file__).parents[2] / "events"
CODES: Final = {str(code) for code in (*RoomCode, *Code)}
PLAYERS: Final = ("ana", "ben", "cem", "dia")
STAKES: Final = no_limit("PHP", 500)
WIDE: Final = Rate(per_second=10**6, burst=10**6)
"""A budget that no fuzzer spends; one connection keeps the usual one."""
FLOODER: Final = "flooder"
ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**63,
    -(2**63) - 1,
    10**40,
    0.5,
    1e308,
    float("inf"),
    float("nan"),
    "",
    " ",
    "0",
    "1",
    "now",
    "null",
    "a" * 37,
    "a" * 3000,
    "\x00",
    "\u202e\u200b",
    "\ud800",
    "\ud83c\udca1",
    "🂡",
    "'; DROP TABLE",
    "<b>",
    "__class__",
    "TABLE#t",
    "../t",
    [],
    [0],
    [[[[0]]]],
    [0] * 500,
    {},
    {"S": "x"},
    {"a": {"b": {"c": {}}}},
)
RAW: Final = (
    b"",
    b"null",
    b"[]",
    b"{",
    b'"',
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b"NaN",
    b"1" * 5000,
    b"1e999",
    b"[" * 5000,
    b'{"a":' * 5000,
    b"{" + b'"a":1,' * 400,
)
NUMBERS: Final = ("-0", "1e3", "1E400", "-1e-400", "0x10", "01", "1" * 30, "9" * 1800, "1.0", "+1")


class Fuzzer:
    """Draws messages from a seed: good ones, damaged in one place or in several."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(f"fuzz/{seed}")
        samples = [
            json.loads(json.loads((SAMPLES / f"route-{route}.json").read_text())["body"])
            for route in MESSAGES
        ]
        self._samples = [{**one, "table": "t"} if "table" in one else one for one in samples]
        self._made = 0

    def body(self) -> str:
        dice = self.dice
        if dice.random() < 0.05:
            raw = dice.choice(RAW) + bytes(dice.randbytes(dice.randint(0, 40)))
            return raw.decode("utf-8", "surrogateescape")
        message: dict[Any, Any] = dict(dice.choice(self._samples))
        self._made += 1
        message["id"] = f"f{self._made}"
        for _ in range(dice.choice((0, 1, 1, 1, 2, 3))):
            self._damage(message)
        text = json.dumps(message, ensure_ascii=dice.random() < 0.8)
        rolled = dice.random()
        if rolled < 0.15:
            return self._torn(text)
        return self._rewritten(text, message) if rolled < 0.25 else text

    def _damage(self, message: dict[Any, Any]) -> None:
        dice = self.dice
        field = dice.choice([*message, "more"])
        kind = dice.random()
        if kind < 0.2:
            message.pop(field, None)
        elif kind < 0.3:
            other = dice.choice(self._samples)
            message[dice.choice(list(other))] = other[dice.choice(list(other))]
        elif kind < 0.35:
            odd = ("Table", "player", "__proto__", "seat ", "\u0000", "\ud800", "", "a" * 500)
            message[dice.choice(odd)] = 1
        elif kind < 0.5 and isinstance(message.get(field), int):
            message[field] += dice.choice((-1, 1, 1000, -1000, 10**12))
        else:
            message[field] = dice.choice(ODD)

    def _torn(self, text: str) -> str:
        dice = self.dice
        place = dice.randint(0, len(text))
        kind = dice.random()
        if kind < 0.4:
            return text[:place]
        if kind < 0.7:
            return text[:place] + dice.choice('{}[]",:\\\x00é') + text[place:]
        return text[:place] + text[place + 1 :] + (text if kind > 0.9 else "")

    def _rewritten(self, text: str, message: dict[Any, Any]) -> str:
        """The same in other words, which JSON allows or does not."""
        dice = self.dice
        match dice.randrange(5):
            case 0:  # A field twice.
                name = json.dumps(dice.choice([*message]))
                return f"{text[:-1]}, {name}: {json.dumps(dice.choice(ODD))}}}"
            case 1:  # A number that Python would not write.
                return text.replace("1", dice.choice(NUMBERS), 1)
            case 2:  # A value deep down.
                depth = dice.choice((2, 3, 4, 50, 900))
                return f'{text[:-1]}, "deep": {"[" * depth}{"]" * depth}}}'
            case 3:
                return text.replace("t", "\\u0074")
            case _:
                return dice.choice(("\ufeff", " ", "\n\n", "\u00a0", "//\n")) + text


@dataclass
class Summary:
    """How many inputs of each kind, and how often each answer was given."""

    inputs: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)

    def __iadd__(self, other: "Summary") -> "Summary":
        self.inputs += other.inputs
        self.answers += other.answers
        return self


@dataclass
class Wire:
    """A room with a game in it, to which bad messages and events come."""

    cloud: CalmCloud
    laws: Laws
    fuzzer: Fuzzer
    summary: Summary = field(default_factory=Summary)

    def open(self) -> None:
        cloud = self.cloud
        store = DynamoTables(TABLE)
        bank = Bank(DynamoAccounts(TABLE, store._client), SystemClock())
        order = Order("fuzz", "to play with")
        open_table(store, "t", table_settings(STAKES, clock_ms=5_000), cloud.now)
        for player in (*PLAYERS, FLOODER):
            bank.create(player, order)
            bank.deposit(player, "PHP", 10_000_000, f"{player}-1", order)
            cloud.connect(player, player, lambda accepted: None)
        cloud.connect("guest", "", lambda accepted: None)
        cloud.sweep_forever()
        cloud.scheduler.run(cloud.now + 100)
        door = cloud.instance("command").composed[0]
        self._usual, self._wide = door._budgets, Budgets(WIDE, WIDE, WIDE)

    def message(self) -> None:
        dice = self.fuzzer.dice
        connection = dice.choice((*PLAYERS, *PLAYERS, "guest", "guest", "nobody", FLOODER))
        player = "" if connection in ("guest", "nobody") else connection
        body, encoded = self.fuzzer.body(), dice.random() < 0.03
        event = {**self.cloud.request(connection, player, "MESSAGE"), "body": body}
        if encoded:
            event["body"] = b64encode(body.encode("utf-8", "surrogatepass")).decode()
            event["isBase64Encoded"] = True
        elif dice.random() < 0.01:
            event["body"] = None
        self.summary.inputs["message"] += 1
        self.summary.answers[self._answer(connection, player, event)] += 1

    def _answer(self, connection: str, player: str, event: dict[str, Any]) -> str:
        """The code of the answer; "ok" where it was good input after all."""
        body = event["body"]
        call = self._wished(connection, player, body)
        door = self.cloud.instance("command").composed[0]
        door._budgets = self._usual if connection == FLOODER else self._wide
        reply = self.cloud.call("command", event)
        if self.laws.violation is not None:
            raise Broken(self.laws.violation)
        text = reply["body"]
        answer = json.loads(text)
        code = "ok" if answer["type"] == "ok" else str(answer["code"])
        known = code == "ok" or (code in CODES and code != RoomCode.INTERNAL)
        if reply["statusCode"] != 200 or not known or "Traceback" in text:
            raise Broken(f"{str(body)[:300]!r} was answered {text[:200]!r}")
        self.laws.secrecy.replied(call, text, answer)
        return code

    def _wished(self, connection: str, player: str, body: str | None) -> Call:
        """What a message asks for that may be a good one."""
        call = Call(connection, player, "", "", self.cloud.now, leaves=False)
        try:
            message = json.loads(body or "")
            call.route, call.about = str(message["route"]), str(message.get("table") or "")
            self.laws.asked(player, message)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            pass
        return call


def fuzz(seed: int, inputs: int) -> Summary:
    """Send so many messages and events. Raises Broken."""
    cloud, fuzzer = CalmCloud(seed), Fuzzer(seed)
    wire = Wire(cloud, Laws(cloud), fuzzer)
    with simulated(cloud):
        wire.open()
        triggers = Triggers(fuzzer.dice, cloud, "t", STAKES.structure)
        for number in range(1, inputs + 1):
            if not number % 100:
                # The game goes on beside.
                cloud.scheduler.run(cloud.now + fuzzer.dice.randint(0, 2_000))
            try:
                if number % 4:
                    wire.message()
                else:
                    kind, answer = triggers.one()
                    wire.summary.inputs[kind] += 1
                    wire.summary.answers[f"{kind}: {answer}"] += 1
            except Exception as broken:
                raise Broken(f"seed {seed}, input {number}: {broken}") from broken
    return wire.summary


KINDS: Final[dict[str, Callable[[int, int], Summary]]] = {
    "wire": fuzz,
    "stored": lambda seed, inputs: Summary(*damage(seed, inputs)),
    "files": lambda seed, inputs: Summary(*torn(seed, inputs)),
}
SHARES: Final = {"stored": 0.003, "files": 0.05}
"""Of all inputs; each damaged item is met by a hundred messages. The rest are of the wire."""
PART: Final = {"stored": 25, "wire": 12_500, "files": 2_500}
"""Inputs of one seed."""


def parts(inputs: int, seed: int) -> list[tuple[str, int, int]]:
    """So many inputs as (kind, seed, inputs)."""
    counts = {kind: round(inputs * share) for kind, share in SHARES.items()}
    counts["wire"] = inputs - sum(counts.values())
    # The longest first.
    found = []
    for kind, count in counts.items():
        for number, start in enumerate(range(0, count, PART[kind])):
            found.append((kind, seed + number, min(PART[kind], count - start)))
    return found


def _play(part: tuple[str, int, int]) -> Summary | str:
    kind, seed, inputs = part
    try:
        return KINDS[kind](seed, inputs)
    except Exception as broken:
        return f"{kind}, {broken}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=at_least_one, default=100_000)
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--workers", type=at_least_one, default=2)
    args = parser.parse_args()
    began, summary, broken = time.monotonic(), Summary(), 0
    with ProcessPoolExecutor(args.workers) as pool:
        for ended in pool.map(_play, parts(args.inputs, args.seed)):
            if isinstance(ended, str):
                broken += 1
                print(ended, flush=True)
            else:
                summary += ended
    for title, counter in (("inputs", summary.inputs), ("answers", summary.answers)):
        print(title)
        for name, count in sorted(counter.items()):
            print(f"  {name:34} {count}")
    seconds = time.monotonic() - began
    total = summary.inputs.total()
    internal = summary.answers["internal"]
    print(f"{total} inputs in {seconds:.1f} s: {broken} findings, {internal} internal")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
