"""The chain of records: sealed in the write that ends the hand, and every change of it is found."""

import json
from ast import literal_eval
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cardroom import keys
from cardroom.damage import Attributes, DamagedError
from cardroom.errors import Ambiguous
from cardroom.histories import DynamoHistories
from cardroom.messages import Ok
from cardroom.proof import RECORDED, Chain, Flaw, Heads
from cardroom.seals import seal_of
from cardroom.stored import Change
from tests.room.faults import transactions
from tests.room.world import TABLE, World


def histories(world: World) -> DynamoHistories:
    return DynamoHistories.beside(world.tables)


def items(world: World) -> list[Attributes]:
    return list(histories(world).items("t"))


def flaws(
    world: World, found: list[Attributes] | None = None, heads: Heads | None = None
) -> list[str]:
    """Of the table's chain, or of these records in their place."""
    chain = Chain("t", (heads or Heads()).of("t"))
    checked = chain.check(items(world) if found is None else found)
    told = [str(flaw) for _, several in checked for flaw in several]
    end = chain.stands(world.stored())
    return told if end is None else [*told, str(end)]


def play(world: World, hands: int) -> None:
    for _ in range(hands):
        world.deal()
        world.play_out()


@pytest.fixture
def played(memory: None) -> World:
    """Three hands: a showdown, one with a show after it, and a void one."""
    world = World()
    world.seat("ana", "ben", "cyd")
    play(world, 1)
    world.deal()
    while world.stored().table.running is not None:
        assert isinstance(world.act("fold"), Ok)
    hand = world.stored().table.hand
    assert hand is not None
    winner = world.stored().table.seats[hand.pots[0].shares[0][0]]
    assert winner is not None
    assert isinstance(world.say(winner.player, "show", cards=[0]), Ok)
    assert isinstance(world.say(winner.player, "show", cards=[1]), Ok)
    world.deal()
    world.dealer.void("t", "a fault")
    return world


def heads_of(world: World) -> Heads:
    """What the functions' log has kept."""
    heads = Heads()
    for fields in logged(world):
        assert heads.add(json.dumps(fields))
    return heads


def logged(world: World) -> list[dict[str, Any]]:
    """The fields of each line about a record."""
    lines = (line.split(" ", 1) for line in world.signals.lines)
    return [dict(literal_eval(rest)) for what, rest in lines if what == RECORDED]


def test_each_record_is_sealed_and_follows_the_one_before(played: World) -> None:
    found = items(played)
    assert len(found) == 3
    before = ""
    for number, item in enumerate(found, start=1):
        assert item["before"]["S"] == before
        before = item["seal"]["S"]
        assert seal_of("t", number, item) == before
    assert played.stored().seal == before
    assert flaws(played) == []
    assert flaws(played, heads=heads_of(played)) == []


def test_what_cannot_be_a_seal_is_damage(played: World) -> None:
    """It would be logged with the next hand, and whatever was put there with it."""
    client: Any = played.tables._client
    state = {"pk": {"S": keys.table("t")}, "sk": {"S": keys.STATE}}
    item = client.get_item(TableName=TABLE, Key=state)["Item"]
    seal = item["seal"]["S"]
    for other in (seal[:-1], seal + "A", "x", seal[:-1] + " "):
        client.put_item(TableName=TABLE, Item={**item, "seal": {"S": other}})
        with pytest.raises(DamagedError):
            played.tables.load("t")


def test_what_is_shown_later_is_sealed_anew(played: World) -> None:
    """Each line that was logged for the hand is of another seal."""
    assert len(heads_of(played).of("t")[2]) == 3


def test_the_chain_costs_no_read_and_no_write(
    memory: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World()
    world.seat("ana", "ben")
    world.deal()
    calls: list[str] = []
    world.tables._client.meta.events.register(
        "before-call.dynamodb.*", lambda model, **_: calls.append(model.name)
    )
    seen = transactions(world, monkeypatch)
    while world.stored().table.running is not None:
        calls.clear()
        world.play_out()
    touched = [next(iter(part.values())) for part in seen[-1]]
    kinds = [one["Item"]["pk"]["S"].split("#")[0] for one in touched if "Item" in one]
    assert kinds[:2] == ["TABLE", "HAND"]
    assert "Query" not in calls
    assert "Scan" not in calls


def test_a_write_that_is_decided_again_is_sealed_once(
    memory: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether its answer was lost or it was: the hand has one record, and the chain goes on."""
    world = World()
    world.seat("ana", "ben")
    write = world.tables.write
    tries = 0

    def lossy(change: Change) -> None:
        nonlocal tries
        if change.record is None:
            return write(change)
        tries += 1
        if tries % 2:
            if tries % 4 == 1:
                write(change)
            raise Ambiguous
        return write(change)

    monkeypatch.setattr(world.tables, "write", lossy)
    for _ in range(4):
        world.deal()
        while world.stored().table.running is not None:
            world.act("fold")
    assert len(items(world)) == 4
    assert tries > 4
    assert flaws(world) == []
    assert flaws(world, heads=heads_of(world)) == []


def flips(item: Attributes) -> Iterator[tuple[str, Attributes]]:
    """The record with each of its bytes changed in turn, to one that its attribute may hold."""
    for name, typed in item.items():
        if name in ("pk", "sk"):
            continue
        ((kind, value),) = typed.items()
        text = str(value)
        for place, sign in enumerate(text):
            other = chr(ord(sign) ^ 1)
            yield name, {**item, name: {kind: text[:place] + other + text[place + 1 :]}}


def test_each_byte_of_a_record_is_proven(played: World) -> None:
    """Flipped in turn, in each of the records: found, and the hand is named, every time."""
    found = items(played)
    tried = 0
    for number, item in enumerate(found, start=1):
        for name, flipped in flips(item):
            changed = [*found[: number - 1], flipped, *found[number:]]
            told = first_flaw(changed)
            assert told is not None, f"a changed byte of {name} is not found"
            assert (told.table_id, told.hand) == ("t", str(number)), (name, told)
            tried += 1
    assert tried > 3_000


def first_flaw(changed: list[Attributes]) -> Flaw | None:
    chain = Chain("t")
    return next((flaw for _, several in chain.check(changed) for flaw in several), None)


@pytest.mark.parametrize("name", ["pk", "sk"])
def test_each_byte_of_a_key_is_proven(played: World, name: str) -> None:
    """A record under another key is missing where it should be."""
    found = items(played)
    middle = found[1]
    text = middle[name]["S"]
    for place, sign in enumerate(text):
        other = text[:place] + chr(ord(sign) ^ 1) + text[place + 1 :]
        moved = {**middle, name: {"S": other}}
        partition = moved["pk"]["S"]
        there = [*found[:1], *([moved] if partition == keys.hand("t") else []), *found[2:]]
        told = flaws(played, sorted(there, key=lambda item: item["sk"]["S"]))
        assert any("hand 2: there is no record" in one for one in told), (other, told)


def test_a_blank_in_a_text_is_found(played: World) -> None:
    """What reads the same is not the same."""
    found = items(played)
    for name in ("events", "opening", "pots", "deck"):
        wider = {**found[0], name: {"S": found[0][name]["S"].replace(",", ", ", 1) + " "}}
        told = first_flaw([wider, *found[1:]])
        assert told is not None
        assert told.hand == "1"


def test_an_attribute_too_many_or_too_few_is_found(played: World) -> None:
    found = items(played)
    more = {**found[1], "note": {"S": "paid twice"}}
    assert "hand 2" in str(first_flaw([found[0], more, found[2]]))
    for name in set(found[1]) - {"pk", "sk"}:
        less = {key: value for key, value in found[1].items() if key != name}
        assert "hand 2" in str(first_flaw([found[0], less, found[2]])), name


def test_a_record_that_is_gone_or_out_of_place_is_found(played: World) -> None:
    found = items(played)
    assert flaws(played, found[1:])[0] == "t hand 1: there is no record"
    assert flaws(played, [found[0], found[2]])[0] == "t hand 2: there is no record"
    assert flaws(played, found[:2]) == ["t hand 3: it was recorded, and is gone"]
    assert flaws(played, found[:2], heads_of(played))[0] == "t hand 3: it was recorded, and is gone"
    swapped = {**found[2], "sk": found[1]["sk"]}
    assert flaws(played, [found[0], swapped])[0].startswith("t hand 2: its record is not the one")


def test_a_chain_that_was_made_anew_is_found_by_what_was_kept_elsewhere(played: World) -> None:
    """Whoever may write all items can seal another game; the log has the seals of this one."""
    heads = heads_of(played)
    forged, before = [], ""
    for number, item in enumerate(items(played), start=1):
        other = {**item, "ended": {"N": str(int(item["ended"]["N"]) + 1)}, "before": {"S": before}}
        before = seal_of("t", number, other)
        forged.append({**other, "seal": {"S": before}})
    chain = Chain("t", heads.of("t"))
    told = [str(flaw) for _, several in chain.check(forged) for flaw in several]
    kept = "its seal is not the one that was kept elsewhere"
    assert [f"t hand {number}: {kept}" for number in (1, 2, 3)] == [
        one for one in told if kept in one
    ]


def test_records_of_before_there_were_seals_are_counted_not_accused(played: World) -> None:
    """As an older release wrote them; the chain begins after them."""
    found = items(played)
    old = [
        {name: value for name, value in item.items() if name not in ("before", "seal")}
        for item in found
    ]
    chain = Chain("t")
    assert [flaw for _, several in chain.check(old) for flaw in several] == []
    assert chain.unsealed == 3


def test_an_older_release_in_between_leaves_a_gap_and_no_alarm_of_what_follows(
    memory: None,
) -> None:
    """It writes STATE without the seal: the next hand begins the chain anew."""
    world = World()
    world.seat("ana", "ben")
    play(world, 1)
    stored = world.stored()
    forgotten = replace(stored, version=stored.version + 1, seal="")
    world.tables.write(Change(stored.version, forgotten, stored.table.seq, world.clock.now(), ()))
    play(world, 2)
    told = flaws(world)
    assert told == ["t hand 2: its record does not follow the one before it"]
    assert flaws(world, heads=heads_of(world)) == told


def test_the_log_tells_every_seal_though_a_line_is_lost(played: World) -> None:
    """Each line names the seal of the hand before it."""
    heads = Heads()
    for fields in logged(played):
        if fields["hand"] != 1:
            heads.add(json.dumps(fields))
    assert set(heads.of("t")) == {1, 2, 3}
    assert flaws(played, heads=heads) == []
