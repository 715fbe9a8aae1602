"""Serves the web client on this machine, as CloudFront does it on AWS.

    with WebServer() as web:
        web.origins                  # the room lets pages of these in
        web.open(pages, headers)
        web.address                  # http://127.0.0.1:PORT/

It holds what it serves in memory, under the very paths that are asked for: no folder is read for a
request. It answers only who asks for it by a name of the loopback interface, so that no foreign
name which leads here by its DNS makes a foreign page one of ours.
"""

import gzip
import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from local.emulator import HOST
from local.errors import RoomError
from local.web_pages import START, Page

NAMES: Final = (HOST, "localhost")
"""By which a browser may ask."""
IDLE_SECONDS: Final = 20.0
"""A connection that asks nothing for so long is closed."""
PACKED: Final = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
"""Kinds that gzip makes smaller."""


class WebServer(AbstractContextManager["WebServer"]):
    """Has its port from the beginning on, for the room must know it; answers from `open` on.

    Raises RoomError where the port is in use.
    """

    def __init__(self, port: int = 0) -> None:
        try:
            self._server = _Server((HOST, port), _Handler)
        except OSError as error:
            raise RoomError(
                f"port {port} is in use: stop what listens there, or choose another with --web-port"
            ) from error
        self._thread: threading.Thread | None = None

    @property
    def address(self) -> str:
        return f"{self.origins[0]}/"

    @property
    def origins(self) -> tuple[str, ...]:
        return tuple(f"http://{name}:{self._server.server_port}" for name in NAMES)

    def open(self, pages: Sequence[Page], headers: Mapping[str, str]) -> None:
        self._server.answers = {f"/{page.path}": _Answer(page) for page in pages}
        self._server.answers["/"] = self._server.answers[f"/{START}"]
        self._server.headers = dict(headers)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Twice does no harm."""
        if self._thread is not None:
            self._server.shutdown()
            self._thread.join()
            self._thread = None
        self._server.server_close()

    def __exit__(self, *_: object) -> None:
        self.close()


class _Answer:
    """A page, packed once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        packed = gzip.compress(page.body, mtime=0) if page.kind.startswith(PACKED) else page.body
        self.packed = packed if len(packed) < len(page.body) else None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A port that was just given up by another room is free.
    allow_reuse_address = True

    answers: Mapping[str, _Answer] = {}
    headers: Mapping[str, str] = {}

    def server_bind(self) -> None:
        super().server_bind()
        self.hosts = {f"{name}:{self.server_port}" for name in NAMES}

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle is no event."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    server_version = "cardroom"
    sys_version = ""
    timeout = IDLE_SECONDS

    def do_GET(self) -> None:
        self._respond(with_body=True)

    def do_HEAD(self) -> None:
        self._respond(with_body=False)

    def _respond(self, *, with_body: bool) -> None:
        # Who asks by another name was led here by it.
        if self.headers.get_all("Host") is None or any(
            host not in self.server.hosts for host in self.headers.get_all("Host", [])
        ):
            self._say(HTTPStatus.MISDIRECTED_REQUEST, with_body)
            return
        answer = self.server.answers.get(self.path.partition("?")[0])
        if answer is None:
            self._say(HTTPStatus.NOT_FOUND, with_body)
            return
        page, body, packed = answer.page, answer.page.body, False
        if answer.packed is not None and "gzip" in self.headers.get("Accept-Encoding", ""):
            body, packed = answer.packed, True
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", page.kind)
        self.send_header("Cache-Control", page.cached)
        if answer.packed is not None:
            self.send_header("Vary", "Accept-Encoding")
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self._finish(body, with_body)

    def _say(self, status: HTTPStatus, with_body: bool) -> None:
        """An answer that is no page."""
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Cache-Control", "no-store")
        self._finish(f"{status.phrase}\n".encode(), with_body)

    def _finish(self, body: bytes, with_body: bool) -> None:
        self.send_header("Content-Length", str(len(body)))
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """For what is no request, or asks for something else than to be given a page."""
        self.close_connection = True
        self._say(HTTPStatus(code), with_body=self.command != "HEAD")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """The terminal shows the lobby."""
