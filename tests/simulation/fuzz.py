"""Bad input over the wire: whatever is sent, the answer is a refusal with a code, never a fault."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

from cardroom.accounts import DynamoAccounts
from cardroom.bank import Bank, Order
from cardroom.errors import RoomCode
from cardroom.messages import MESSAGES
from cardroom.store import DynamoTables
from cardroom.systemclock import SystemClock
from cardroom.tables import open_table
from poker_engine.errors import Code
from poker_engine.stakes import no_limit, table_settings
from tests.simulation.cloud import TABLE, Cloud, simulated
from tests.simulation.faults import Faults
from tests.simulation.laws import CARD, Laws

SAMPLES: Final = Path(__file__).parents[2] / "events"
CODES: Final = {str(code) for code in (*RoomCode, *Code)}
PLAYERS: Final = ("ana", "ben", "cem", "dia")
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
RAW: Final = (b"", b"null", b"[]", b"{", b'"', b"\xff\xfe", b"NaN", b"[" * 5000, b'{"a":' * 5000)


class Broken(AssertionError):
    """A bad input was answered badly."""


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
        return self._torn(text) if dice.random() < 0.15 else text

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
            message[dice.choice(("Table", "player", "__proto__", "seat ", "\u0000"))] = 1
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


def fuzz(seed: int, inputs: int) -> Counter[str]:
    """Send so many; returns how often each code was answered. Raises Broken."""
    import command.app

    fuzzer, faults = Fuzzer(seed), Faults(seed)
    faults.calm = True
    cloud = Cloud(seed, faults)
    laws = Laws(cloud)
    answered: Counter[str] = Counter()
    with simulated(cloud):
        store = DynamoTables(TABLE)
        bank = Bank(DynamoAccounts(TABLE, store._client), SystemClock())
        order = Order("fuzz", "to play with")
        open_table(store, "t", table_settings(no_limit("PHP", 500), clock_ms=5_000), cloud.now)
        for player in PLAYERS:
            bank.create(player, order)
            bank.deposit(player, "PHP", 10_000_000, f"{player}-1", order)
            cloud.connect(player, player, lambda accepted: None)
        cloud.connect("guest", "", lambda accepted: None)
        cloud.sweep_forever()
        cloud.scheduler.run(cloud.now + 100)
        instance = cloud.instance("command")
        command.app.composed = lambda: instance.composed
        for number in range(inputs):
            if not number % 20:
                # The game goes on beside.
                cloud.scheduler.run(cloud.now + fuzzer.dice.randint(0, 3_000), laws.look)
                command.app.composed = lambda: instance.composed
            connection = fuzzer.dice.choice((*PLAYERS, "guest"))
            player = "" if connection == "guest" else connection
            body = fuzzer.body()
            answered[_answer(cloud, laws, connection, player, body)] += 1
        if cloud.notes.faults:
            raise Broken(f"a fault was reported: {cloud.notes.faults[0]}")
    return answered


def _answer(cloud: Cloud, laws: Laws, connection: str, player: str, body: str) -> str:
    """The code of the answer; "ok" where it was good input after all."""
    import command.app

    _wished(laws, player, body)
    event = {**cloud.request(connection, player, "MESSAGE"), "body": body}
    reply = command.app.handler(event, None)
    laws.look()
    text = reply["body"]
    answer = json.loads(text)
    if reply["statusCode"] != 200 or "Traceback" in text:
        raise Broken(f"{body[:200]!r} was answered {text[:200]!r}")
    if answer["type"] == "ok":
        if CARD.search(data := text.encode()):
            seq = answer["snapshot"]["seq"]
            laws.may_see("t", player, data, seq, seq)
        return "ok"
    if answer["code"] not in CODES or answer["code"] == "internal":
        raise Broken(f"{body[:200]!r} was answered {text[:200]!r}")
    return str(answer["code"])


def _wished(laws: Laws, player: str, body: str) -> None:
    """What a message asks for that may be a good one."""
    try:
        message = json.loads(body)
        laws.asked(player, message)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        pass
