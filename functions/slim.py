"""Run by the build over the packages of the room's functions: takes out of botocore's data what the
room never reads, for each function that starts has to read all the rest.

    python slim.py PACKAGES SERVICE...

Of services that are not called it leaves nothing: neither models, nor where their endpoints are. Of
the others' models it takes the documentation, which is two thirds of the text, and unpacks them.
"""

import gzip
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

MODEL = "service-2.json"


def slim(data: Path, services: Sequence[str]) -> None:
    """`data` is the folder of botocore's data; raises where a service has no model in it."""
    prefixes = set()
    for folder in (path for path in data.iterdir() if path.is_dir()):
        if folder.name not in services:
            shutil.rmtree(folder)
    for service in services:
        *older, newest = sorted(path for path in (data / service).iterdir() if path.is_dir())
        for folder in older:
            shutil.rmtree(folder)
        for packed in newest.glob("*.json.gz"):
            _write(packed.with_suffix(""), json.loads(gzip.decompress(packed.read_bytes())))
            packed.unlink()
        model = json.loads((newest / MODEL).read_text())
        _write(newest / MODEL, undocumented(model))
        prefixes.add(model["metadata"]["endpointPrefix"])
    endpoints = json.loads((data / "endpoints.json").read_text())
    for partition in endpoints["partitions"]:
        known = partition["services"]
        partition["services"] = {name: known[name] for name in known if name in prefixes}
    _write(data / "endpoints.json", endpoints)


def undocumented(model: dict[str, Any]) -> dict[str, Any]:
    """A service's model without its texts: of itself, its operations, its shapes and their members,
    and what its clients are told.

    Taken out where a model has such a text, and nowhere else: "documentation" is also a name that a
    member may have. What clients are told has an empty one: botocore asks for it.
    """
    for parameter in model.get("clientContextParams", {}).values():
        parameter["documentation"] = ""
    for described in (*model["operations"].values(), *model["shapes"].values()):
        described.pop("documentation", None)
        for member in _members(described):
            member.pop("documentation", None)
    model.pop("documentation", None)
    return model


def _members(described: dict[str, Any]) -> list[dict[str, Any]]:
    """References to shapes: of a structure, a list, a map, an operation."""
    inner = [described.get(name) for name in ("member", "key", "value", "input", "output")]
    listed = [*described.get("members", {}).values(), *described.get("errors", [])]
    return [one for one in (*inner, *listed) if isinstance(one, dict)]


def _write(path: Path, data: Any) -> None:
    path.write_text(json.dumps(data, separators=(",", ":")))


if __name__ == "__main__":
    slim(Path(sys.argv[1], "botocore", "data"), sys.argv[2:])
