"""A person at a terminal: the lobby, tables, and back; what he types and what he reads."""

import asyncio
import io
import os
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection

from local.client import Client, Timing
from local.terminal import Terminal
from local.visitor import Reminder, Visitor
from tests.local.fake_room import STRUCTURE, FakeRoom, Json, answer, lobby, refuse, row, state
from tests.local.test_table_screen import in_turn

PATIENT = Timing(reply=0.2, tries=1, backoff=0.01, backoff_most=0.02)


async def token() -> str:
    return "t"


class Person:
    """Ann with a keyboard and a screen that is a file; `room` is what she plays at."""

    def __init__(self, room: FakeRoom, client: Client) -> None:
        self.room = room
        self.client = client
        self.out = io.StringIO()
        reading, self._writing = os.pipe()
        self._source = os.fdopen(reading)
        self._open = True

    async def visits(self, table: str | None = None, **more: Any) -> tuple[int, str]:
        view = None if table is None else await self.client.watch(table)
        if table is None:
            await self.client.enter_lobby()
        await self.client.request("account")
        with self._source, Terminal(self._source, self.out) as terminal:
            return await Visitor(self.client, terminal, at=view, **more).play()

    def type(self, *lines: str) -> None:
        os.write(self._writing, "".join(f"{line}\n" for line in lines).encode())

    def hangs_up(self) -> None:
        if self._open:
            os.close(self._writing)
        self._open = False

    async def reads(self, text: str) -> None:
        await self.room.until(lambda: text in self.out.getvalue())

    @property
    def last(self) -> str:
        return self.out.getvalue().splitlines()[-1]


type Script = Callable[[Person], Awaitable[None]]


async def played(
    script: Script, room: FakeRoom, table: str | None = None, player: str = "ann", **more: Any
) -> tuple[int, str, Person]:
    """The player visits the room while the script goes on; then she hangs up."""
    async with Client(room.address, token, player, timing=PATIENT) as client:
        person = Person(room, client)
        visiting = asyncio.ensure_future(person.visits(table, **more))
        try:
            async with asyncio.timeout(8):
                await script(person)
                person.hangs_up()
                code, farewell = await visiting
        finally:
            person.hangs_up()
            visiting.cancel()
    return code, farewell, person


@pytest.fixture
async def room() -> Any:
    async with FakeRoom() as room:
        yield room


def free(number: int = 1, **changes: Any) -> Json:
    """A table on which this seat is free."""
    found = state(**changes)
    found["seats"][number] = None
    return found


async def test_the_lobby_comes_first_and_says_how_to_sit_down(room: FakeRoom) -> None:
    async def script(person: Person) -> None:
        await person.reads("Sit down by: sit TABLE SEAT, or: quick STAKE.")

    code, farewell, person = await played(script, room)
    assert (code, farewell) == (0, "You left the room.")
    told = person.out.getvalue()
    assert told.startswith("Lobby: 1 table, 2 seated  Balance: P1234.50\n")
    assert "t1       2/3        1  P12.50" in told
    assert room.of("leave") == []


async def test_sit_takes_the_seat_with_the_chips(room: FakeRoom) -> None:
    room.state = free()

    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        room.faults.append(seats)
        person.type("sit t1 1 45.50")
        await person.reads("You sit at t1.")
        assert person.client.views["t1"].mine == 1

    await played(script, room, player="ben")
    (sat,) = room.of("sit")
    assert (sat["table"], sat["seat"], sat["chips"], sat["post"]) == ("t1", 1, 4_550, True)
    # The lobby is no longer pushed to who looks at a table.
    assert [message["watch"] for message in room.of("lobby")] == [True, False]


def seats(room: FakeRoom, socket: ServerConnection, message: Json) -> bool:
    """Who asks for a seat gets it: all three are taken then."""
    if message["route"] != "sit":
        return False
    room.state, room.seq = state(), room.seq + 1
    seen = {"seq": room.seq, "now": room.now, "away": [], "state": room.state}
    return answer("sit", snapshot=seen)(room, socket, message)


async def test_quick_takes_a_seat_of_the_stake_with_the_usual_chips(room: FakeRoom) -> None:
    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        person.type("quick php-0.50-1")
        await person.reads("You sit at t1.")

    await played(script, room)
    (sat,) = room.of("quickseat")
    assert (sat["structure"], sat["chips"]) == (STRUCTURE, 4_000)


async def test_what_is_refused_is_told_in_the_stakes_money(room: FakeRoom) -> None:
    room.faults.append(refuse("quickseat", "buy_in_too_small", minimum=1_000))

    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        person.type("quick php-0.50-1 5")
        await person.reads("The buy-in is at least P10.")
        room.faults.append(refuse("watch", "unknown_table"))
        person.type("sit t9 1")
        await person.reads("No.")
        assert person.client.views == {}

    await played(script, room)


async def _is_offered(person: Person, room: FakeRoom, table: str) -> None:
    """He waits for a seat, and one at this table is offered to him."""
    await person.reads("Sit down by")
    person.type("wait php-0.50-1")
    await person.reads("You wait for a seat at php-0.50-1")
    offer = {"type": "offer", "structure": STRUCTURE, "table": table, "waiting": True}
    await room.send({**offer, "now": room.now, "until": person.client.now() + 30_000})
    await person.reads(f"A seat at {table} is yours: type take.")


async def test_an_offered_seat_is_told_and_taken(room: FakeRoom) -> None:
    room.state = free()

    async def script(person: Person) -> None:
        await _is_offered(person, room, "t1")
        room.faults.append(seats)
        person.type("take 20")
        await person.reads("You sit at t1.")
        assert person.client.lines == set()

    await played(script, room, player="ben")
    (sat,) = room.of("sit")
    assert (sat["table"], sat["seat"], sat["chips"]) == ("t1", 1, 2_000)


@pytest.mark.parametrize("line", ["sit t1 1", "quick php-0.50-1"])
async def test_who_sits_down_is_off_the_line(room: FakeRoom, line: str) -> None:
    room.state = free()

    async def script(person: Person) -> None:
        await _is_offered(person, room, "t2")
        room.faults.append(seats)
        person.type(line)
        await person.reads("You sit at t1.")
        assert (person.client.lines, person.client.offers) == (set(), {})
        person.type("take")
        await person.reads("No seat is offered to you now.")

    await played(script, room, player="ben")


async def test_a_buy_in_that_is_fixed_is_told_with_the_words_to_type(room: FakeRoom) -> None:
    room.faults.append(refuse("quickseat", "buy_in_fixed", amount=6_050, until=1_700_000_000_000))

    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        person.type("quick php-0.50-1")
        await person.reads("is exactly P60.50. Type: quick php-0.50-1 60.50.")

    await played(script, room)


class Screenful(Terminal):
    """Redrawn in place, whatever it is."""

    def __init__(self, *files: Any) -> None:
        super().__init__(*files)
        self.live = True


async def test_nothing_stands_twice_on_the_screen(
    room: FakeRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.state = free()
    monkeypatch.setattr("tests.local.test_visitor.Terminal", Screenful)

    def screen(person: Person) -> str:
        return person.out.getvalue().split("\x1b[H")[-1]

    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        person.type("wait php-0.50-1")
        waits = "You wait for a seat at php-0.50-1"
        await person.reads(waits)
        assert "Sit down by" not in screen(person)
        assert screen(person).count(waits) == 1
        room.faults.append(seats)
        person.type("sit t1 1")
        await person.reads("You sit at t1.")
        person.type("lobby")
        await room.until(lambda: "Lobby:" in screen(person) and "sit at t1" in screen(person))
        assert screen(person).count("You sit at t1.") == 1
        assert waits not in screen(person)

    await played(script, room, player="ben")


async def test_nothing_is_taken_that_is_not_offered(room: FakeRoom) -> None:
    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        person.type("take", "wait php-0.50-1", "unwait php-0.50-1")
        await person.reads("No seat is offered to you now.")
        await person.reads("You wait at php-0.50-1 no more.")

    await played(script, room)
    assert room.of("sit") == []


async def test_who_watches_goes_back_to_the_lobby_and_leaves_nothing_behind(
    room: FakeRoom,
) -> None:
    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        person.type("watch t1")
        await room.until(lambda: room.routes().count("watch") == 1)
        person.type("lobby")
        await room.until(lambda: room.routes().count("unwatch") == 1)
        assert person.client.views == {}

    await played(script, room, player="dan")
    assert [message["watch"] for message in room.of("lobby")] == [True, False, True]


async def test_who_is_seated_may_look_at_the_lobby_and_hears_of_his_turn(room: FakeRoom) -> None:
    async def script(person: Person) -> None:
        await person.reads("You still sit at t1.")
        person.type("lobby")
        await room.until(lambda: len(room.of("lobby")) == 1)
        room.seq, room.state = 30, in_turn()
        await person.client.sync("t1")
        await person.reads("Your turn at t1: type watch t1.")
        person.type("watch t1")
        await person.reads("YOUR TURN")
        person.type("fold")
        await room.until(lambda: len(room.of("act")) == 1)

    code, farewell, _ = await played(script, room, "t1")
    assert room.of("unwatch") == []
    # Who goes leaves his seat.
    assert [message["table"] for message in room.of("leave")] == ["t1"]
    assert (code, farewell) == (0, "You leave the table as soon as the hand is over.")


LEFT = {"e": "seat_emptied", "seat": 0, "player": "ann", "chips": 4_200, "exit": "removed", "at": 1}


async def test_who_loses_his_seat_is_back_in_the_lobby(room: FakeRoom) -> None:
    async def script(person: Person) -> None:
        await person.reads("You still sit at t1.")
        await room.push(LEFT)
        await person.reads("The clock removed you, with P42.")
        await person.reads("Lobby: 1 table")
        await room.until(lambda: len(room.of("account")) == 2)

    code, farewell, _ = await played(script, room, "t1")
    assert (code, farewell) == (0, "The clock removed you, with P42.")


async def test_who_came_for_one_table_goes_when_it_is_over(room: FakeRoom) -> None:
    async def script(person: Person) -> None:
        await person.reads("You sit at t1.")
        await room.push(LEFT)
        await person.reads("You left the table\n")

    code, farewell, _ = await played(script, room, "t1", one_table=True)
    assert (code, farewell) == (0, "The clock removed you, with P42.")
    assert room.of("lobby") == []


async def test_a_filter_holds_for_the_list(room: FakeRoom) -> None:
    room.lobby = lobby(row(), row(table="t2", players=["x", "y", "z"], taken=3))

    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        assert "t2" in person.out.getvalue()
        person.out.truncate(0)
        person.type("filter free", "list", "filter nonsense", "dance")
        await person.reads("'nonsense' filters nothing")
        await person.reads("'dance' is no command here")

    _, _, person = await played(script, room)
    assert "Only free: type filter off to see all." in person.out.getvalue()
    assert "t2" not in person.out.getvalue()


async def test_what_is_said_before_ones_turn_is_sent_with_its_price(room: FakeRoom) -> None:
    room.state = in_turn(seat=1)

    async def script(person: Person) -> None:
        await person.reads("You still sit at t1.")
        person.type("call 3", "auto top up 50")
        await room.until(lambda: len(room.of("autotopup")) == 1)
        await room.push({"e": "prepared", "seat": 0, "do": "call", "price": 300}, seq=room.seq)
        await person.client.until(lambda: (person.client.views["t1"].own or {})["pre"], 2)

    await played(script, room, "t1")
    (said,) = room.of("preact")
    assert (said["do"], said["price"], said["hand"]) == ("call", 300, 7)
    assert room.of("autotopup")[0]["to"] == 5_000


async def test_limits_are_set_and_the_account_is_asked_for_again(room: FakeRoom) -> None:
    loss: Json = {"value": 50_000, "next": None}
    room.account["limits"] = {
        "reminder_minutes": {"value": 30, "next": None},
        "exclude_until": 1_700_000_000_000,
        "currencies": [{"currency": "PHP", "loss_day": loss, "lost": 0}],
    }

    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        person.type("limit loss 500 php", "remind 30", "exclude 2 days yes")
        await person.reads("In a day (UTC) you may lose P500 from now on.")
        await person.reads("You are reminded every 30 minutes from now on.")
        await person.reads("You have excluded yourself from now on until 2023-11-14 22:13 UTC")
        await room.until(lambda: len(room.of("limits")) == 3)
        await room.until(lambda: len(room.of("account")) == 4)

    await played(script, room)
    loss, reminder, exclusion = room.of("limits")
    assert (loss["currency"], loss["loss_day"]) == ("PHP", 50_000)
    assert reminder["reminder_minutes"] == 30
    days = (exclusion["exclude_until"] - room.now) / 86_400_000
    assert 1.9 < days < 2.1


async def test_a_hand_is_disputed_and_a_refusal_told(room: FakeRoom) -> None:
    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        person.type("dispute t1 17 My flush lost")
        await person.reads("Support will look at hand 17 of t1")
        room.faults.append(refuse("dispute", "too_many_disputes", until=86_400_000))
        person.type("dispute t1 17 again")
        await person.reads("You have disputed hands enough for a day: wait until 1970-01-02")

    await played(script, room)
    first, _ = room.of("dispute")
    assert (first["table"], first["hand"], first["text"]) == ("t1", 17, "My flush lost")


async def test_who_excludes_himself_is_asked_first(room: FakeRoom) -> None:
    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        person.type("exclude 7 days")
        await person.reads("UTC, and that cannot be taken back.")
        await person.reads("type: exclude 7 days yes.")

    await played(script, room)
    assert room.of("limits") == []


def test_a_reminder_comes_as_often_as_it_is_wanted() -> None:
    minute = 60_000
    reminder = Reminder(began=0)
    assert reminder.due(None, 100 * minute) is None
    assert reminder.due(30, 29 * minute) is None
    assert reminder.due(30, 30 * minute) == "You have been here for 30 minutes."
    assert reminder.due(30, 59 * minute) is None
    assert reminder.due(30, 60 * minute) == "You have been here for 60 minutes."


async def test_the_reminder_is_told(room: FakeRoom) -> None:
    room.account["limits"]["reminder_minutes"] = {"value": 20, "next": None}

    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        room.now += 21 * 60_000
        await person.client.request("ping")
        await person.reads("You have been here for 21 minutes.")

    await played(script, room, patience=1.0)


async def test_without_an_answer_it_says_so(room: FakeRoom) -> None:
    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        room.faults.append(lambda room, socket, message: message["route"] == "quickseat")
        person.type("quick php-0.50-1")
        await person.reads("The room did not answer: try again.")

    await played(script, room)


async def test_help_is_that_of_where_one_is(room: FakeRoom) -> None:
    async def script(person: Person) -> None:
        await person.reads("Sit down by")
        person.type("help", "watch t1", "help")
        await person.reads("quick STAKE [CHIPS]")
        await person.reads("all-in (a)")

    await played(script, room, player="dan")
