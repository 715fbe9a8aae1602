"""Schema and rules are raised as a successor would do it (docs/decisions/10).

`raised.patch` is a release that reads one more schema, of another shape, and knows a second version
of the rules, by which no rake is taken; the release after it writes the one and plays by the other.
"""

import pytest

from cardroom.damage import UNREADABLE
from cardroom.store import read_state
from poker_engine.schema import SCHEMA, WRITE_SCHEMA
from tests.releases.crew import STAGES, Crew, Item, recorded, state_of, stored
from tests.simulation.release import OURS, Release, last_release, raised, raising

TEXTS = ("schema", "state", "log", "outbox", "results")
WRITTEN, NEXT = {"N": str(WRITE_SCHEMA)}, {"N": str(SCHEMA + 1)}


def _written_anew(item: Item, release: Release) -> Item:
    """As the release stores what it has read there."""
    store = release.module("cardroom.store")
    record = {"SequenceNumber": "1", "NewImage": item}
    update = release.module("cardroom.streamed").read_update(record)
    change = release.module("cardroom.stored").Change(
        before=0,
        after=store.read_table(item),
        from_seq=update.outbox.before,
        at=update.outbox.at,
        events=update.outbox.events,
    )
    written: Item = store.state_item(change)
    return written


def _texts(item: Item) -> list[str]:
    return [next(iter(item[name].values())) for name in TEXTS]


@pytest.mark.parametrize(("version", "stage"), STAGES)
def test_a_stored_table_goes_up_a_schema_and_down_again(version: str, stage: str) -> None:
    first = state_of(recorded(version, stage))
    second = _written_anew(first, raised())
    assert second["schema"] == NEXT
    assert first["state"] != second["state"]
    assert _texts(_written_anew(second, raised())) == _texts(second)
    lowered = _written_anew(second, raising())
    # Field by field what our own code makes of the first one.
    assert _texts(lowered) == _texts(_written_anew(first, OURS))
    assert read_state(lowered) == read_state(first)
    with pytest.raises(UNREADABLE):
        read_state(second)


def test_meta_decks_and_records_are_raised_too() -> None:
    with stored(recorded(last_release().name, "turn")) as memory:
        ours, theirs = Crew(OURS), Crew(raised())
        assert theirs.tables.meta("t").at == ours.tables.meta("t").at
        theirs.play_on()
        (record,) = theirs.records()
        assert theirs.replays(record)
        theirs.deal()
        deck = theirs.table.hand.deck
        assert memory.dynamo.item("SECRET#t", deck)["schema"] == NEXT  # type: ignore[index]
        after = Crew(raising(), theirs.clock, decks=300)
        after.play_out()
        assert [after.replays(record) for record in after.records()] == [True, True]
        assert after.balanced()


def test_a_record_to_which_a_later_release_adds_is_read_by_both() -> None:
    """A card shown after the hand rewrites the record's events alone."""
    with stored(recorded(last_release().name, "pre-flop")) as memory:
        ours = Crew(raising())
        ours.dealer.apply("t")
        module = ours.release.module
        while (hand := ours.table.running) is not None:
            # All fold to the last, who may then show.
            seat = ours.table.seats[hand.turn.seat].player
            fold = module("poker_engine.commands").Act(
                seat, hand.number, hand.turn.number, module("poker_engine.state").Do.FOLD, 0
            )
            ours.dealer.apply("t", ours._wish(fold, seat, f"f{hand.turns}"))
        (before,) = ours.records()
        theirs = Crew(raised(), ours.clock)
        winner = next(seat for seat in range(3) if theirs.table.hand.live >> seat & 1)
        commands = theirs.release.module("poker_engine.commands")
        show = commands.Show(theirs.table.seats[winner].player)
        applied = theirs.dealer.apply("t", theirs._wish(show, show.player, "s"))
        assert applied.refusal is None
        item = memory.dynamo.item("HAND#t", "000000001")
        assert item is not None
        assert (item["schema"], item["log_schema"]) == (WRITTEN, NEXT)
        for crew in (ours, theirs):
            (after,) = crew.records()
            assert crew.replays(after)
            assert len(after.events) > len(before.events)
        # The one has sealed all but the events, the other what it has made of these.
        assert flaws(ours) == flaws(theirs) == []
        spoilt = {**item, "log_schema": WRITTEN}
        memory.dynamo.put(("HAND#t", "000000001"), spoilt)
        assert flaws(ours)
        assert flaws(theirs)


def test_seals_are_of_what_is_stored_whoever_reads_it() -> None:
    """A chain of two releases, one schema each, is proven by both, and follows from one to the
    other; by a release that cannot read the later schema it is not.
    """
    with stored(recorded(last_release().name, "seated")) as memory:
        old = Crew(raising(), decks=200)
        old.deal()
        old.play_out()
        new = Crew(raised(), old.clock, decks=300)
        new.deal()
        new.play_out()
        again = Crew(raising(), old.clock, decks=400)
        again.deal()
        again.play_out()
        items = [memory.dynamo.item("HAND#t", f"{number:09d}") for number in (1, 2, 3)]
        schemas = [item["schema"] for item in items if item is not None]
        assert schemas == [WRITTEN, NEXT, WRITTEN]
        assert flaws(old) == flaws(new) == []
        assert flaws(Crew(OURS))[0] == "t hand 2: its record is not as a room writes one"


def flaws(crew: Crew) -> list[str]:
    """Of the table's chain, as this release proves it."""
    chain = crew.release.module("cardroom.proof").Chain("t")
    histories = crew.release.module("cardroom.histories").DynamoHistories.beside(crew.tables)
    found = [str(flaw) for _, several in chain.check(histories.items("t")) for flaw in several]
    end = chain.stands(crew.tables.load("t"))
    return found if end is None else [*found, str(end)]


def test_a_hand_ends_under_the_rules_under_which_it_began() -> None:
    with stored(recorded(last_release().name, "pre-flop")):
        ours = Crew(OURS)
        ours.act()
        theirs = Crew(raised(), ours.clock)
        theirs.play_out()
        theirs.deal()
        theirs.play_out()
        first, second = theirs.records()
        assert (first.rules, second.rules) == (1, 2)
        assert first.rake > 0
        assert second.rake == 0
        assert theirs.replays(first)
        assert theirs.replays(second)


def test_and_so_does_one_that_is_rolled_back_upon() -> None:
    """To a release that knows those rules, which is why it comes first."""
    with stored(recorded(last_release().name, "seated")):
        new = Crew(raised())
        new.deal()
        new.act()
        old = Crew(raising(), new.clock, decks=200)
        old.play_out()
        old.deal()
        old.play_out()
        first, second = old.records()
        assert (first.rules, second.rules) == (2, 1)
        assert (first.rake, second.rake > 0) == (0, True)


def test_a_hand_under_rules_yet_to_come_is_left_alone() -> None:
    with stored(recorded(last_release().name, "seated")):
        new = Crew(raised())
        new.deal()
        item = _written_anew(new.tables._item("TABLE#t", "STATE"), raising())
        assert item["schema"] == WRITTEN
        with pytest.raises(UNREADABLE, match="a hand of other rules"):
            read_state(item)
