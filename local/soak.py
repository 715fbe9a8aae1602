"""`cardroom soak`: bots play for long on the local room while connections break and players come
and go, by chosen seats, quick seats and waiting lists.

Chips are counted throughout, from the tables as they are stored; every bot keeps a ledger of how
it came to know each event; spectators and the lobby are held to what they are promised. At the end
the hands are exported as cases and replayed, and pokerkit plays them beside.

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

from botocore.exceptions import BotoCoreError, ClientError

from cardroom.audit import audit
from cardroom.inventory import DynamoInventory
from cardroom.stored import Stored
from cardroom.systemclock import SystemClock
from cli.audit import lines
from local.bots import Habits, Way
from local.client import Client, Refused, RequestError, Timing, Unanswered
from local.errors import RoomError
from local.gallery import LobbyWatch, Spectator
from local.ledger import Chronicle
from local.room_cases import Export, export
from local.running import room_folder
from local.seats import Bots, Seated
from local.stack import Room
from local.table_view import TableView
from local.tables import LocalTables, chips_missing, open_tables, table_id
from poker_engine.clock import wake_at
from poker_engine.stakes import PHP_STAKES, Settings, Stakes, fixed_limit, no_limit, table_settings
from poker_engine.state import Table

THINK: Final = (0.1, 0.8)
ABSENT_SECONDS: Final = (1.0, 6.0)
FRESH_MS: Final = 5_000
"""The lobby is never older than this."""
NOISE_MS: Final = 2_000
"""And this: here 2 cores are the whole room and 40 players besides, and a function that starts anew
takes so long of them before its first message is out.
"""
SETTLED_SECONDS: Final = (FRESH_MS + NOISE_MS) / 1000 + 2.0
"""Who has sat for so long, or is gone for so long, is so in the lobby."""
SPECTATED: Final = 3
"""Tables that have spectators, one signed in and one guest."""
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
    """0 where nothing is amiss; 1 with a line for each finding, or where the room cannot start or
    is lost; 2 on a bad argument.
    """
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
    except (BotoCoreError, ClientError, Unanswered) as error:
        reason = str(error).partition("\n")[0]
        print(f"cardroom: the room was lost, and the soak with it: {reason}", file=sys.stderr)
        return 1


def tables_of_the_soak() -> list[tuple[str, Settings, int]]:
    """Eight tables of three stakes, with quick clocks: id, settings, and bots, 40 in all.

    The second stake has a time bank; one table of it is shown to spectators late. The third has a
    bot for each seat: who leaves and comes back finds it full.
    """
    clocks = {"clock_ms": 3_000, "grace_ms": 500, "pause_ms": 1_000}
    pesos, dollars, limit = PHP_STAKES[0], no_limit("USD", 100), fixed_limit("USD", 1000)
    chosen: tuple[tuple[Stakes, int, int, dict[str, int]], ...] = (
        (pesos, 6, 5, {}),
        (pesos, 6, 5, {}),
        (pesos, 9, 6, {}),
        (dollars, 6, 5, {"time_bank_ms": 8_000}),
        (dollars, 6, 5, {"time_bank_ms": 8_000, "delay_s": 3}),
        (dollars, 6, 4, {"time_bank_ms": 8_000}),
        (limit, 5, 5, {}),
        (limit, 5, 5, {}),
    )
    numbers: Counter[str] = Counter()
    found = []
    for stakes, seats, bots, more in chosen:
        numbers[stakes.structure] += 1
        settings = table_settings(stakes, seats, **clocks, **more)
        settings = replace(settings, sit_out_ms=15_000, sit_out_passes=2)
        found.append((table_id(stakes, numbers[stakes.structure]), settings, bots))
    return found


HABITS: Final = Habits(
    think=THINK,
    ways=(Way.CHOOSE, Way.QUICK, Way.QUICK, Way.WAIT),
    prepares=0.08,
    refills=0.05,
    ignores=0.2,
)
COUNTED: Final = ("actions", "checks", "audits", "syncs")
TRIED: Final = (
    "reconnects", "absences", "silences", "leavings", "sittings out", "top-ups",
    "automatic top-ups", "pre-actions", "quick seats", "waits in line", "offers taken",
)  # fmt: skip
"""What a full soak has done."""
FULL_SECONDS: Final = 120.0

type Players = tuple[str | None, ...]


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
        self.chronicle = Chronicle(self.findings)
        self.spectators: list[Spectator] = []
        self.watch = LobbyWatch()
        self._dice = random.Random(f"soak/{self.seed}")
        self._began = time.monotonic()
        self._seated: dict[str, tuple[Players, float]] = {}

    async def play(self) -> None:
        """Open tables, let bots play among mishaps, and compare at the end what everybody knows."""
        wanted = tables_of_the_soak()
        self.opened = open_tables(self.tables, [(name, settings) for name, settings, _ in wanted])
        timing = Timing(reply=3.0)
        async with Bots(self.room, self.seed, timing, chronicle=self.chronicle) as bots:
            await self._look_on(bots)
            await bots.fill({name: count for name, _, count in wanted}, HABITS)
            print(f"{len(bots.seated)} bots at {len(self.opened)} tables.", flush=True)
            self._began = time.monotonic()
            works = (
                self._mishaps(bots),
                self._watch_chips(bots),
                self._watch_money(),
                self._tell(bots),
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

    async def _look_on(self, bots: Bots) -> None:
        """Somebody watches the lobby, and some watch tables."""
        lobby = await bots.connect("Onlooker", self.watch)
        await lobby.enter_lobby()
        for number, name in enumerate(self.opened[:: len(self.opened) // SPECTATED][:SPECTATED]):
            for guest in (False, True):
                spectator = Spectator(name)
                self.spectators.append(spectator)
                watcher = await bots.connect(f"Onlooker{number + 2}", spectator, guest=guest)
                await watcher.watch(name)

    # Mishaps

    async def _mishaps(self, bots: Bots) -> None:
        kinds: tuple[tuple[str, int, Callable[[Seated], Awaitable[None]]], ...] = (
            ("lost connections", 5, self._lose_connection),
            ("absences", 4, self._stay_away),
            ("silences", 2, self._fall_silent),
            ("leavings", 4, self._leave),
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

    async def _stay_away(self, seated: Seated) -> None:
        await seated.client.drop(self._dice.uniform(*ABSENT_SECONDS))

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
            await self._find_tables()
            for name in self.opened:
                began = time.monotonic()
                stored = await asyncio.to_thread(self.tables.load, name)
                self.counts["checks"] += 1
                self._check(name, stored)
                if stored is not None and not stored.table.closed:
                    self._check_lobby(name, stored.table, began, time.monotonic())
            self.watch.look()

    async def _find_tables(self) -> None:
        """Tables that the room has opened by itself."""
        listed = await asyncio.to_thread(self.tables.listed)
        self.opened += [name for name in listed if name not in self.opened]

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

    def _check_lobby(self, name: str, table: Table, began: float, ended: float) -> None:
        """Who has sat at the table for long enough, and nobody else, is there in the lobby too."""
        players = tuple(None if seat is None else seat.player for seat in table.seats)
        known, since = self._seated.get(name, (None, ended))
        since = max(since, self.chronicle.moved.get(name, 0.0))
        if players != known:
            self._seated[name] = players, ended
        elif began - since > SETTLED_SECONDS:
            row = self.watch.lobby.table(name)
            self.counts["rows compared"] += 1
            if row is None or tuple(row["players"]) != players:
                shown = None if row is None else row["players"]
                self._find_once(f"the lobby shows {shown} at {name}, not {list(players)}")

    def _find_once(self, finding: str) -> None:
        if finding not in self.findings:
            self.findings.append(finding)

    async def _settle(self, bots: Bots) -> None:
        """When the bots have stopped and asked once more, all know what is stored."""
        for seated in bots.seated:
            seated.task.cancel()
        await asyncio.gather(*(one.task for one in bots.seated), return_exceptions=True)
        await self._find_tables()
        deadline = time.monotonic() + SETTLE_SECONDS
        open_ones = [
            (one.client, view) for one in bots.seated for view in one.client.views.values()
        ]
        while open_ones and time.monotonic() < deadline:
            await asyncio.gather(*(_sync(client, view) for client, view in open_ones))
            stored = {name: self.tables.load(name) for name in self.opened}
            open_ones = [one for one in open_ones if not knows(one[1], stored.get(one[1].table))]
        for client, view in open_ones:
            self.findings.append(f"{client.player}: knows another {view.table} than is stored")
        for name in self.opened:
            self._check(name, self.tables.load(name))

    def _count(self, bots: Bots) -> None:
        for one in bots.seated:
            played, went_through = one.bot.played, one.client.counts
            self.counts["actions"] += played.acts
            self.counts["quick seats"] += played.quick
            self.counts["waits in line"] += played.waits
            self.counts["offers taken"] += played.offered
            self.counts["pre-actions"] += played.prepared
            self.counts["automatic top-ups"] += played.refills
            self.counts["reconnects"] += went_through.connects - 1
            self.counts["gaps"] += went_through.gaps
            self.counts["syncs"] += went_through.syncs
            self.counts["pushes"] += went_through.pushes
            if went_through.faults:
                self.findings.append(
                    f"{one.client.player}: {went_through.faults} answers of a failing server"
                )
            self.findings += [f"{one.client.player}: refused {code}" for code in one.bot.refusals]
        for ledger in bots.ledgers:
            self.counts["events by push"] += ledger.pushed_events
            self.counts["events by sync"] += ledger.asked_events
        for spectator in self.spectators:
            self.counts["hands watched"] += len(spectator.hands)
            self.counts["snapshots"] += sum(map(len, spectator.hands.values()))
            self.findings += spectator.findings()

    async def _tell(self, bots: Bots) -> None:
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            hands = 0
            for name in self.opened:
                stored = await asyncio.to_thread(self.tables.load, name)
                hands += stored.table.hands if stored is not None else 0
            actions = sum(one.bot.played.acts for one in bots.seated)
            minutes = (time.monotonic() - self._began) / 60
            found = len(self.findings)
            print(
                f"{minutes:.1f} min: {hands} hands, {actions} actions, {found} findings", flush=True
            )

    def report(self, found: Export) -> int:
        """Print findings and the summary, which comes last; the exit code."""
        compared = sum(self.chronicle.compare(self.tables.hands(name)) for name in self.opened)
        findings = [*self.findings, *found.findings]
        if self.watch.oldest_ms > FRESH_MS + NOISE_MS:
            findings.append(f"the lobby was {self.watch.oldest_ms / 1000:.1f} s old")
        if not found.hands or not compared:
            findings.append("no hand was played")
        if self.seconds >= FULL_SECONDS:
            findings += [f"there were no {name}" for name in TRIED if not self.counts[name]]
        for finding in findings:
            print(finding)
        counted = ", ".join(f"{self.counts[name]} {name}" for name in (*COUNTED, *TRIED))
        print(f"soak of {self.seconds / 60:g} min, seed {self.seed}: {counted}")
        print(
            f"{self.counts['events by push']} events came by a push, "
            f"{self.counts['events by sync']} by a sync, none was missed unless said above; "
            f"{compared} compared with their records"
        )
        most = max((one.most for one in self.spectators), default=0)
        print(
            f"{self.counts['hands watched']} hands watched, {most} snapshots of a hand at most; "
            f"the lobby told {self.watch.pushes} times, {self.watch.oldest_ms / 1000:.1f} s old at "
            f"most, {self.counts['rows compared']} rows compared with their tables"
        )
        for reader, counts in found.read.items():
            told = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
            print(f"{reader}: {told or 'nothing'}")
        formats = ", ".join(
            f"{found.agreed[kind]} of {told} in {kind}" for kind, told in found.told.items()
        )
        print(f"read as they were by a foreign reader: {formats}; {found.by_nobody} by nobody")
        print(
            f"{found.hands} hands: {found.timeouts} timeouts, {found.removals} removals; "
            f"{found.cases} replayed, {found.differ} differ; pokerkit: {found.judged} the same "
            f"stacks, {found.other_stacks} others, {found.not_judged} not judged; "
            f"{len(findings)} findings: {'FAILED' if findings else 'OK'}"
        )
        return 1 if findings else 0


async def _sync(client: Client, view: TableView) -> None:
    with suppress(RequestError, Unanswered):
        await client.sync(view.table)


def knows(view: TableView, stored: Stored | None) -> bool:
    """The view has the stored table's number of events, stacks and players; so has one that cannot:
    where nothing was shown yet, or a table is shown late to who only looks on.
    """
    if view.seq < 0 or (view.mine is None and view.settings["delay_s"]):
        return True
    if stored is None or view.seq != stored.table.seq:
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
