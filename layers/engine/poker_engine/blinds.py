"""Button, blinds, and who is dealt in (RULES 2.1 to 2.6)."""

from poker_engine.frozen import dataclass
from poker_engine.stakes import Ante
from poker_engine.state import Post, Seat, Status, Table, clockwise


@dataclass(frozen=True, slots=True)
class Layout:
    """The next hand's seats. `fresh`: by a new draw, nobody posts to come in (RULES 2.3)."""

    button: int
    small_blind: int
    big_blind: int
    dealt: tuple[int, ...]
    fresh: bool


def can_play(seat: Seat | None) -> bool:
    """Has chips and wants cards: active, waiting for the big blind, or about to post."""
    return (
        seat is not None
        and seat.exit is None
        and seat.stack > 0
        and seat.standing.status is not Status.OUT
    )


def buys_in_time(seat: Seat | None) -> bool:
    """Has nothing left, but wants cards and buys chips before they are dealt (RULES 10.1)."""
    return (
        seat is not None
        and seat.exit is None
        and seat.stack == 0
        and seat.refill > 0
        and seat.standing.status is not Status.OUT
    )


def is_active(seat: Seat | None) -> bool:
    """RULES 1.1."""
    return can_play(seat) and seat is not None and seat.standing.status is Status.ACTIVE


def ready(table: Table) -> list[int]:
    return [number for number, seat in enumerate(table.seats) if can_play(seat)]


def expected(table: Table) -> list[int]:
    """Who will be ready when the next hand begins, as far as anybody knows."""
    return [
        number for number, seat in enumerate(table.seats) if can_play(seat) or buys_in_time(seat)
    ]


def lay_out(table: Table, draw: int) -> Layout | None:
    """The next hand's button, blinds and seats, or None with fewer than two players.

    `draw` is uniform in range(2520), so that it draws fairly among 1 to 10 (RULES 2.2, 2.3).
    """
    players = ready(table)
    active = [number for number in players if is_active(table.seats[number])]
    if table.fresh or len(active) < 2:
        return _fresh(table, players, draw)
    if len(active) == 2:
        return _two_active(table, players, active, draw)
    around = len(table.seats)
    last = table.button if table.button is not None else 0
    button = next(seat for seat in clockwise(last, around) if seat in active)
    small = next(seat for seat in clockwise(button, around) if seat in active)
    big = next(seat for seat in clockwise(small, around) if seat in players)
    return _ring(table, button, small, big)


def _fresh(table: Table, players: list[int], draw: int) -> Layout | None:
    if len(players) < 2:
        return None
    around = len(table.seats)
    if len(players) == 2:
        button = _heads_up_button(table, players, draw)
        (other,) = set(players) - {button}
        return Layout(button, button, other, (other, button), fresh=True)
    button = players[draw % len(players)]
    dealt = tuple(seat for seat in clockwise(button, around) if seat in players)
    return Layout(button, dealt[0], dealt[1], dealt, fresh=True)


def _heads_up_button(table: Table, pair: list[int], draw: int) -> int:
    """Of two, whoever posted the big blind last; if neither has, a draw (RULES 2.2)."""

    def last_big_blind(number: int) -> int:
        seat = table.seats[number]
        return seat.standing.big_blind_hand if seat is not None else 0

    first, second = pair
    if last_big_blind(first) == last_big_blind(second):
        return pair[draw % 2]
    return first if last_big_blind(first) > last_big_blind(second) else second


def _two_active(table: Table, players: list[int], active: list[int], draw: int) -> Layout:
    """Heads-up; three-handed by a waiting player who sits after the other, before the button."""
    button = _heads_up_button(table, active, draw)
    (other,) = set(active) - {button}
    for seat in clockwise(other, len(table.seats)):
        if seat == button:
            break
        if seat in players:
            return _ring(table, button, other, seat)
    return Layout(button, button, other, (other, button), fresh=False)


def _ring(table: Table, button: int, small: int, big: int) -> Layout:
    """Who waits may be the big blind; a poster comes in after it, before the button (RULES 2.5)."""
    dealt = []
    past_big_blind = False
    for number in clockwise(button, len(table.seats)):
        seat = table.seats[number]
        if number == big or is_active(seat) or (past_big_blind and _posts_in(table, seat)):
            dealt.append(number)
        past_big_blind = past_big_blind or number == big
    return Layout(button, small, big, tuple(dealt), fresh=False)


def _posts_in(table: Table, seat: Seat | None) -> bool:
    """He wants to post, and keeps chips behind his whole post (RULES 2.5)."""
    return (
        seat is not None
        and can_play(seat)
        and seat.standing.status is Status.POSTING
        and seat.stack > _whole_post(table, seat)
    )


def _whole_post(table: Table, seat: Seat) -> int:
    stakes = table.settings.stakes
    post = stakes.ante if stakes.ante_by is Ante.EACH else 0
    if seat.standing.owes_small:
        post += stakes.small_blind
    if seat.standing.owes_big:
        post += stakes.big_blind
    return post


def posts(table: Table, layout: Layout) -> list[tuple[int, Post, int]]:
    """(seat, kind, nominal amount) in order: antes, blinds, what others owe (RULES 2.6, 3.9)."""
    stakes = table.settings.stakes
    result: list[tuple[int, Post, int]] = []
    if stakes.ante:
        payers = layout.dealt if stakes.ante_by is Ante.EACH else (layout.big_blind,)
        result += [(seat, Post.ANTE, stakes.ante) for seat in payers]
    result.append((layout.small_blind, Post.SMALL_BLIND, stakes.small_blind))
    result.append((layout.big_blind, Post.BIG_BLIND, stakes.big_blind))
    if layout.fresh:
        return result
    for number in layout.dealt:
        seat = table.seats[number]
        if seat is None or number == layout.big_blind:
            continue
        if seat.standing.owes_small:
            result.append((number, Post.DEAD, stakes.small_blind))
        if seat.standing.owes_big:
            result.append((number, Post.LIVE, stakes.big_blind))
    return result


def missed(table: Table, layout: Layout) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Seats that the small and the big blind pass with this hand (RULES 2.6).

    Who is not dealt in owes what passes him; a newcomer, who has yet to come in by a big blind,
    owes no small one.
    """
    if layout.fresh:
        return (), ()

    def passed(last: int | None, now: int, *, newcomers: bool) -> tuple[int, ...]:
        if last is None or last == now:
            return ()
        between: list[int] = []
        for number in clockwise(last, len(table.seats)):
            if number == now:
                break
            seat = table.seats[number]
            if seat is None or number in layout.dealt:
                continue
            if seat.standing.played or newcomers:
                between.append(number)
        return tuple(between)

    return (
        passed(table.small_blind, layout.small_blind, newcomers=False),
        passed(table.big_blind, layout.big_blind, newcomers=True),
    )
