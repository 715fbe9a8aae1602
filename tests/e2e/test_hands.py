"""Hands played on the local room over real WebSockets."""

import json
from concurrent.futures import Future
from typing import Any

import pytest

from cli.record import case_of_record
from cli.replay import replay_case
from local.tables import LocalTables
from poker_engine.codec import load_events, load_table
from poker_engine.replay import replay
from tests.e2e.hidden_cards import Truth, leaks
from tests.e2e.table_of_six import HANDS, Played

pytestmark = pytest.mark.e2e

type Playing = dict[str, Future[Any]]


@pytest.fixture(scope="module")
def six(playing: Playing) -> Played:
    played: Played = playing["thirty hands"].result(180)
    return played


@pytest.fixture(scope="module")
def silent(playing: Playing) -> Played:
    played: Played = playing["silent"].result(180)
    return played


def test_six_bots_play_thirty_hands(six: Played, tables: LocalTables) -> None:
    records = tables.hands("six")
    assert len(records) >= HANDS
    assert six.acts >= 3 * HANDS
    assert six.refusals == []
    assert six.faults == 0


def test_chips_are_conserved_throughout(six: Played, silent: Played) -> None:
    assert len(six.missing) >= HANDS
    assert set(six.missing) == {0}
    assert set(silent.missing) == {0}


@pytest.mark.rule("6.3")
def test_records_replay_and_agree_as_cases(six: Played, tables: LocalTables) -> None:
    rake = 0
    for record in tables.hands(six.table):
        after = replay(load_events(record.events), load_table(record.opening))
        assert after.hand is not None
        assert (after.hand.number, after.hand.over) == (record.number, True)
        assert replay_case(case_of_record(record)).difference is None
        rake += record.rake
    assert tables.raked(six.table) == rake > 0


@pytest.mark.rule("7")
def test_nobody_receives_a_hidden_card(six: Played, tables: LocalTables) -> None:
    """No byte to a spectator or a player holds a foreign hole card before it is shown."""
    truth = Truth(tables.hands(six.table))
    own_cards = 0
    for received in (*six.received, *six.spectators):
        found = leaks(truth, received)
        assert found.leaked == [], received.player
        assert found.public > 0, received.player
        own_cards += found.own
        assert (found.own > 0) == (received in six.received)
    assert own_cards > HANDS


@pytest.mark.rule("7")
def test_anybody_may_watch(six: Played) -> None:
    """Whole public snapshots of every hand reach a player without a seat, and a guest."""
    for spectator in six.spectators:
        pushes = [json.loads(text) for text in spectator.texts]
        shots = [one for one in pushes if one.get("type") == "snapshot"]
        hands = [one["state"]["hand"]["number"] for one in shots if one["state"]["hand"]]
        assert set(range(2, HANDS)) <= set(hands)
        assert not [one for one in pushes if one.get("type") == "events"]


def test_check_for_hidden_cards_sees_one(six: Played, tables: LocalTables) -> None:
    """What one player received is a leak if it goes to another one."""
    truth = Truth(tables.hands(six.table))
    first, second = six.received[:2]
    swapped = type(first)(second.player, first.texts)
    assert leaks(truth, swapped).leaked
