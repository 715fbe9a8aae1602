"""`cardroom backup`: all that a room at rest has stored, as a file. On AWS the table can be
restored to any second without it (docs/restore.md).
"""

import argparse
import gzip
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final, Self

from cardroom.damage import Attributes, DamagedError
from cardroom.ports import Clock
from cardroom.restoring import Items, kept
from cardroom.store import DynamoTables
from cardroom.stored import Stored
from cardroom.systemclock import SystemClock
from cli.printable import printable
from cli.served import Failed, served
from cli.tables import store, where

FORMAT: Final = "cardroom backup 1"
OWNER_ONLY: Final = 0o600
TRIES: Final = 3
PATIENCE_MS: Final = 600_000
LOOK_MS: Final = 1_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="made anew; it holds cards that nobody may see yet")
    where(parser)
    parser.add_argument(
        "--playing", action="store_true", help="though tables play: it may not add up then"
    )


def run(args: argparse.Namespace) -> int:
    """0; 1 where it could not be done."""
    return served(args, _back_up, written=str(args.file))


def _back_up(args: argparse.Namespace) -> int:
    tables = store(args)
    if not args.playing:
        wait_for_rest(tables, SystemClock())
    count = backed_up(tables, args.file, playing=args.playing)
    print(f"{count} items are in {args.file}")
    return 0


def wait_for_rest(tables: DynamoTables, clock: Clock) -> None:
    """Until the hands of frozen tables have ended. Raises Failed for a table that is not frozen, or
    whose hand takes too long: items are read one after the other, so that a hand which goes on
    would be there in parts. A table that cannot be read is taken as it is: nothing moves there.
    """
    ends = clock.now() + PATIENCE_MS
    for table_id in tables.listed():
        while (stored := _readable(tables, table_id)) is not None and not stored.table.closed:
            if not stored.table.frozen:
                raise Failed(f"{table_id} plays: freeze all tables first")
            if stored.table.running is None:
                break
            if clock.now() >= ends:
                raise Failed(f"{table_id}: its hand has not ended yet")
            clock.pause(LOOK_MS)


def _readable(tables: DynamoTables, table_id: str) -> Stored | None:
    try:
        return tables.load(table_id)
    except DamagedError:
        return None


def backed_up(tables: DynamoTables, file: Path, *, playing: bool = False) -> int:
    """How many items. The file is there when it is whole, and nobody else may read it.

    Items are read one after the other, and at a frozen table somebody may still sit down or leave,
    and a deposit be booked: half of that would be in the file. So all are read once more: if none
    is another than it was, all were so at the moment between. Raises Failed where it never is so.
    """
    items = Items(tables.name, tables._client, SystemClock())
    draft = file.with_name(f"{file.name}.part")
    for _ in range(TRIES):
        written = _written(items, draft)
        if playing or written == Sum.of(_line(item) for item in items.all() if kept(item)):
            draft.replace(file)
            return written.count
    draft.unlink()
    raise Failed("somebody wrote all the while: run it again when nobody comes or goes")


@dataclass(slots=True)
class Sum:
    """Of texts in any order: how many they are, and their digests added up."""

    count: int = 0
    digests: int = 0

    def add(self, text: str) -> None:
        self.count += 1
        self.digests += int.from_bytes(blake2b(text.encode()).digest())

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        found = cls()
        for text in texts:
            found.add(text)
        return found


def _line(item: Attributes) -> str:
    return json.dumps(item, separators=(",", ":"), default=sorted, sort_keys=True)


def _written(items: Items, draft: Path) -> Sum:
    """Of what was written to the draft."""
    written = Sum()
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY)
    with os.fdopen(handle, "wb") as raw, gzip.open(raw, "wt", encoding="utf-8") as out:
        out.write(json.dumps({"format": FORMAT}) + "\n")
        for item in items.all():
            if kept(item):
                line = _line(item)
                out.write(line + "\n")
                written.add(line)
        out.write(json.dumps({"items": written.count}) + "\n")
    return written


def read_backup(file: Path) -> Iterator[Attributes]:
    """Raises Failed where it is no backup, or not a whole one, before the first item is given."""
    whole = "it is no backup of a room, or not a whole one"
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            first, *items, last = [json.loads(line) for line in lines]
    except (OSError, EOFError, ValueError) as error:
        raise Failed(f"{printable(str(file), 200)}: {whole}") from error
    if first != {"format": FORMAT} or last != {"items": len(items)}:
        raise Failed(f"{printable(str(file), 200)}: {whole}")
    yield from items
