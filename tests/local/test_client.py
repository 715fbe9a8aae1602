"""The client against a room that loses, repeats, reorders and breaks."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from local.client import Client, Refused, RequestError, Timing, Unanswered
from local.lobby_view import Offer
from local.table_screen import Screen
from local.table_view import TableView
from tests.local.fake_room import (
    STRUCTURE,
    FakeRoom,
    break_at,
    fail_at,
    lobby,
    refuse,
    row,
    state,
    swallow,
)

QUICK = Timing(
    reply=0.15,
    tries=4,
    handshake=2,
    silence_next=0.2,
    silence_deadline=0.1,
    silence_lobby=60,
    watch=0.01,
    ping=60,
    backoff=0.01,
    backoff_most=0.05,
    rotate=(60, 60),
)


async def token() -> str | None:
    return "abc.def-_ghi"


async def guest() -> str | None:
    return None


def client_of(room: FakeRoom, timing: Timing = QUICK, player: str = "ann") -> Client:
    return Client(room.address, token, player, timing=timing)


def sat_out(seat: int) -> dict[str, Any]:
    return {"e": "sat_out", "seat": seat, "at": 1}


def outs(view: TableView) -> list[int]:
    return [n for n, seat in enumerate(view.seats) if seat is not None and seat["status"] == "out"]


async def test_token_rides_beside_the_name_of_the_protocol() -> None:
    async with FakeRoom() as room:
        async with client_of(room):
            pass
        async with Client(room.address, guest):
            pass
        assert room.tokens == [["cardroom.v1", "bearer.abc.def-_ghi"], ["cardroom.v1"]]


async def test_request_names_version_and_a_new_id_each_time() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        await client.request("ping")
        await client.request("ping")
        first, second = room.of("ping")
        assert first["v"] == second["v"] == 1
        assert first["id"] != second["id"]
        assert 1 <= len(first["id"]) <= 36


async def test_refusal_comes_with_code_sentence_and_facts() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        with pytest.raises(RequestError) as caught:
            await client.request("sit", table="t1", seat=0, chips=5)
        assert caught.value.code == "buy_in_too_small"
        assert str(caught.value) == "The buy-in is at least 1000."
        assert caught.value.facts == {"minimum": 1000}


async def test_a_picture_that_comes_late_moves_no_clock() -> None:
    """Who has no seat at a table with a delay sees it as it was, `now` and all."""
    async with FakeRoom() as room, client_of(room, player="eve") as client:
        await client.request("ping")
        known = client.now() - room.now
        late = state()
        late["settings"]["delay_s"] = 600
        room.state, room.now = late, room.now - 600_000
        await client.watch("t1")
        push = {"type": "snapshot", "table": "t1", "seq": room.seq + 1, "now": room.now, "away": []}
        await room.send({**push, "state": late})
        await client.until(lambda: client.views["t1"].seq == room.seq + 1, 2)
        assert abs(client.now() - (room.now + 600_000) - known) < 5_000


async def test_lost_reply_is_asked_for_again_under_the_same_id() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        room.faults.append(swallow("topup"))
        reply = await client.request("topup", table="t1", chips=500)
        assert reply["type"] == "ok"
        first, second = room.of("topup")
        assert first == second
        assert client.counts.resent == 1


async def test_request_outlives_its_connection() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        await client.watch("t1")
        room.faults.append(break_at("act"))
        await client.request("act", table="t1", hand=1, turn=1, do="fold")
        ids = {message["id"] for message in room.of("act")}
        assert len(ids) == 1
        assert client.counts.connects == 2


async def test_message_of_a_failing_server_is_no_answer() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        room.faults.append(fail_at("act"))
        await client.request("act", table="t1", hand=1, turn=1, do="fold")
        assert client.counts.faults == 1
        assert len(room.of("act")) == 2


async def test_request_that_nobody_answers_ends() -> None:
    async with FakeRoom() as room:
        timing = Timing(reply=0.02, tries=2, rotate=(60, 60))
        async with client_of(room, timing) as client:
            room.faults.extend([swallow("ping"), swallow("ping")])
            with pytest.raises(Unanswered):
                await client.request("ping")


async def test_pushes_are_folded_in_order() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        view = await client.watch("t1")
        await room.push(sat_out(1))
        await room.push(sat_out(2))
        await client.until(lambda: view.seq == 12, 2)
        assert outs(view) == [1, 2]
        assert client.counts.syncs == 0


async def test_push_that_comes_twice_changes_nothing() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        view = await client.watch("t1")
        added = {"e": "topped_up", "seat": 0, "chips": 100}
        message = await room.push(added)
        await room.send(message)
        await room.push(sat_out(1))
        await client.until(lambda: view.seq == 12, 2)
        assert view.seats[0] is not None
        assert view.seats[0]["topup"] == 100
        assert client.counts.dropped == 1


async def test_pushes_that_overtake_each_other_are_all_folded() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        view = await client.watch("t1")
        room.faults.append(swallow("sync"))
        first, second = room.next_push(sat_out(1)), room.next_push(sat_out(2))
        await room.send(second)
        await room.send(first)
        await client.until(lambda: view.seq == 12, 2)
        assert outs(view) == [1, 2]
        assert client.counts.gaps == 1
        assert not view.behind


async def test_gap_is_closed_by_sync_and_what_came_meanwhile_is_kept() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        view = await client.watch("t1")
        room.next_push(sat_out(1))
        room.state = state()
        room.state["seats"][1]["status"] = "out"
        known = room.seq
        later = room.next_push(sat_out(2))
        room.seq = known
        await room.send(later)
        await client.until(lambda: view.seq == 12, 2)
        assert outs(view) == [1, 2]
        assert [message["seq"] for message in room.of("sync")] == [10]


def test_older_snapshot_is_dropped_and_the_newest_wins() -> None:
    view = TableView("t1")
    assert view.load(5, state(button=1), 0)
    assert not view.load(4, state(button=2), 1)
    assert view.state["button"] == 1
    assert view.load(9, state(button=2), 2)
    assert view.seq == 9


async def test_spectator_takes_whole_snapshots() -> None:
    async with FakeRoom() as room, Client(room.address, guest, timing=QUICK) as client:
        view = await client.watch("t1")
        snapshot = {"type": "snapshot", "table": "t1", "now": room.now}
        await room.send(snapshot | {"seq": 30, "state": state(button=2)})
        await room.send(snapshot | {"seq": 20, "state": state(button=1)})
        await room.send(snapshot | {"seq": 31, "state": state(button=0)})
        await client.until(lambda: view.seq == 31, 2)
        assert view.state["button"] == 0
        assert "sync" not in room.routes()


async def test_lost_connection_is_opened_anew_and_the_table_resumed() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        view = await client.watch("t1")
        await client.drop()
        room.seq, room.state = 44, state(button=2)
        await client.until(lambda: view.seq == 44, 3)
        assert view.state["button"] == 2
        assert room.routes().count("watch") == 2


async def test_coming_back_waits_longer_each_time() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        await client.watch("t1")
        room.refuse_with = 503
        began = asyncio.get_running_loop().time()
        await client.drop()
        await room.until(lambda: room.refusals >= 5)
        # At least half of 10, 20, 40, 50 ms lies between five tries.
        assert asyncio.get_running_loop().time() - began >= 0.06
        room.refuse_with = None
        await client.until(lambda: client.connected, 2)


@pytest.mark.parametrize("status", [401, 403])
async def test_refused_sign_in_is_said_and_not_tried_again(status: int) -> None:
    async with FakeRoom() as room:
        room.refuse_with = status
        with pytest.raises(Refused, match=str(status)):
            async with client_of(room):
                pass
        assert room.refusals == 1


async def test_address_where_nobody_answers_is_said() -> None:
    async with FakeRoom() as room:
        address = room.address
    with pytest.raises(Refused, match="no room answers"):
        async with Client(address, token, timing=QUICK):
            pass


async def test_new_connection_comes_before_the_old_one_goes() -> None:
    async with FakeRoom() as room:
        timing = Timing(reply=1, watch=1, rotate=(0.05, 0.1))
        async with client_of(room, timing) as client:
            view = await client.watch("t1")
            await room.until(lambda: len(room.sockets) == 2)
            await room.push(sat_out(1))  # reaches both, counts once
            await client.until(lambda: view.seq == 11, 2)
            assert outs(view) == [1]
            assert client.connected
            await room.until(lambda: client.counts.connects >= 3)
            await client.request("ping")


def in_hand(turn_seat: int, deadline: int) -> dict[str, Any]:
    playing = state()
    for seat in playing["seats"]:
        seat["in_hand"] = True
    playing["hand"] = {"number": 1, "board": [], "pot": 0, "pots": [], "shown": [], "over": False}
    playing["turn"] = {"seat": turn_seat, "deadline": deadline, "number": 1, "hand": 1}
    return playing


def test_next_player_questions_silence_and_the_others_wait_for_the_deadline() -> None:
    view = TableView("t1")
    view.load(1, in_hand(turn_seat=0, deadline=15_000), 1_000)

    def asks(player: str) -> int | None:
        view.player = player
        return view.sync_at(next_ms=5_000, deadline_ms=2_000)

    assert asks("ben") == 6_000  # next after seat 0
    assert asks("cid") == 17_000
    assert asks("ann") == 17_000
    folded = view.seats[1]
    assert folded is not None
    folded.update(in_hand=False, folded=True)
    assert asks("ben") == 17_000
    assert asks("cid") == 6_000


def test_silence_between_hands_is_questioned_after_the_start_is_due() -> None:
    view = TableView("t1")
    view.load(1, state(next_hand_at=9_000), 1_000)
    assert view.sync_at(next_ms=5_000, deadline_ms=2_000) == 11_000
    view.load(2, state(), 1_000)
    assert view.sync_at(next_ms=5_000, deadline_ms=2_000) is None


async def test_lost_last_push_cannot_stall_a_game() -> None:
    async with FakeRoom() as room:
        room.state = in_hand(turn_seat=0, deadline=room.now + 60_000)
        async with client_of(room, player="ben") as client:
            view = await client.watch("t1")
            room.seq += 1  # something happened, and the push got lost
            room.state = in_hand(turn_seat=1, deadline=room.now + 60_000)
            await client.until(lambda: view.turn is not None and view.turn["seat"] == 1, 2)
            assert client.counts.silences >= 1


async def test_the_lobby_is_kept_up_to_date() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        view = await client.enter_lobby()
        assert [message["watch"] for message in room.of("lobby")] == [True]
        assert view.tables[0]["taken"] == 2
        later = lobby(row(taken=3), now=room.now + 3_000)
        await room.send({"type": "lobby", **later})
        await room.send({"type": "lobby", **lobby(row(taken=1), now=room.now)})
        await client.until(lambda: view.tables[0]["taken"] == 3, 2)
        await client.request("ping")
        assert (view.tables[0]["taken"], client.counts.lobbies) == (3, 1)
        await client.look_at_lobby()
        assert [message["watch"] for message in room.of("lobby")] == [True, False]


async def test_who_was_in_the_lobby_comes_back_to_it() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        await client.enter_lobby()
        await client.drop()
        await room.until(lambda: len(room.of("lobby")) == 2)
        assert room.of("lobby")[1]["watch"]
        await client.look_at_lobby()
        await client.drop()
        await client.until(lambda: client.counts.connects == 3, 2)
        await client.request("ping")
        assert len(room.of("lobby")) == 3


async def test_a_lobby_that_says_nothing_any_more_is_entered_again() -> None:
    """As after a restore, which forgets who looks on."""
    timing = replace(QUICK, silence_lobby=0.05)
    async with FakeRoom() as room, client_of(room, timing) as client:
        await client.enter_lobby()
        await room.until(lambda: len(room.of("lobby")) == 3)
        assert all(message["watch"] for message in room.of("lobby"))


async def test_an_offered_seat_is_kept_until_it_is_taken_back() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        offer = await client.wait_in_line(STRUCTURE)
        assert offer == Offer(STRUCTURE, None, 0, waiting=True)
        told = {"type": "offer", "structure": STRUCTURE, "now": room.now}
        await room.send(told | {"table": "t1", "until": room.now + 30_000, "waiting": True})
        await client.until(lambda: client.offers[STRUCTURE].table == "t1", 2)
        assert client.lines == {STRUCTURE}
        await room.send(told | {"table": None, "until": None, "waiting": False})
        await client.until(lambda: client.offers[STRUCTURE].table is None, 2)
        assert client.lines == set()


async def test_an_offer_that_got_lost_with_the_connection_is_asked_for() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        await client.wait_in_line(STRUCTURE)
        place = {"structure": STRUCTURE, "place": 1, "length": 1}
        room.account["lines"] = [place | {"table": "t1", "until": room.now + 20_000}]
        await client.drop()
        await client.until(lambda: client.offers[STRUCTURE].table == "t1", 2)
        await client.leave_line(STRUCTURE)
        await client.drop()
        await client.until(lambda: client.counts.connects == 3, 2)
        await client.request("ping")
        assert (len(room.of("wait")), len(room.of("account"))) == (1, 1)


async def test_a_place_in_line_that_was_lost_is_not_asked_for_anew() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        await client.wait_in_line(STRUCTURE)
        await client.drop()
        await client.until(lambda: not client.lines, 2)
        assert client.offers[STRUCTURE] == Offer(STRUCTURE, None, 0, waiting=False)
        assert len(room.of("wait")) == 1


async def test_places_in_line_are_known_by_the_account() -> None:
    """The newest word counts, and a room that says nothing of lines changes nothing."""
    async with FakeRoom() as room, client_of(room) as client:
        place = {"structure": STRUCTURE, "place": 2, "length": 2, "table": None, "until": None}
        room.account["lines"] = [place]
        await client.request("account")
        assert client.lines == {STRUCTURE}
        room.now -= 1
        room.account["lines"] = []
        await client.request("account")
        assert client.lines == {STRUCTURE}
        room.now += 1
        del room.account["lines"]
        await client.request("account")
        assert client.lines == {STRUCTURE}


async def test_who_may_not_wait_waits_for_nothing() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        room.faults.append(refuse("wait", "already_seated"))
        with pytest.raises(RequestError):
            await client.wait_in_line(STRUCTURE)
        assert client.lines == set()


async def test_a_quick_seat_says_where_it_is() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        view = await client.quick_seat(STRUCTURE, 5_000, post=True)
        assert (view.table, view.mine) == ("t1", 0)
        await room.push(sat_out(1))
        await client.until(lambda: view.seq == 11, 2)


async def test_who_is_away_is_known_by_the_newest_word() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        view = await client.watch("t1")
        presence = {"type": "presence", "table": "t1"}
        await room.send(presence | {"now": room.now + 20, "away": [2]})
        await room.send(presence | {"now": room.now + 10, "away": [1]})
        room.now += 15
        await room.push(sat_out(1), away=[0])
        await client.until(lambda: view.seq == 11, 2)
        assert view.away == {2}
        room.now += 15
        await room.push(sat_out(2), away=[])
        await client.until(lambda: view.seq == 12, 2)
        assert view.away == frozenset()


async def test_what_spectators_are_sent_is_not_for_a_seat() -> None:
    """It holds no cards of its own; but it may be that the seat is lost."""
    async with FakeRoom() as room, client_of(room) as client:
        room.state["hole"] = ["As", "Ad"]
        view = await client.watch("t1")
        public = state()
        public["seats"][0] = None
        snapshot = {"type": "snapshot", "table": "t1", "now": room.now, "state": public}
        await room.send(snapshot | {"seq": 10})
        await client.request("ping")
        assert view.hole == ["As", "Ad"]
        assert room.of("sync") == []
        room.seq, room.state = 12, public
        await room.send(snapshot | {"seq": 12})
        await client.until(lambda: view.mine is None, 2)
        assert [message["seq"] for message in room.of("sync")] == [10]


async def test_who_looks_on_from_outside_is_not_seated_where_he_is_still_shown() -> None:
    public = state()
    for name in ("plan", "pre", "refill"):
        for seat in public["seats"]:
            del seat[name]
    view = TableView("t1", "ann")
    view.load(5, public, 0)
    assert view.mine is None
    assert view.load(6, public, 1, asked=False)


async def test_a_table_that_is_shown_late_has_a_clock_of_its_own() -> None:
    async with FakeRoom() as room, client_of(room, player="dan") as client:
        await client.request("ping")
        room.state["settings"]["delay_s"] = 60
        room.state["next_hand_at"] = room.now - 57_000
        room.now -= 60_000
        view = await client.watch("t1")
        snapshot = {"type": "snapshot", "table": "t1", "seq": 11, "now": room.now}
        await room.send(snapshot | {"state": room.state})
        await client.until(lambda: view.seq == 11, 2)
        assert 60_000 <= view.late_ms < 62_000
        # The next hand is 3 s away as it is seen, the server's clock stays what it was.
        assert 999_000 < client.now() < 1_002_000
        lines = Screen().page(view, client.now()).lines(50)
        assert "Next hand in 3 s." in lines


async def test_who_sits_at_a_table_that_is_shown_late_sees_it_as_it_is() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        room.state["settings"]["delay_s"] = 60
        view = await client.watch("t1")
        assert view.late_ms == 0
        assert 999_000 < client.now() < 1_002_000


async def test_who_asks_too_much_is_patient() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        room.faults.append(refuse("topup", "slow_down", retry_ms=30))
        began = asyncio.get_running_loop().time()
        await client.request("topup", table="t1", chips=500)
        assert asyncio.get_running_loop().time() - began >= 0.03
        first, second = room.of("topup")
        assert first == second
        assert (client.counts.slowed, client.counts.resent) == (1, 1)


async def test_patience_with_a_busy_room_ends() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        room.faults.extend([refuse("topup", "slow_down", retry_ms=1)] * QUICK.tries)
        with pytest.raises(RequestError) as caught:
            await client.request("topup", table="t1", chips=500)
        assert caught.value.code == "slow_down"


async def test_a_table_that_is_not_there_is_not_kept() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        room.faults.append(refuse("watch", "unknown_table"))
        with pytest.raises(RequestError):
            await client.watch("t9")
        assert client.views == {}


async def test_who_goes_away_comes_back_after_a_while() -> None:
    async with FakeRoom() as room, client_of(room) as client:
        await client.watch("t1")
        began = asyncio.get_running_loop().time()
        await client.drop(0.1)
        await client.until(lambda: client.counts.connects == 2, 2)
        assert asyncio.get_running_loop().time() - began >= 0.1


async def test_ping_keeps_an_idle_connection() -> None:
    async with FakeRoom() as room:
        timing = Timing(ping=0.05, rotate=(60, 60))
        async with client_of(room, timing):
            await room.until(lambda: room.routes().count("ping") >= 3)
