"""`cardroom soak`: bots play for long on the local room while connections break and players come
and go.

Chips are counted throughout, from the tables as they are stored. At the end the hands are exported
as cases and replayed, and pokerkit plays them beside.

A seed fixes the bots' names, styles and dice, and the mishaps: which comes next, after how long, to
whom. It does not repeat a run: the cards are the room's own and never seeded, and what comes first
is up to the machine. What was played is in the file of cases, and replays exactly.
"""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from cardroom.audit import audit
from cardroom.inventory import DynamoInventory
from cardroom.stored import Stored
from cardroom.systemclock import SystemClock
from cli.audit import lines
from local.bots import Habits
from local.client import Refused, RequestError, Timing, Unanswered
from local.errors import RoomError
from local.room_cases import Export, export
from local.running import room_folder
from local.seats import Bots, Seated
from local.stack import Room
from local.table_view import TableView
from local.tables import LocalTables, chips_missing, open_tables, table_id
from poker_engine.clock import wake_at
from poker_engine.stakes import PHP_STAKES, Settings, fixed_limit, no_limit, table_settings

THINK: Final = (0.01, 0.15)
CHECK_SECONDS: Final = 2.0
AUDIT_SECONDS: Final = 10.0
MISHAP_SECONDS: Final = (0.2, 0.8)
REPORT_SECONDS: Final = 30.0
STALLED_MS: Final = 8_000
"""A table on which something has been due for so long stands still."""
SILENT_SECONDS: Final = (3.0, 12.0)
SETTLE_SECONDS: Final = 20.0
SEED_HELP: Final = "of the bots' styles and dice and of the mishaps; not of cards and timing"
CASES: Final = "soak-cases.jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--minutes", type=float, default=2.0, help="how long to play")
    parser.add_argument("--seed", type=int, default=1, help=SEED_HELP)
    parser.add_argument("--port", type=int, help="port of the local AWS; without it a free one")
    parser.add_argument("--cases", type=Path, help="where to write the hands")


def run(args: argparse.Namespace) -> int:
    """0 where nothing is amiss, 1 with a line for each finding, 2 on a bad argument."""
    if not 0 < args.minutes <= 24 * 60:
        print("cardroom: a soak takes more than 0 minutes and a day at most", file=sys.stderr)
        return 2
    try:
        with Room.start(port=args.port, progress=print) as room:
            soak = Soak(room, args.minutes * 60, args.seed)
            asyncio.run(soak.play())
            path = args.cases or room_folder() / CASES
            found = export(soak.tables, soak.opened, path)
            return soak.report(found)
    except (RoomError, Refused) as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1


def tables_of_the_soak() -> list[tuple[str, Settings, int]]:
    """Tables with quick clocks: id, settings, and bots."""

    def quick(settings: Settings) -> Settings:
        return replace(settings, sit_out_ms=15_000, sit_out_passes=2)

    clocks = {"clock_ms": 2_000, "grace_ms": 500, "pause_ms": 1_000}
    stakes = (
        (PHP_STAKES[0], 6, 6),
        (PHP_STAKES[1], 9, 7),
        (no_limit("USD", 100), 6, 5),
        (fixed_limit("USD", 1000), 6, 5),
    )
    return [
        (table_id(one), quick(table_settings(one, seats, **clocks)), bots)
        for one, seats, bots in stakes
    ]


@dataclass
class Soak:
    """One run. `findings` says what is amiss."""

    room: Room
    seconds: float
    seed: int
    findings: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    opened: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tables = LocalTables(self.room)
        self._dice = random.Random(f"soak/{self.seed}")
        self._began = time.monotonic()

    async def play(self) -> None:
        """Open tables, let bots play among mishaps, and compare at the end what everybody knows."""
        wanted = tables_of_the_soak()
        self.opened = open_tables(self.tables, [(name, settings) for name, settings, _ in wanted])
        async with Bots(self.room, self.seed, Timing(reply=3.0)) as bots:
            await bots.fill({name: count for name, _, count in wanted}, Habits(think=THINK))
            print(f"{len(bots.seated)} bots at {len(self.opened)} tables.", flush=True)
            self._began = time.monotonic()
            works = (
                self._mishaps(bots),
                self._watch_chips(bots),
                self._watch_money(),
                self._tell(),
            )
            tasks = [asyncio.ensure_future(work) for work in works]
            ended = asyncio.ensure_future(asyncio.sleep(self.seconds))
            done, _ = await asyncio.wait([ended, *tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in (ended, *tasks):
                task.cancel()
            await asyncio.gather(ended, *tasks, return_exceptions=True)
            for task in done:
                if not task.cancelled():
                    task.result()
            await self._settle(bots)
            await self._audit()
            self._count(bots)

    # Mishaps

    async def _mishaps(self, bots: Bots) -> None:
        kinds: tuple[tuple[str, int, Callable[[Seated], Awaitable[None]]], ...] = (
            ("lost connections", 8, self._lose_connection),
            ("silences", 2, self._fall_silent),
            ("leavings", 2, self._leave),
            ("sittings out", 3, self._sit_out),
            ("top-ups", 3, self._top_up),
        )
        names = [name for name, _, _ in kinds]
        weights = [weight for _, weight, _ in kinds]
        doing = {name: do for name, _, do in kinds}
        while True:
            await asyncio.sleep(self._dice.uniform(*MISHAP_SECONDS))
            kind = self._dice.choices(names, weights)[0]
            with suppress(RequestError, Unanswered):
                await doing[kind](self._dice.choice(bots.seated))
                self.counts[kind] += 1

    async def _lose_connection(self, seated: Seated) -> None:
        await seated.client.drop()

    async def _fall_silent(self, seated: Seated) -> None:
        policy = seated.bot.policy
        policy.style = replace(policy.style, sleepy=1.0)

        def wake() -> None:
            # Not what it was before: a bot may be struck again while it is silent.
            policy.style = replace(policy.style, sleepy=0.0)

        asyncio.get_running_loop().call_later(self._dice.uniform(*SILENT_SECONDS), wake)

    async def _leave(self, seated: Seated) -> None:
        when = self._dice.choice(("now", "big_blind"))
        await seated.client.request("leave", table=seated.bot.table, when=when)

    async def _sit_out(self, seated: Seated) -> None:
        when = self._dice.choice(("now", "big_blind", "never"))
        await seated.client.request("sitout", table=seated.bot.table, when=when)

    async def _top_up(self, seated: Seated) -> None:
        view = seated.client.views.get(seated.bot.table)
        if view is not None and view.seq >= 0:
            chips = self._dice.randrange(1, view.settings["minimum"])
            await seated.client.request("topup", table=view.table, chips=chips)

    # Checks

    async def _watch_chips(self, bots: Bots) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            bots.check()
            for name in self.opened:
                stored = await asyncio.to_thread(self.tables.load, name)
                self.counts["checks"] += 1
                self._check(name, stored)

    async def _watch_money(self) -> None:
        while True:
            await asyncio.sleep(AUDIT_SECONDS)
            await self._audit()

    async def _audit(self) -> None:
        """All money of the room, while it moves."""
        inventory = DynamoInventory.beside(self.tables)
        report = await asyncio.to_thread(audit, inventory, SystemClock())
        self.counts["audits"] += 1
        if not report.balanced:
            self.findings += [f"audit: {line}" for line in lines(report)]

    def _check(self, name: str, stored: Stored | None) -> None:
        if stored is None:
            self.findings.append(f"{name}: the table is gone")
            return
        if missing := chips_missing(stored):
            self.findings.append(f"{name}, version {stored.version}: {missing} chips are missing")
        due = wake_at(stored.table)
        now = time.time_ns() // 1_000_000
        if due is not None and now - due > STALLED_MS:
            self.findings.append(f"{name}, version {stored.version}: stands still since {due}")

    async def _settle(self, bots: Bots) -> None:
        """When the bots have stopped and asked once more, all know what is stored."""
        for seated in bots.seated:
            seated.task.cancel()
        await asyncio.gather(*(one.task for one in bots.seated), return_exceptions=True)
        deadline = time.monotonic() + SETTLE_SECONDS
        open_ones = list(bots.seated)
        while open_ones and time.monotonic() < deadline:
            await asyncio.gather(*(self._sync(one) for one in open_ones))
            stored = {name: self.tables.load(name) for name in self.opened}
            open_ones = [one for one in open_ones if not _same(one, stored[one.bot.table])]
        for one in open_ones:
            self.findings.append(
                f"{one.client.player}: knows another {one.bot.table} than is stored"
            )
        for name in self.opened:
            self._check(name, self.tables.load(name))

    async def _sync(self, seated: Seated) -> None:
        with suppress(RequestError, Unanswered):
            await seated.client.sync(seated.bot.table)

    def _count(self, bots: Bots) -> None:
        for one in bots.seated:
            self.counts["actions"] += one.bot.played.acts
            self.counts["reconnects"] += one.client.counts.connects - 1
            self.counts["gaps"] += one.client.counts.gaps
            self.counts["syncs"] += one.client.counts.syncs
            self.counts["pushes"] += one.client.counts.pushes
            if one.client.counts.faults:
                self.findings.append(
                    f"{one.client.player}: {one.client.counts.faults} answers of a failing server"
                )
            self.findings += [f"{one.client.player}: refused {code}" for code in one.bot.refusals]

    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            hands = 0
            for name in self.opened:
                stored = await asyncio.to_thread(self.tables.load, name)
                hands += stored.table.hands if stored is not None else 0
            minutes = (time.monotonic() - self._began) / 60
            print(f"{minutes:.1f} min: {hands} hands, {len(self.findings)} findings", flush=True)

    def report(self, found: Export) -> int:
        """Print findings and the summary, which comes last; the exit code."""
        findings = [*self.findings, *found.findings]
        if not found.hands:
            findings.append("no hand was played")
        for finding in findings:
            print(finding)
        wanted = (
            "actions",
            "reconnects",
            "silences",
            "leavings",
            "sittings out",
            "checks",
            "audits",
            "syncs",
        )
        counted = ", ".join(f"{self.counts[name]} {name}" for name in wanted)
        print(f"soak of {self.seconds / 60:g} min, seed {self.seed}: {counted}")
        print(
            f"{found.hands} hands: {found.timeouts} timeouts, {found.removals} removals; "
            f"{found.cases} replayed, {found.differ} differ; pokerkit: {found.judged} the same "
            f"stacks, {found.other_stacks} others, {found.not_judged} not judged; "
            f"{len(findings)} findings: {'FAILED' if findings else 'OK'}"
        )
        return 1 if findings else 0


def _same(seated: Seated, stored: Stored | None) -> bool:
    """The bot's view has the stored table's number of events, stacks and players."""
    view: TableView | None = seated.client.views.get(seated.bot.table)
    if stored is None or view is None or view.seq != stored.table.seq:
        return False
    hand = stored.table.running

    def stack(number: int, chips: int) -> int:
        return hand.behind[number] if hand is not None and number in hand.dealt else chips

    known: list[Any] = [one and (one["player"], one["stack"], one["topup"]) for one in view.seats]
    real: list[Any] = [
        one and (one.player, stack(number, one.stack), one.topup)
        for number, one in enumerate(stored.table.seats)
    ]
    return known == real
