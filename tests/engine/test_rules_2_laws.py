"""RULES 2 as laws: whoever comes, goes, posts and waits, each hand is laid out by the book."""

import random

import pytest

from poker_engine.commands import Leave, Sit, SitIn, SitOut, When
from poker_engine.events import HandStarted, Posted
from poker_engine.replay import replay
from poker_engine.state import Post, Seat, Status, Table
from tests.engine.kit import MINUTE, Game, opened

SEATS = 7


def _ready(table: Table) -> dict[int, Seat]:
    """Who could be dealt in: chips, and not sitting out."""
    return {
        number: seat
        for number, seat in enumerate(table.seats)
        if seat is not None and seat.stack and seat.standing.status is not Status.OUT
    }


def _first(after: int, among: set[int]) -> int:
    """The first of these seats left of `after`."""
    return min(among, key=lambda seat: (seat - after - 1) % SEATS)


def _between(first: int, last: int) -> set[int]:
    """Seats strictly between two, clockwise."""
    return {(first + step) % SEATS for step in range(1, (last - first) % SEATS or SEATS)}


def _by_the_book(before: Table, started: HandStarted, posts: list[Posted], paid: list[str]) -> None:
    """`before`: the table just before the hand; `paid`: who posted big blinds here, in order."""
    ready = _ready(before)
    active = {number for number, seat in ready.items() if seat.standing.status is Status.ACTIVE}
    dealt = set(started.dealt)
    button, small, big = started.button, started.small_blind, started.big_blind
    assert small is not None
    assert big is not None
    assert list(started.dealt) == sorted(dealt, key=lambda seat: (seat - button - 1) % SEATS)
    assert [(one.seat, one.post) for one in posts[:2]] == [
        (small, Post.SMALL_BLIND),
        (big, Post.BIG_BLIND),
    ]
    if before.fresh or len(active) < 2:
        assert started.fresh
        assert dealt == set(ready)
        assert len(posts) == 2
        return

    assert not started.fresh
    assert active <= dealt <= set(ready)
    assert {button, small} <= active
    if len(active) == 2:
        have_paid = [one for one in paid if one in {ready[number].player for number in active}]
        if have_paid:
            assert ready[button].player == have_paid[-1]
    else:
        assert before.button is not None
        assert button == _first(before.button, active)
    if len(dealt) == 2:
        assert small == button
        assert not _between(big, button) & set(ready)
    else:
        assert small == _first(button, active)
        assert big == _first(small, set(ready))
        assert not (_between(button, big) - {small}) & dealt
    for number in dealt - active - {big}:
        standing = ready[number].standing
        assert standing.status is Status.POSTING
        assert number in _between(big, button)
        due = {Post.DEAD: 5 * standing.owes_small, Post.LIVE: 10 * standing.owes_big}
        own = {one.post: one.amount for one in posts[2:] if one.seat == number}
        assert own == {post: amount for post, amount in due.items() if amount}
        assert sum(own.values()) < ready[number].stack
    assert {one.seat for one in posts[2:]} == dealt - active - {big}


def _something_happens(game: Game, chance: random.Random) -> None:
    player = f"p{chance.randrange(10)}"
    game.tries(
        chance.choice(
            (
                Sit(
                    player,
                    chance.randrange(SEATS),
                    chance.choice((100, 1000)),
                    chance.random() < 0.5,
                ),
                Sit(player, chance.randrange(SEATS), 1000, True),
                SitOut(player, chance.choice((When.NOW, When.BIG_BLIND))),
                SitIn(player, chance.random() < 0.6),
                SitIn(player, True),
                Leave(player, chance.choice((When.NOW, When.BIG_BLIND))),
            )
        )
    )


@pytest.mark.rule("2.1")
@pytest.mark.rule("2.2")
@pytest.mark.rule("2.3")
@pytest.mark.rule("2.5")
@pytest.mark.parametrize("seed", range(40))
def test_every_hand_is_laid_out_by_the_book(seed: int) -> None:
    chance = random.Random(seed)
    game = opened(seats=SEATS, sit_out_passes=5)
    paid: list[str] = []
    hands = 0
    for _ in range(120):
        for _ in range(chance.randrange(4)):
            _something_happens(game, chance)
        if game.table.next_hand_at is None:
            game.wait(MINUTE)
            game.settle_due()
            continue
        earlier = game.table
        game.next_hand(chance.randrange(2520))
        started = game.of(HandStarted)
        if not started:
            continue
        # Plans for this big blind are carried out before the hand begins.
        before = replay(game.last[: game.last.index(started[0])], earlier)
        _by_the_book(before, started[0], game.of(Posted), paid)
        hands += 1
        assert started[0].big_blind is not None
        poster = game.seat(started[0].big_blind).player
        paid = [one for one in paid if one != poster] + [poster]
        if chance.random() < 0.3:
            _something_happens(game, chance)
        game.fold_out()
    assert hands > 30
    assert game.replayed() == game.table
