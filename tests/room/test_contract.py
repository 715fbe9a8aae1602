"""All that is sent keeps to the contract, in whole evenings of play; and STATE stays small."""

import json
from enum import Enum
from random import Random
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from pydantic import TypeAdapter

from cardroom.contract import EventsPush, EventView, Snapshot, SnapshotPush
from cardroom.messages import Error, Ok
from poker_engine import events
from poker_engine.stakes import Settings, fixed_limit, table_settings
from poker_engine.views import event_view
from tests.room.conftest import Memory
from tests.room.world import World, settings

PLAYERS = tuple(f"p{number}" for number in range(6))


def _names_of_contract() -> set[str]:
    union = get_args(EventView.__value__)[0]
    return {
        name for model in get_args(union) for name in get_args(model.model_fields["e"].annotation)
    }


def test_the_contract_knows_every_event() -> None:
    snake = {
        "".join(f"_{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("_")
        for kind in events.Event.__value__.__args__
    }
    assert _names_of_contract() == snake
    assert event_view(events.Paused()) == {"e": "paused"}


def _some(hint: Any) -> Any:
    """A value of this type."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    if hint is Settings:
        return settings()
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        return tuple(_some(one) for one in inner if one is not Ellipsis)
    if get_origin(hint) is UnionType:
        return _some(get_args(hint)[0])
    return {int: 1, str: "one", bool: True}[hint]


@pytest.mark.parametrize("kind", get_args(events.Event.__value__))
def test_every_event_keeps_to_the_contract(kind: type[events.Event]) -> None:
    event = kind(**{name: _some(hint) for name, hint in get_type_hints(kind).items()})
    contract: TypeAdapter[EventView] = TypeAdapter(EventView)
    contract.validate_json(json.dumps(event_view(event)))


@pytest.mark.parametrize(
    "chosen",
    [
        settings(pause_ms=1000),
        table_settings(fixed_limit("USD", 1000), pause_ms=1000),
        settings(pause_ms=1000, time_bank_ms=20_000),
    ],
    ids=["no-limit", "fixed-limit", "time-bank"],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_is_sent_keeps_to_the_contract(
    memory: Memory, chosen: Settings, seed: int
) -> None:
    world, random = World(chosen, seed=seed), Random(seed)
    world.connect("guest")
    replies: list[Ok | Any] = [world.say("", "watch", on="guest")]
    world.seat(*PLAYERS, chips=chosen.maximum or 50_000)
    for _ in range(4):
        world.stream()
        if world.stored().table.next_hand_at is None:
            break
        world.deal()
        while (table := world.stored().table).running is not None:
            player = random.choice(PLAYERS)
            replies.append(world.say(player, "sync", seq=0))
            if random.random() < 0.1:
                route = random.choice(("sitout", "leave", "sitin"))
                fields = {} if route == "sitin" else {"when": random.choice(("now", "big_blind"))}
                replies.append(world.say(player, route, **fields))
                continue
            hand = table.hand
            assert hand is not None
            if random.random() < 0.3:
                do = random.choice(("check_fold", "call", "fold", "none"))
                prepared: dict[str, Any] = {"hand": hand.number, "price": hand.price, "do": do}
                replies.append(world.say(random.choice(PLAYERS), "preact", **prepared))
            if random.random() < 0.2 and hand.turn is not None and chosen.time_bank_ms:
                world.clock.go_to(hand.turn.expires)
                world.dealer.apply("t")
                if world.stored().table.running is None:
                    continue
            do = random.choice(("call", "check", "bet", "raise", "fold"))
            wish = (
                {"to": hand.price + chosen.stakes.big_blind * 2} if do in ("bet", "raise") else {}
            )
            replies.append(world.act(do, **wish))
            if random.random() < 0.05 and hand.turn is not None:
                world.clock.go_to(hand.turn.expires)
                world.dealer.apply("t")
            world.stream()
            world.fan_out()
    sent = b"".join(data for _, data in world.push.posts)
    assert b'"prepared"' in sent
    assert (b'"bank_opened"' in sent) == bool(chosen.time_bank_ms)
    kinds = set()
    for connection, data in world.push.posts:
        kinds.add((json.loads(data)["type"], connection == "guest"))
        model = EventsPush if json.loads(data)["type"] == "events" else SnapshotPush
        model.model_validate_json(data)
    assert {("events", False), ("snapshot", True)} <= kinds
    snapshots = [reply.snapshot for reply in replies if isinstance(reply, Ok) and reply.snapshot]
    assert len(snapshots) > 10
    for snapshot in snapshots:
        Snapshot.model_validate_json(json.dumps(snapshot))


def test_state_stays_small_with_ten_seats(memory: Memory) -> None:
    """3 KB on average over a hand, 8 KB at most."""
    world, random = World(settings(seats=10)), Random(3)
    world.seat(*(f"player-{number:08d}" for number in range(10)))
    for _ in range(4):
        world.deal()
        while (table := world.stored().table).running is not None:
            assert table.hand is not None
            price, chance = table.hand.price, random.random()
            if chance < 0.1:
                world.act("raise" if price else "bet", to=max(2 * price, price + 1000))
            elif isinstance(world.act("check"), Error):
                world.act("fold" if chance < 0.5 else "call")
    sizes = [
        sum(len(name) + len(*value.values()) for name, value in item.items())
        for item in world.tables.history
        if item["log"]["S"] != "[]"
    ]
    assert len(sizes) > 80
    assert sum(sizes) / len(sizes) < 2_700
    assert max(sizes) < 8000
