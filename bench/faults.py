"""Faults on a running room, while bots play on it: it is restarted, its functions are killed, and
so is what reads the stream, all in the middle of hands.

    make faults TIMES=10

A round, at four tables with quick clocks:

- The whole room is restarted: SIGTERM, then started again on what it stored. Every connection,
  every function and every turn clock is gone. At two tables nobody comes back for a while; of
  one of them the cards are lost with it.
- At the others all processes of functions are killed (SIGKILL), twice, while hands run.
- What reads the stream dies with a batch in its hands that it has not noted, and is back after some
  seconds.

Every hand that ran at such a moment has to end within 90 seconds, or be void with all chips back;
then all bots play on, all money adds up, every record is sealed, replays by the rules and follows
the one before, nobody has been told what others were not, and no text that a client was sent has
the inside of an error in it.

What it proves and what it cannot is in docs/load.md.
"""

import argparse
import asyncio
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from bench.judging import DECKLESS, Ear, Fate, Judged, Struck, chips_of, judge, of_texts
from bench.processes import environments
from cardroom import keys
from cardroom.accounts import DynamoAccounts
from cardroom.audit import audit
from cardroom.histories import DynamoHistories
from cardroom.inventory import DynamoInventory
from cardroom.money import Kind
from cardroom.proof import Heads
from cardroom.stored import HandRecord
from cardroom.systemclock import SystemClock
from cli.audit import lines
from cli.hand_audit import audited
from local.bots import Habits
from local.client import Refused, Timing
from local.errors import RoomError
from local.faulty import BEGINS, DIED, DIES
from local.ledger import Chronicle
from local.seats import Bots, Seated
from local.stack import Room
from local.tables import LocalTables, chips_missing, open_tables, table_id
from poker_engine.codec import load_table
from poker_engine.stakes import PHP_STAKES, table_settings

TIMES: Final = 1
THINK: Final = (0.1, 0.6)
SEATS: Final = 3
CLOCKS: Final = {"clock_ms": 3_000, "grace_ms": 500, "pause_ms": 1_000}
WITHIN: Final = 90.0
"""Seconds until all that a fault struck is mended."""
STARTED: Final = 60.0
SWEEP: Final = "sweep"
ENVIRONMENTS: Final = "CARDROOM_ENVIRONMENTS_PER_FUNCTION"
FEW: Final = "2"
"""So many processes of each function: all are begun anew after each strike, and what that takes of
a small machine is not what is tried.
"""
LOOK: Final = 0.05
SLOW_LOOK: Final = 0.5


@dataclass(frozen=True, slots=True)
class Scale:
    """How much of it there is. Times in seconds."""

    going: int = 2
    """Tables beside the two that everybody leaves, of one of which the cards are lost."""
    strikes: int = 2
    """At the functions' processes."""
    apart: float = 3.0
    """Between two of them."""
    away: float = 20.0
    """For how long nobody comes back to these two."""
    without_stream: float = 4.0
    by_hand: bool = False
    """The sweep is asked to come: every minute is too seldom for a test."""


SMALL: Final = Scale(going=1, strikes=1, apart=1.0, away=6.0, without_stream=2.0, by_hand=True)
"""For a test."""


@dataclass
class Round:
    """What one round did and found."""

    number: int
    restart: float = 0.0
    """Seconds until it answered again."""
    killed: Counter[str] = field(default_factory=Counter)
    """Processes, by function."""
    judged: list[Judged] = field(default_factory=list)
    hands: int = 0
    """Ended in this round, at all tables."""
    back: int = 0
    bots: int = 0
    cut_off: int = 0
    """Requests that a dying function left without its answer."""
    seconds: float = 0.0
    findings: list[str] = field(default_factory=list)

    def line(self) -> str:
        fates = Counter(one.fate for one in self.judged)
        longest = max((one.took for one in self.judged), default=0) / 1000
        return (
            f"round {self.number}: restarted in {self.restart:.1f} s; "
            f"{self.killed.total()} processes of {len(self.killed)} functions killed; "
            f"{len(self.judged)} hands struck: {fates[Fate.ENDED]} ended, {fates[Fate.VOID]} void, "
            f"the last after {longest:.1f} s; {self.hands} hands in all, "
            f"{self.cut_off} answers cut off; {self.back} of {self.bots} bots play on; "
            f"{len(self.findings)} findings; {self.seconds:.0f} s"
        )


class Faults:
    """On a room that was started to be restarted."""

    def __init__(self, room: Room, scale: Scale = Scale()) -> None:
        self.room = room
        self.scale = scale
        self.tables = LocalTables(room)
        self.histories = DynamoHistories.beside(self.tables)
        self.chronicle = Chronicle()
        self.ears: list[Ear] = []
        self.names = [table_id(PHP_STAKES[0], number + 1) for number in range(scale.going + 2)]
        self.deserted, self.deckless = self.names[:2]

    async def play(
        self, times: int, told: Callable[[Round], None] = lambda done: None
    ) -> list[Round]:
        """So many rounds, one after another, at the same tables; ends with the first that finds
        something. Raises Refused where a bot is not let in.
        """
        settings = table_settings(PHP_STAKES[0], SEATS, **CLOCKS)
        open_tables(self.tables, [(name, settings) for name in self.names])
        rounds: list[Round] = []
        timing = Timing(reply=3.0, backoff_most=3.0)
        async with Bots(self.room, "faults", timing, chronicle=self.chronicle) as bots:
            for name in self.names:
                for seat in range(SEATS):
                    ear = Ear()
                    self.ears.append(ear)
                    who = f"Bot{len(bots.seated) + 1}"
                    await bots.seat(who, name, habits=Habits(think=THINK), seat=seat, record=ear)
            for number in range(1, times + 1):
                rounds.append(await self._round(number, bots))
                told(rounds[-1])
                if rounds[-1].findings:
                    break
        return rounds

    # A round

    async def _round(self, number: int, bots: Bots) -> Round:
        began, done = time.monotonic(), Round(number, bots=len(bots.seated))
        hands, cut_off = await self._hands(), self._cut_off()
        try:
            struck = await self._restart(bots, done)
            async with asyncio.TaskGroup() as tasks:
                # Who waits for the sweep waits meanwhile.
                tasks.create_task(self._judge_restart(struck, done))
                await self._kill(tasks, bots, done)
            await self._all_play(bots, done)
        except* RoomError as errors:
            done.findings += map(str, errors.exceptions)
        done.hands = await self._hands() - hands
        done.cut_off = self._cut_off() - cut_off
        done.findings += [wrong for one in done.judged for wrong in one.wrong]
        done.findings += await self._amiss(bots, number)
        done.seconds = time.monotonic() - began
        return done

    async def _restart(self, bots: Bots, done: Round) -> list[Struck]:
        struck = await self._in_mid_hand(self.names)
        while not await asyncio.to_thread(self._lose_cards, struck):
            struck = await self._in_mid_hand(self.names)
        began = time.monotonic()
        await asyncio.to_thread(self.room.restart)
        done.restart = time.monotonic() - began
        back = time.time_ns() // 1_000_000
        for one in bots.seated:
            if one.bot.table in (self.deserted, self.deckless):
                await one.client.drop(self.scale.away)
        return [replace(one, at=back) for one in struck]

    async def _judge_restart(self, struck: list[Struck], done: Round) -> None:
        judged = await self._judged(struck, sweep=self.scale.by_hand)
        done.judged += judged.values()
        for hand, one in judged.items():
            # In the moment before the restart a function may still have had them.
            played_on = one.fate is Fate.ENDED and one.took > 0
            if hand.table == self.deckless and played_on:
                done.findings.append(f"{hand.table}: hand {hand.hand} ended without its cards")

    async def _kill(self, tasks: asyncio.TaskGroup, bots: Bots, done: Round) -> None:
        for _ in range(self.scale.strikes):
            await self._in_play(bots)
            await asyncio.sleep(self.scale.apart)
            struck = await self._in_mid_hand(self._going())
            self._kill_functions(done)
            tasks.create_task(self._judge(struck, done))
        await self._in_play(bots)
        struck = await self._in_mid_hand(self._going())
        await self._kill_poller()
        tasks.create_task(self._judge(struck, done))

    def _kill_functions(self, done: Round) -> None:
        # Others' hands wait for the sweep: two faults at once are not what is tried.
        running = environments(self.room.emulator.pid).items()
        found = {pid: name for pid, name in running if name != SWEEP}
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        done.killed.update(found.values())
        if not found:
            raise RoomError("there was no process of a function to kill")

    async def _kill_poller(self) -> None:
        died = self._deaths()
        os.kill(self.room.emulator.pid, DIES)
        await self._until(lambda: self._deaths() > died, "what reads the stream did not die")
        await asyncio.sleep(self.scale.without_stream)
        os.kill(self.room.emulator.pid, BEGINS)

    async def _judge(self, struck: list[Struck], done: Round) -> None:
        done.judged += (await self._judged(struck)).values()

    def _going(self) -> list[str]:
        """Tables at which all sit and play, whatever the restart did."""
        return [name for name in self.names if name not in (self.deserted, self.deckless)]

    def _deaths(self) -> int:
        return self.room.emulator.log.read_text(errors="replace").count(DIED)

    def _lose_cards(self, struck: Iterable[Struck]) -> bool:
        """The deck of the hand that runs at that table; False where it is over already."""
        stored = self.tables.load(self.deckless)
        hand = None if stored is None else stored.table.running
        if hand is None or (self.deckless, hand.number) not in {(s.table, s.hand) for s in struck}:
            return False
        key = {"pk": {"S": keys.secret(self.deckless)}, "sk": {"S": hand.deck}}
        self.room.client("dynamodb").delete_item(TableName=self.tables.name, Key=key)
        return True

    # Waiting

    async def _in_mid_hand(self, names: Iterable[str]) -> list[Struck]:
        """The hands of these tables, at a moment at which somebody's turn runs in each of them."""
        deadline = time.monotonic() + STARTED
        while time.monotonic() < deadline:
            running = await asyncio.to_thread(self._running, names)
            if all(running.values()):
                return [one for one in running.values() if one is not None]
            await asyncio.sleep(LOOK)
        idle = ", ".join(name for name, one in running.items() if one is None)
        raise RoomError(f"no hand runs at {idle}, {STARTED:.0f} s long")

    def _running(self, names: Iterable[str]) -> dict[str, Struck | None]:
        """None where no hand runs or nobody's turn does."""
        found: dict[str, Struck | None] = {}
        for name in names:
            stored, now = self.tables.load(name), time.time_ns() // 1_000_000
            hand = None if stored is None else stored.table.running
            if stored is None or hand is None or hand.turn is None:
                found[name] = None
            else:
                found[name] = Struck(name, hand.number, now, chips_of(stored.table))
        return found

    async def _in_play(self, bots: Bots) -> None:
        """Until all who sit at the other tables are connected, and somebody acts at each: before
        that there are few functions to kill.
        """
        going = self._going()
        seated = [one for one in bots.seated if one.bot.table in going]
        acts = {id(one): one.bot.played.acts for one in seated}

        def in_play() -> bool:
            acted = {one.bot.table for one in seated if one.bot.played.acts > acts[id(one)]}
            return len(acted) == len(going) and all(one.client.connected for one in seated)

        await self._until(in_play, f"nobody acts at {', '.join(going)}", WITHIN)

    async def _judged(
        self, struck: Iterable[Struck], *, sweep: bool = False
    ) -> dict[Struck, Judged]:
        """Each of the hands, when it is over or its time is."""
        found: dict[Struck, Judged] = {}
        open_ones, swept = list(struck), time.monotonic()
        deadline = time.monotonic() + WITHIN
        while open_ones:
            late = time.monotonic() > deadline
            for one in open_ones:
                record = await asyncio.to_thread(self._record, one.table, one.hand)
                if record is not None or late:
                    void = record is not None and record.voided
                    after = await asyncio.to_thread(self._after, one) if void else {}
                    found[one] = judge(one, record, after)
            open_ones = [one for one in open_ones if one not in found]
            if open_ones and sweep and time.monotonic() - swept > 2.0:
                with suppress(RuntimeError):  # killed over it
                    await asyncio.to_thread(self.room.invoke, "SweepFunction", {})
                swept = time.monotonic()
            await asyncio.sleep(SLOW_LOOK if open_ones else 0)
        return found

    def _record(self, table: str, hand: int) -> HandRecord | None:
        """None also while it cannot be read: the chain says then what is wrong with it."""
        found = next(iter(self.histories.records(table, hand)), None)
        return found if isinstance(found, HandRecord) else None

    def _after(self, struck: Struck) -> dict[str, int]:
        """What each player has after this hand, or left with."""
        stored = self.tables.load(struck.table)
        if stored is None:
            return {}
        after, following = stored.table, self._record(struck.table, struck.hand + 1)
        if following is not None and following.opening:
            # The next one has changed what is at the table.
            after = load_table(following.opening)
        chips = dict(chips_of(after))
        accounts = DynamoAccounts.beside(self.tables)
        for player, _ in struck.chips:
            # Who was removed in it has left with what he had, and may have sat down again.
            paid = (
                entry.amount
                for entry in sorted(accounts.entries(player), key=lambda entry: entry.number)
                if entry.kind is Kind.PAY_OUT
                and (entry.table, entry.at >= struck.at) == (struck.table, True)
            )
            chips[player] = next(paid, chips.get(player, 0))
        return chips

    async def _all_play(self, bots: Bots, done: Round) -> None:
        """Every bot acts again."""
        acts = {id(one): one.bot.played.acts for one in bots.seated}

        def back(one: Seated) -> bool:
            return one.client.connected and one.bot.played.acts > acts[id(one)]

        def all_back() -> bool:
            done.back = sum(map(back, bots.seated))
            return done.back == done.bots

        with suppress(RoomError):
            await self._until(all_back, "", self.scale.away + WITHIN)
        missing = [one.client.player for one in bots.seated if not back(one)]
        if missing:
            done.findings.append(f"{len(missing)} bots play no more: {', '.join(missing)}")

    async def _until(
        self, holds: Callable[[], bool], otherwise: str, seconds: float = STARTED
    ) -> None:
        """Raises RoomError where it never does."""
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                raise RoomError(otherwise)
            await asyncio.sleep(LOOK)

    # What must hold whatever happened

    async def _amiss(self, bots: Bots, rounds: int) -> list[str]:
        found = await asyncio.to_thread(self._amiss_in_store)
        found += of_texts(self.ears, deckless=rounds)
        found += self.chronicle.findings
        for one in bots.seated:
            allowed = DECKLESS if one.bot.table == self.deckless else None
            found += [
                f"{one.client.player}: refused {refusal}"
                for refusal in one.bot.refusals
                if refusal.partition(":")[0] != allowed
            ]
            if one.task.done():
                found.append(f"{one.client.player} has stopped")
        return found

    def _amiss_in_store(self) -> list[str]:
        found: list[str] = []
        report = audit(DynamoInventory.beside(self.tables), SystemClock())
        if not report.balanced:
            found += [f"audit: {line}" for line in lines(report)]
        for name in self.names:
            stored = self.tables.load(name)
            if stored is None or (missing := chips_missing(stored)):
                found.append(f"{name}: {missing if stored else 'all'} chips are missing")
            chain, flaws = audited(name, self.histories, self.tables, Heads())
            found += map(str, flaws)
            if not chain.records:
                found.append(f"{name}: no hand was recorded")
            self.chronicle.compare(self.tables.hands(name))
        return found

    async def _hands(self) -> int:
        """Started so far, at all tables."""
        stored = [await asyncio.to_thread(self.tables.load, name) for name in self.names]
        return sum(one.table.hands for one in stored if one is not None)

    def _cut_off(self) -> int:
        return sum(ear.cut_off for ear in self.ears)


def summary(rounds: list[Round], times: int) -> str:
    judged = [one for done in rounds for one in done.judged]
    fates = Counter(one.fate for one in judged)
    killed: Counter[str] = sum((done.killed for done in rounds), Counter())
    by_function = ", ".join(f"{name} {count}" for name, count in sorted(killed.items()))
    longest = max((one.took for one in judged), default=0) / 1000
    wrong = sum(len(done.findings) for done in rounds)
    good = not wrong and len(rounds) == times
    return (
        f"{len(rounds)} of {times} rounds: {len(rounds)} restarts, {killed.total()} processes "
        f"killed ({by_function}), the stream's reader killed {len(rounds)} times; "
        f"{len(judged)} hands struck, {fates[Fate.ENDED]} ended, {fates[Fate.VOID]} void with all "
        f"chips back, the last after {longest:.1f} s; {sum(done.hands for done in rounds)} hands "
        f"in all; {wrong} findings: {'OK' if good else 'FAILED'}"
    )


def main(arguments: list[str] | None = None) -> int:
    """0 where nothing is amiss, 1 with a line for each finding, 2 on a bad argument."""
    parser = argparse.ArgumentParser(prog="bench.faults", description="faults on a running room")
    parser.add_argument("--times", type=int, default=TIMES, metavar="N", help="rounds (1)")
    parser.add_argument("--quick", action="store_true", help="as the test does it")
    chosen = parser.parse_args(arguments)
    if not 1 <= chosen.times <= 1000:
        print("cardroom: 1 to 1000 times", file=sys.stderr)
        return 2
    os.environ.setdefault(ENVIRONMENTS, FEW)
    try:
        with Room.start(progress=print, keep=True) as room:
            faults = Faults(room, SMALL if chosen.quick else Scale())
            rounds = asyncio.run(faults.play(chosen.times, _tell))
    except (RoomError, Refused) as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    print(summary(rounds, chosen.times))
    return 0 if len(rounds) == chosen.times and not any(one.findings for one in rounds) else 1


def _tell(done: Round) -> None:
    for finding in done.findings:
        print(finding)
    print(done.line(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
