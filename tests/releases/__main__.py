"""Records the present code as a release: `python -m tests.releases`.

It is the first step of releasing (docs/upgrade.md), and none where nothing is deployed. The folder
named after the version in pyproject.toml gets

    release.json    the numbers of schema and rules that it reads and writes
    items.json      items as it stores them, with hands at each stage
    code.tar.gz     the code of its functions and of the engine, in the last release's folder only

so that neither a check-out without history nor a tag that was moved takes them from the tests.
"""

import argparse
import gzip
import io
import json
import os
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any, Final

from cli.succession import NUMBERS as NUMBERS
from tests.simulation.cloud import indexes
from tests.simulation.dynamo import Dynamo
from tests.simulation.release import CODE, RECORDED, ROOT, SOURCES
from tests.simulation.wire import wired

WRITES: Final = ("write_schema", "played_rules")
"""What a release is once and for all: the next one is tested against it."""


class Memory:
    """DynamoDB, and nothing else."""

    def __init__(self) -> None:
        self.dynamo = Dynamo(indexes())

    def called(self, service: str, operation: str, request: Any) -> dict[str, Any]:
        assert service == "dynamodb"
        return self.dynamo.call(operation, request)


def items() -> dict[str, list[dict[str, Any]]]:
    """What is stored at each stage of a hand, by the name of the stage; hands end as they began:
    with all that has ever been written there.
    """
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        os.environ.setdefault(name, "testing")
    os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
    from tests.room.world import World

    stages: dict[str, list[dict[str, Any]]] = {}
    memory = Memory()

    def keep(stage: str) -> None:
        found = [one for part in memory.dynamo.partitions.values() for one in part.values()]
        stages[stage] = json.loads(json.dumps(sorted(found, key=_key), default=sorted))

    with wired(memory):
        world = World(seed=5)
        keep("opened")
        world.seat("ana", "ben", "cem")
        keep("seated")
        world.deal()
        world.say("ben", "autotopup", to=100_000)
        keep("pre-flop")
        world.act("raise", to=3_000)
        world.act("call")
        world.act("call")
        keep("flop")
        world.say("cem", "leave")
        world.act("check")
        world.act("check")
        keep("turn")
        world.play_out()
        keep("between hands")
        world.deal()
        world.dealer.close("t")
        keep("closing")
    return stages


def _lines(stages: dict[str, list[dict[str, Any]]]) -> str:
    """JSON, an item a line."""
    parts = [
        f"{json.dumps(stage)}: [\n" + ",\n".join(map(json.dumps, found)) + "\n]"
        for stage, found in stages.items()
    ]
    return "{" + ",\n".join(parts) + "}\n"


def _key(item: dict[str, Any]) -> tuple[str, str]:
    return item["pk"]["S"], item["sk"]["S"]


def packed() -> bytes:
    """The code, byte for byte the same for the same code."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for source in SOURCES:
            for path in sorted((ROOT / source).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    entry = tarfile.TarInfo(path.relative_to(ROOT).as_posix())
                    entry.size, entry.mode = path.stat().st_size, 0o644
                    archive.addfile(entry, io.BytesIO(path.read_bytes()))
    return gzip.compress(plain.getvalue(), mtime=0)


def record(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "release.json").write_text(json.dumps(NUMBERS, indent=1) + "\n")
    (folder / "items.json").write_text(_lines(items()))
    for old in folder.parent.glob(f"*/{CODE}"):
        old.unlink()
    (folder / CODE).write_bytes(packed())


def main() -> int:
    parser = argparse.ArgumentParser(description="Record the present code as a release.")
    parser.add_argument("--again", action="store_true", help="in place of the one of that version")
    args = parser.parse_args()
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    folder = RECORDED / version
    if folder.exists() and not args.again:
        print(f"cardroom: release {version} is recorded: raise the version first", file=sys.stderr)
        return 1
    if folder.exists():
        was = json.loads((folder / "release.json").read_text())
        if any(was[name] != NUMBERS[name] for name in WRITES):
            print(
                f"cardroom: release {version} is recorded, and writes something else than this"
                " code: raise the version first",
                file=sys.stderr,
            )
            return 1
    record(folder)
    print(f"release {version} is recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main())
