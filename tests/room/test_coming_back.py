"""Who loses his connection, or takes another device, finds everything to go on with."""

import json
from typing import Any

import pytest

from cardroom.connections import LIVES_SECONDS
from cardroom.messages import Error, Ok
from cardroom.tables import open_table
from poker_engine.cards import DECK, parse_cards
from poker_engine.state import Turn
from tests.room.world import World, settings

pytestmark = pytest.mark.rule("4.4")

LIFETIME_MS = LIVES_SECONDS * 1000
FIRST_WINS = "As7cAh2dKdQd9h8s3c"
"""For two: the first to be dealt to has aces."""


def _turn(world: World) -> tuple[str, Turn]:
    """Whose turn it is, and which."""
    table = world.stored().table
    assert table.hand is not None
    turn = table.hand.turn
    assert turn is not None
    seat = table.seats[turn.seat]
    assert seat is not None
    return seat.player, turn


def _watch(world: World, player: str, on: str, table: str = "t") -> dict[str, Any]:
    """The snapshot of the reply."""
    answer = world.say(player, "watch", on=on, table=table)
    assert isinstance(answer, Ok), answer
    assert answer.snapshot is not None
    return answer.snapshot


def _pushes(world: World, connection: str) -> list[Any]:
    """What the stream has brought to it, and to nobody since."""
    world.stream()
    found = [json.loads(data) for data in world.push.to(connection)]
    world.push.posts.clear()
    return found


def _in_a_hand(world: World) -> tuple[str, Turn]:
    """Two play; the first has raised, and it is the other's turn."""
    world.seat("ana", "ben")
    world.deal()
    assert isinstance(world.act("raise", to=3_000), Ok)
    world.stream()
    world.push.posts.clear()
    return _turn(world)


@pytest.mark.parametrize("told", [True, False], ids=["closed", "broken off"])
def test_in_the_middle_of_his_turn_he_finds_all_that_he_needs(world: World, told: bool) -> None:
    """Whether or not the room has been told that his connection ended."""
    player, turn = _in_a_hand(world)
    before = _watch(world, player, player)
    if told:
        world.views.disconnect(player)
    world.clock.go(4_000)
    world.connect("phone", player)
    snapshot = _watch(world, player, "phone")
    state = snapshot["state"]
    assert snapshot["seq"] == world.stored().table.seq
    assert len(state["hole"]) == 2
    assert state["hole"] == before["state"]["hole"]
    shown = state["turn"]
    assert (shown["seat"], shown["number"], shown["price"]) == (turn.seat, turn.number, 3_000)
    assert shown["to_call"] == 2_000
    assert (shown["verb"], shown["min_to"], shown["max_to"]) == ("raise", 5_000, 100_000)
    assert shown["deadline"] - snapshot["now"] == 15_000 - 4_000
    log = [event["e"] for event in state["log"]]
    assert log == ["hand_started", "posted", "posted", "turn_began", "acted", "turn_began"]
    assert state == before["state"]
    answer = world.say(player, "act", on="phone", hand=1, turn=turn.number, do="call")
    assert isinstance(answer, Ok)
    (pushed,) = _pushes(world, "phone")
    assert (pushed["before"], pushed["seq"]) == (snapshot["seq"], answer.seq)


def test_after_two_hours_he_comes_back_though_nothing_is_known_of_him(world: World) -> None:
    """His connection's items have expired; whether they have been deleted makes no difference."""
    world.seat("ana", "ben")
    world.clock.go(LIFETIME_MS)
    world.dealer.apply("t")
    assert world.views.audience("t", world.clock.now()).seated == ()
    assert _pushes(world, "ana") == []
    player, turn = _turn(world)
    for name in ("ana", "ben"):
        world.connect(f"{name}-2", name)
        snapshot = _watch(world, name, f"{name}-2")
        assert len(snapshot["state"]["hole"]) == 2
        assert snapshot["state"]["turn"]["number"] == turn.number
    assert isinstance(world.say(player, "act", on=f"{player}-2", hand=1, turn=1, do="call"), Ok)
    world.stream()
    assert {connection for connection, _ in world.push.posts} == {"ana-2", "ben-2"}


def test_a_message_over_a_connection_that_is_forgotten_is_answered_all_the_same(
    world: World,
) -> None:
    """Whose it is comes with the connection; only pushes need its items."""
    player, turn = _in_a_hand(world)
    world.views.disconnect(player)
    assert isinstance(world.say(player, "act", hand=1, turn=turn.number, do="call"), Ok)


def test_all_his_devices_see_the_same(world: World) -> None:
    world.seat("ana", "ben")
    world.connect("phone", "ana")
    assert _watch(world, "ana", "phone") == _watch(world, "ana", "ana")
    world.deal()
    world.play_out()
    assert isinstance(world.say("ana", "sitout", on="phone", when="big_blind"), Ok)
    world.stream()
    laptop, phone = world.push.to("ana")[-1:], world.push.to("phone")
    assert len(phone) > 10
    # From where the second began to watch.
    assert world.push.to("ana")[-len(phone) :] == phone
    assert json.loads(laptop[0])["events"] == [{"e": "planned", "seat": 0, "plan": "sit_out"}]
    others = [json.loads(data) for data in world.push.to("ben")]
    assert not any(event["e"] == "planned" for one in others for event in one["events"])


def test_the_later_of_two_commands_on_one_turn_is_told_so(world: World) -> None:
    player, turn = _in_a_hand(world)
    world.connect("phone", player)
    _watch(world, player, "phone")
    first = world.say(player, "act", hand=1, turn=turn.number, do="raise", to=9_000)
    assert isinstance(first, Ok)
    seq = world.stored().table.seq
    later = world.say(player, "act", on="phone", hand=1, turn=turn.number, do="fold")
    assert isinstance(later, Error)
    assert (later.code, later.facts) == ("already_acted", {"to": 9_000})
    assert world.stored().table.seq == seq
    both = world.push.to(player), world.push.to("phone")
    assert both[0] == both[1]


def test_a_command_whose_answer_was_lost_is_asked_again_over_the_new_connection(
    world: World,
) -> None:
    player, turn = _in_a_hand(world)
    said: dict[str, Any] = {"id": "once", "hand": 1, "turn": turn.number, "do": "call"}
    lost = world.say(player, "act", **said)
    assert isinstance(lost, Ok)
    world.views.disconnect(player)
    world.connect("phone", player)
    _watch(world, player, "phone")
    assert world.say(player, "act", on="phone", **said) == lost


@pytest.mark.parametrize("late", ["before", "after"])
def test_the_close_of_a_replaced_connection_changes_nothing(world: World, late: str) -> None:
    """Whether it is told before his next message or long after it."""
    player, turn = _in_a_hand(world)
    world.connect("phone", player)
    _watch(world, player, "phone")
    if late == "before":
        world.views.disconnect(player)
    stored = world.stored()
    assert isinstance(world.say(player, "act", on="phone", hand=1, turn=turn.number, do="call"), Ok)
    if late == "after":
        acted = world.stored()
        world.views.disconnect(player)
        assert world.stored() == acted
    assert world.stored().version == stored.version + 1
    assert world.views.connections_of(player) == ["phone"]
    seated = world.views.audience("t", world.clock.now()).seated
    assert [viewer.connection for viewer in seated if viewer.player == player] == ["phone"]
    assert len(_pushes(world, "phone")) == 1
    world.views.disconnect(player)
    world.play_out()
    assert len(_pushes(world, "phone")) > 3


def test_an_id_that_comes_again_is_no_trouble_once_the_old_one_is_forgotten(world: World) -> None:
    """A lost close: the same id is given to him anew, and he watches from his seat once."""
    player, _ = _in_a_hand(world)
    world.connect(player, player)
    _watch(world, player, player)
    seated = world.views.audience("t", world.clock.now()).seated
    assert [viewer.player for viewer in seated].count(player) == 1


def test_the_clock_of_a_disconnected_player_runs_and_his_seat_stays(world: World) -> None:
    player, turn = _in_a_hand(world)
    world.views.disconnect(player)
    world.clock.go_to(turn.expires - 1)
    world.dealer.apply("t")
    assert _turn(world) == (player, turn)
    world.clock.go(1)
    world.dealer.apply("t")
    table = world.stored().table
    assert table.running is None
    assert table.seat_of(player) is not None
    world.connect("phone", player)
    log = _watch(world, player, "phone")["state"]["log"]
    (acted,) = [event for event in log if event["e"] == "acted" and event["seat"] == turn.seat]
    assert (acted["do"], acted["cause"]) == ("fold", "expired")


def test_coming_back_gives_him_no_more_time_and_takes_none(world: World) -> None:
    player, turn = _in_a_hand(world)
    for number in range(5):
        world.clock.go(2_000)
        world.connect(f"phone-{number}", player)
        snapshot = _watch(world, player, f"phone-{number}")
        assert snapshot["state"]["turn"]["deadline"] == turn.deadline
        world.views.disconnect(f"phone-{number}")
    world.clock.go_to(turn.expires)
    world.connect("late", player)
    assert _watch(world, player, "late")["state"]["turn"] is None
    late = world.say(player, "act", on="late", hand=1, turn=turn.number, do="call")
    assert isinstance(late, Error)
    assert late.code in ("no_hand", "stale_turn")


def test_an_all_in_stands_and_wins_though_nobody_is_there(world: World) -> None:
    dealt = parse_cards(FIRST_WINS)
    world.randomness.decks.append((*dealt, *(card for card in DECK if card not in dealt)))
    world.seat("ana", "ben", chips=20_000)
    world.deal()
    hand = world.stored().table.hand
    assert hand is not None
    first = world.stored().table.seats[hand.dealt[0]]
    assert first is not None
    winner = first.player
    other = "ben" if winner == "ana" else "ana"
    player, _ = _turn(world)
    if player != winner:
        assert isinstance(world.act("call"), Ok)
    assert isinstance(world.act("raise", to=20_000), Ok)
    world.views.disconnect(winner)
    assert isinstance(world.act("call"), Ok)
    table = world.stored().table
    assert table.running is None
    stacks = {seat.player: seat.stack for seat in table.seats if seat is not None}
    assert stacks[other] == 0
    assert stacks[winner] > 35_000
    world.connect("phone", winner)
    snapshot = _watch(world, winner, "phone")
    seat = table.seat_of(winner)
    assert snapshot["state"]["seats"][seat]["stack"] == stacks[winner]
    assert "pot_won" in [event["e"] for event in snapshot["state"]["log"]]


def test_a_spectator_who_comes_back_sees_no_ones_cards(world: World) -> None:
    _in_a_hand(world)
    for connection in ("guest", "guest-2"):
        world.connect(connection)
        snapshot = _watch(world, "", connection)
        assert "hole" not in snapshot["state"]
        assert snapshot["state"]["turn"]["price"] == 3_000


# --- several tables on one connection ------------------------------------------------------------


def _open_second(world: World) -> None:
    assert open_table(world.tables, "u", settings(), world.clock.now())


def _tables(pushes: list[Any]) -> set[str]:
    return {push["table"] for push in pushes}


def test_one_connection_has_seats_at_two_tables(world: World) -> None:
    _open_second(world)
    for player in ("ana", "ben"):
        world.connect(player, player)
        for table, seat in (("t", 0), ("u", 1)):
            seat = seat if player == "ana" else 5 - seat
            answer = world.say(player, "sit", table=table, seat=seat, chips=50_000)
            assert isinstance(answer, Ok), answer
    assert _tables(_pushes(world, "ana")) == {"t", "u"}
    world.clock.go(3_000)
    for table in ("t", "u"):
        world.dealer.apply(table)
    holes = {push["table"]: push["hole"] for push in _pushes(world, "ana")}
    assert set(holes) == {"t", "u"}
    assert holes["t"] != holes["u"]
    for table in ("t", "u"):
        assert _watch(world, "ana", "ana", table)["state"]["hole"] == holes[table]


def test_leaving_one_table_keeps_the_other(world: World) -> None:
    _open_second(world)
    world.connect("ana", "ana")
    world.connect("ben", "ben")
    for table in ("t", "u"):
        for number, player in enumerate(("ana", "ben")):
            answer = world.say(player, "sit", table=table, seat=number, chips=50_000)
            assert isinstance(answer, Ok), answer
    world.stream()
    assert isinstance(world.say("ana", "leave", table="t"), Ok)
    world.stream()
    world.push.posts.clear()
    assert [v.player for v in world.views.audience("t", world.clock.now()).seated] == ["ben"]
    assert [v.player for v in world.views.audience("u", world.clock.now()).seated] == ["ana", "ben"]
    world.clock.go(3_000)
    world.dealer.apply("u")
    assert isinstance(world.say("ben", "sitout", table="t"), Ok)
    pushes = _pushes(world, "ana")
    assert _tables(pushes) == {"u"}
    assert len(pushes[0]["hole"]) == 2


def test_to_watch_one_no_more_keeps_the_other(world: World) -> None:
    _open_second(world)
    world.seat("ana")
    assert isinstance(world.say("ana", "sit", table="u", seat=3, chips=50_000), Ok)
    world.stream()
    world.push.posts.clear()
    assert isinstance(world.say("ana", "unwatch", table="u"), Ok)
    for table in ("t", "u"):
        assert isinstance(world.say("ana", "sitout", table=table), Ok)
    assert _tables(_pushes(world, "ana")) == {"t"}


def test_all_that_a_connection_watched_ends_with_it(world: World) -> None:
    _open_second(world)
    world.seat("ana")
    _watch(world, "ana", "ana", "u")
    world.views.disconnect("ana")
    now = world.clock.now()
    assert world.views.audience("t", now).seated == ()
    assert world.views.spectators("u", 0, now) == []
    assert world.stored().table.seat_of("ana") == 0
