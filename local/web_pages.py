"""What a browser is given of the web client: its built files, each with its kind and how long it
may be kept, the room's `config.json`, and the headers of every answer. The same here and on AWS.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from local.artifacts import ROOT
from local.errors import RoomError

HEADERS: Final = ROOT / "web" / "headers.json"
"""Of every answer. `{websocket}` and `{cognito}` stand for where the page may connect besides."""
START: Final = "index.html"
CONFIG: Final = "config.json"
HASHED: Final = "assets/"
"""Files below have a hash of what is in them in their names."""
FOREVER: Final = "public, max-age=31536000, immutable"
ASK_FIRST: Final = "no-cache"
KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""Content types by the ends of names: nothing else is served."""


@dataclass(frozen=True, slots=True)
class Page:
    """A file as it is served: `path` below the page's own folder, without a slash in front."""

    path: str
    body: bytes
    kind: str
    cached: str


def pages(folder: Path, config: Mapping[str, Any]) -> list[Page]:
    """All of a built client, what it starts with last, so that whoever is given the new start finds
    the rest there already. Raises RoomError where it is not whole.
    """
    if not (folder / START).is_file():
        raise RoomError("the web client is not built")
    found = [
        _page(file.relative_to(folder).as_posix(), file.read_bytes())
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not file.name.startswith(".")
    ]
    found.append(_page(CONFIG, json.dumps(config, indent=2).encode()))
    return sorted(found, key=lambda page: (page.path in (CONFIG, START), page.path))


def _page(path: str, body: bytes) -> Page:
    kind = KINDS.get(Path(path).suffix)
    if kind is None:
        raise RoomError(f"the web client holds a file of an unknown kind: {path}")
    return Page(path, body, kind, FOREVER if path.startswith(HASHED) else ASK_FIRST)


def config(outputs: Mapping[str, str], region: str, url: str, endpoint: str = "") -> dict[str, Any]:
    """What the client reads first: where its room is, and the pool that knows its players.

    `endpoint` is the pool's address on this machine; empty on AWS, whose own it is.
    """
    return {
        "ws": url,
        "cognito": {
            "endpoint": endpoint or None,
            "region": region,
            "clientId": outputs["UserPoolClientId"],
            "userPoolId": outputs["UserPoolId"],
        },
        "local": bool(endpoint),
    }


def headers(websocket: str, cognito: str) -> dict[str, str]:
    """The headers of every answer to a page that connects to these two origins."""
    written: dict[str, str] = json.loads(HEADERS.read_text())
    return {
        name: value.replace("{websocket}", websocket).replace("{cognito}", cognito)
        for name, value in written.items()
    }
