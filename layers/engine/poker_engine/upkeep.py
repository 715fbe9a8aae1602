"""What a table does between hands: chips added, seats emptied, the next hand set.

RULES 1.5, 1.6, 2.6 to 2.9, 4.3.
"""

from poker_engine.blinds import buys_in_time, expected
from poker_engine.clock import nearest_second
from poker_engine.course import Course
from poker_engine.events import (
    Closed,
    HandScheduled,
    SatOut,
    SeatEmptied,
    TopUpPlayed,
)
from poker_engine.state import Exit, Seat, Status, Table


def after_hand(course: Course) -> None:
    """The hand has ended or is void."""
    table = course.table
    for number, seat in enumerate(table.seats):
        if seat is None:
            continue
        if seat.exit is not None:
            empty(course, number, seat.exit)
        elif not table.closing:
            _keep(course, number, seat)
    if table.closing:
        close(course)
    elif not table.frozen:
        schedule(course)


def _keep(course: Course, number: int, seat: Seat) -> None:
    """Who stays gets his top-up; he may have sat out for too long, or have nothing left."""
    out = seat.standing.status is Status.OUT
    # Who came back while the last of them was played keeps his seat, if he lets no other pass.
    allowed = course.table.settings.sit_out_passes
    if seat.standing.passes >= (allowed if out else allowed + 1) and not course.table.frozen:
        empty(course, number, Exit.SAT_OUT)
        return
    if seat.topup:
        play_top_up(course, number)
        seat = course.seat(number)
    if seat.stack == 0 and not out and not buys_in_time(seat):
        course.add(SatOut(number, course.now))


def refills(table: Table) -> tuple[tuple[int, str, int], ...]:
    """(seat, player, chips) of what seats buy by themselves before the next hand (RULES 10.1).

    Nothing where no hand would begin even so.
    """
    if len(expected(table)) < 2:
        return ()
    return tuple(
        (number, seat.player, seat.refill - seat.chips)
        for number, seat in enumerate(table.seats)
        if seat is not None
        and seat.exit is None
        and seat.standing.status is not Status.OUT
        and seat.chips < seat.refill
    )


def sit_out_the_broke(course: Course) -> None:
    """A hand is about to begin for which these could not buy chips (RULES 10.1)."""
    if len(expected(course.table)) < 2:
        return
    for number, seat in enumerate(course.table.seats):
        if buys_in_time(seat):
            course.add(SatOut(number, course.now))


def play_top_up(course: Course, number: int) -> None:
    """Add what was paid for, as far as the maximum allows; the rest waits (RULES 1.5).

    To a stack of 0 nothing is added before it is the minimum.
    """
    seat = course.seat(number)
    maximum = course.table.settings.maximum
    if seat.stack == 0 and seat.topup < course.table.settings.minimum:
        return
    room = seat.topup if maximum is None else min(seat.topup, maximum - seat.stack)
    if room > 0:
        course.add(TopUpPlayed(number, room))


def empty(course: Course, number: int, why: Exit) -> None:
    """The seat and its chips go."""
    seat = course.seat(number)
    course.add(SeatEmptied(number, seat.player, seat.chips, why, course.now))


def close(course: Course) -> None:
    """Everybody is paid out, without debt (RULES 2.8)."""
    for number, seat in enumerate(course.table.seats):
        if seat is not None:
            empty(course, number, Exit.CLOSED)
    course.add(Closed())


def schedule_if_ready(course: Course) -> None:
    """A table at rest begins again as soon as two can play."""
    table = course.table
    if table.running is not None or table.next_hand_at is not None or table.frozen:
        return
    if len(expected(table)) >= 2:
        schedule(course)


def schedule(course: Course) -> None:
    """The next hand begins after the pause."""
    pause = course.table.settings.pause_ms
    course.add(HandScheduled(nearest_second(course.now + pause)))
