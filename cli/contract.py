"""`cardroom contract`: the contract with client makers, and the page of metrics, written anew from
the code.
"""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from cli import asyncapi, codes_page, metrics_page, schema

ROOT: Final = Path(__file__).parents[1]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail where a file is not what it says"
    )


def run(args: argparse.Namespace) -> int:
    wanted = files()
    changed = stale(wanted, ROOT)
    for name in changed:
        print(f"{name} is stale: run `cardroom contract`" if args.check else f"wrote {name}")
        if not args.check:
            (ROOT / name).write_text(wanted[name], encoding="utf-8")
    return 1 if args.check and changed else 0


def files() -> dict[str, str]:
    """Path in the project: its text."""
    return {
        "events/messages.schema.json": _json(schema.bundle()),
        "events/asyncapi.json": _json(asyncapi.document()),
        "docs/errors.md": codes_page.page(),
        "docs/metrics.md": metrics_page.page(),
    }


def stale(wanted: Mapping[str, str], root: Path) -> list[str]:
    """Which of these files are missing under `root`, or have another text."""
    return [name for name, text in wanted.items() if _text(root / name) != text]


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
