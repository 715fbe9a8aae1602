"""`cardroom audit hands`: every record of every hand, held against its seal, the one before it, its
own events, and the rules.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from cardroom.damage import UNREADABLE, Attributes, DamagedError
from cardroom.histories import DynamoHistories
from cardroom.proof import Chain, Flaw, Heads
from cardroom.stored import HandRecord, Stored
from cardroom.tables import TABLE_ID
from cli.archived import archive_of
from cli.cases import Case
from cli.exporting import Wanted
from cli.finished import finished_record
from cli.log_heads import add_logged
from cli.place import place
from cli.printable import printable
from cli.progress import Progress
from cli.record import NoCaseError, case_of_record
from cli.replay import replay_case, table_of
from cli.served import Failed
from cli.tables import store
from poker_engine.codec import load_table
from poker_engine.state import Table

TRIES = 3
"""A room that runs ends a hand between two reads."""


class Records(Protocol):
    def items(self, table_id: str, number: int | None = None) -> Iterator[Attributes]: ...


class Tables(Protocol):
    def load(self, table_id: str) -> Stored | None: ...


def run(args: argparse.Namespace) -> int:
    """0 where all is as it was recorded, else 1 with a line for each flaw. Raises Failed."""
    tables = store(args)
    histories = DynamoHistories.beside(tables).with_archive(archive_of(args))
    if args.table is not None and not TABLE_ID.fullmatch(args.table):
        raise Failed(f"{printable(args.table)!r} is no table's id")
    heads = _heads(args.heads)
    if args.log:
        _add_logged(heads, args)
    names = _names(args.table, histories, heads)
    kept: list[str] = []
    flaws = records = unsealed = 0
    _keep(args.keep, ())  # That it cannot is found before all is read, not after.
    with Progress(sys.stderr) as progress:
        for place, name in enumerate(names):
            progress.at(place, len(names))
            chain, found = audited(name, histories, tables, heads)
            for flaw in found:
                progress.print(sys.stdout, printable(str(flaw), 200))
            flaws += len(found)
            records += chain.records
            unsealed += chain.unsealed
            if chain.seal:
                told = {"table": name, "hand": chain.number, "seal": chain.seal}
                kept.append(f"{json.dumps(told)}\n")
    counted = f"{records} records of {len(names)} tables"
    if unsealed:
        counted += f", {unsealed} of them older than seals"
    print(f"{counted}: {f'{flaws} flaws' if flaws else 'the record is the game'}")
    _keep(args.keep, kept)
    return 1 if flaws else 0


def _names(table: str | None, histories: DynamoHistories, heads: Heads) -> list[str]:
    """Which tables; one of which nothing else is left is known by its seals. Raises Failed."""
    if table is None:
        return sorted({*histories.tables(), *filter(TABLE_ID.fullmatch, heads.tables)})
    known = {*histories.tables(), *heads.tables}
    # Of one that is gone, records may be left.
    if table not in known and next(histories.items(table), None) is None:
        raise Failed(f"there never was a table {table!r}")
    return [table]


def audited(
    name: str, histories: Records, tables: Tables, heads: Heads
) -> tuple[Chain, list[Flaw]]:
    """A table's chain and its flaws, read anew where the table has moved meanwhile.

    Where the table itself is gone, or damaged, nobody can say where its chain ends.
    """
    for attempt in range(TRIES):
        stored = _stored(tables, name)
        chain = Chain(name, heads.of(name))
        flaws: list[Flaw] = []
        for record, found in chain.check(histories.items(name)):
            flaws += found
            if record is not None and not found:
                flaws += _against_the_rules(name, record)
        broken = chain.stands(stored) if stored is not None else _no_end(chain)
        moved = stored is not None and _stored(tables, name) != stored
        if broken is None or not moved or attempt == TRIES - 1:
            break
    return chain, [*flaws, *([broken] if broken is not None else [])]


def _no_end(chain: Chain) -> Flaw:
    sentence = "whether there were more nobody can say: the table itself cannot be read"
    return Flaw(chain.table_id, f"{chain.number} and on", sentence)


def _stored(tables: Tables, name: str) -> Stored | None:
    """None also where the table is damaged: the money's audit says so."""
    try:
        return tables.load(name)
    except DamagedError:
        return None


def _against_the_rules(name: str, record: HandRecord) -> list[Flaw]:
    """The hand played again from its deck and its players' decisions."""
    try:
        case = case_of_record(record)
        ended_with = tuple(one.final for one in finished_record(record).players)
        case = replace(case, final_stacks=ended_with)
    except NoCaseError:
        return []  # A void hand was decided by nobody.
    except UNREADABLE:
        return [Flaw(name, str(record.number), "its record tells no hand")]
    different = replay_case(case, _as_it_was(case, record)).difference
    if different is None:
        return []
    sentence = f"by the rules, {different.expected}; here {different.got}"
    return [Flaw(name, str(record.number), sentence)]


def _as_it_was(case: Case, record: HandRecord) -> Table:
    """A table for the case with the options, and the rake, that the real one had."""
    table, options = table_of(case), load_table(record.opening).settings
    settings = replace(
        table.settings,
        stakes=replace(
            table.settings.stakes, rake=options.stakes.rake, currency=options.stakes.currency
        ),
        uncapped_heads_up=options.uncapped_heads_up,
        muck_losers=options.muck_losers,
    )
    return replace(table, settings=settings)


def _heads(path: Path | None) -> Heads:
    """Raises Failed."""
    heads = Heads()
    if path is None:
        return heads
    try:
        with path.open(encoding="utf-8") as file:
            found = sum(heads.add(line) for line in file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise Failed(f"{printable(str(path), 200)}: {str(reason).lower()}") from error
    if not found:
        raise Failed(f"{printable(str(path), 200)} has no seal in it")
    return heads


def _add_logged(heads: Heads, args: argparse.Namespace) -> None:
    """Raises Failed."""
    if args.stack is None:
        raise Failed("--log reads what functions on AWS have logged: say --stack")
    try:
        moments = Wanted(day=args.since).moments()
    except ValueError as error:
        raise Failed(str(error)) from error
    since = None if moments is None else moments[0]
    where = place(args)
    client, resources = where.client("logs"), where.resources()
    if not add_logged(heads, client, resources, table=args.table, since=since):
        raise Failed("no seal is in the log of the stack's functions")


def _keep(path: Path | None, lines: Iterable[str]) -> None:
    """Adds them to the file. Raises Failed."""
    if path is None:
        return
    try:
        with path.open("a", encoding="utf-8") as file:
            file.writelines(lines)
    except OSError as error:
        raise Failed(f"{printable(str(path), 200)}: {(error.strerror or '').lower()}") from error
