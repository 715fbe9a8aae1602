"""The page's server on this machine: what it serves, to whom, and under which headers."""

import gzip
import http.client
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.errors import RoomError
from local.web_pages import ASK_FIRST, FOREVER, config, headers, pages
from local.web_server import WebServer

SCRIPT = "export const all = 1;\n" * 200
FILES = {
    "index.html": "<!doctype html><title>Cardroom</title>",
    "assets/main-8aF3x_2k.js": SCRIPT,
    "assets/main-8aF3x_2k.css": "body { color: red }\n" * 50,
    "icon.svg": "<svg/>",
    ".vite/manifest.json": "{}",
}
OUTPUTS = {"UserPoolClientId": "client", "UserPoolId": "us-east-1_pool"}
HEADERS = headers("ws://127.0.0.1:4566", "http://127.0.0.1:4566")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("not to be served")
    for name, text in FILES.items():
        file = tmp_path / "dist" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "dist" / ".vite" / "manifest.json").unlink()
    return tmp_path / "dist"


@pytest.fixture
def web(folder: Path) -> Iterator[WebServer]:
    with WebServer() as web:
        told = config(OUTPUTS, "us-east-1", "ws://127.0.0.1:4566/room", "http://127.0.0.1:4566")
        web.open(pages(folder, told), HEADERS)
        yield web


class Answer:
    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status = answer.status
        self.headers = answer.headers
        self.body = answer.read()


def ask(web: WebServer, path: str, method: str = "GET", **headers: str) -> Answer:
    port = int(web.address.rpartition(":")[2].rstrip("/"))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=named)
        return Answer(connection.getresponse())
    finally:
        connection.close()


def test_it_opens_on_the_page(web: WebServer) -> None:
    for path in ("/", "/index.html", "/?lang=fil"):
        answer = ask(web, path)
        assert (answer.status, answer.body.decode()) == (200, FILES["index.html"])
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.headers["Cache-Control"] == ASK_FIRST


@pytest.mark.parametrize(
    ("path", "kind", "cached"),
    [
        ("/assets/main-8aF3x_2k.js", "text/javascript; charset=utf-8", FOREVER),
        ("/assets/main-8aF3x_2k.css", "text/css; charset=utf-8", FOREVER),
        ("/icon.svg", "image/svg+xml", ASK_FIRST),
        ("/config.json", "application/json", ASK_FIRST),
    ],
)
def test_each_file_has_its_kind_and_what_has_a_hash_is_kept(
    web: WebServer, path: str, kind: str, cached: str
) -> None:
    answer = ask(web, path)
    assert (answer.headers["Content-Type"], answer.headers["Cache-Control"]) == (kind, cached)


@pytest.mark.parametrize("path", ["/", "/config.json", "/assets/main-8aF3x_2k.js", "/nothing"])
def test_every_answer_has_the_headers(web: WebServer, path: str) -> None:
    answer = ask(web, path)
    for name, value in HEADERS.items():
        assert answer.headers.get_all(name) == [value]


def test_what_is_packed_is_the_same(web: WebServer) -> None:
    packed = ask(web, "/assets/main-8aF3x_2k.js", Accept_Encoding="br, gzip")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(packed.body).decode() == SCRIPT
    assert len(packed.body) < len(SCRIPT) / 10
    whole = ask(web, "/assets/main-8aF3x_2k.js")
    assert (whole.headers["Content-Encoding"], whole.body.decode()) == (None, SCRIPT)


@pytest.mark.parametrize(
    "path",
    [
        "/assets",
        "/assets/",
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "//secret.txt",
        "/assets/..\\..\\secret.txt",
        "/secret.txt",
        "/etc/passwd",
        "/index.html/",
        "/INDEX.HTML",
    ],
)
def test_nothing_else_is_there(web: WebServer, path: str) -> None:
    """No folder is listed, and no path leads out of what is served."""
    answer = ask(web, path)
    assert answer.status == 404
    assert b"secret" not in answer.body


@pytest.mark.parametrize(
    "host", ["example.com", "127.0.0.1.example.com", "", "127.0.0.1:1", "[::1]"]
)
def test_a_foreign_name_that_leads_here_is_refused(web: WebServer, host: str) -> None:
    answer = ask(web, "/config.json", Host=host)
    assert answer.status == 421
    assert b"cognito" not in answer.body


def test_both_names_of_this_machine_are_good(web: WebServer) -> None:
    assert len(web.origins) == 2
    for origin in web.origins:
        assert ask(web, "/", Host=origin.removeprefix("http://")).status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_it_only_gives(web: WebServer, method: str) -> None:
    answer = ask(web, "/", method)
    assert answer.status == 501
    assert answer.headers["X-Frame-Options"] == "DENY"


def test_head_has_no_body(web: WebServer) -> None:
    answer = ask(web, "/", "HEAD")
    assert answer.status == 200
    assert answer.headers["Content-Length"] == str(len(FILES["index.html"]))
    assert answer.body == b""


def test_what_is_no_request_is_refused(web: WebServer) -> None:
    port = int(web.address.rpartition(":")[2].rstrip("/"))
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(b"nonsense that is no request\r\n\r\n")
        with connection.makefile("rb") as answer:
            assert answer.read() == b"Bad Request\n"
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
        with connection.makefile("rb") as answer:
            assert b"421" in answer.readline()


def test_its_port_is_its_own_until_it_ends(web: WebServer) -> None:
    port = int(web.address.rpartition(":")[2].rstrip("/"))
    with pytest.raises(RoomError, match="--web-port"):
        WebServer(port)
    web.close()
    web.close()
    WebServer(port).close()


def test_what_it_starts_with_comes_last(folder: Path) -> None:
    """Whoever is given the new start finds what it names."""
    paths = [page.path for page in pages(folder, {})]
    assert paths[-2:] == ["config.json", "index.html"]
    assert set(paths) == {name for name in FILES if not name.startswith(".")} | {"config.json"}


def test_a_file_of_an_unknown_kind_is_a_fault(folder: Path) -> None:
    (folder / "tool.exe").write_text("?")
    with pytest.raises(RoomError, match=r"unknown kind: tool\.exe"):
        pages(folder, {})


def test_without_a_build_there_is_nothing(tmp_path: Path) -> None:
    with pytest.raises(RoomError, match="not built"):
        pages(tmp_path, {})


def test_the_page_is_told_where_its_room_and_its_pool_are() -> None:
    here = config(OUTPUTS, "us-east-1", "ws://127.0.0.1:1/room", "http://127.0.0.1:1")
    assert here == {
        "ws": "ws://127.0.0.1:1/room",
        "cognito": {
            "endpoint": "http://127.0.0.1:1",
            "region": "us-east-1",
            "clientId": "client",
            "userPoolId": "us-east-1_pool",
        },
        "local": True,
    }
    there = config(OUTPUTS, "eu-west-1", "wss://x.example.com/room")
    assert there["cognito"]["endpoint"] is None
    assert there["local"] is False


def test_scripts_come_from_the_page_and_words_are_no_markup() -> None:
    policy = HEADERS["Content-Security-Policy"]
    parts = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
    assert parts["default-src"] == "'none'"
    assert parts["connect-src"] == "'self' ws://127.0.0.1:4566 http://127.0.0.1:4566"
    assert parts["require-trusted-types-for"] == "'script'"
    for lax in ("unsafe", "*", "http:", "https:", "blob:"):
        assert lax not in policy.replace("http://127.0.0.1:4566", "")
