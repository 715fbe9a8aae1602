"""Who may connect, and as whom."""

import json
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from cardroom.auth import Verifier, policy
from cardroom.compose.authorizer import verifier
from tests.template.parsed import ROOT

ISSUER = "https://cognito-idp.us-east-1.amazonaws.com/pool"
CLIENT = "client"


class OneKey:
    def __init__(self, key: rsa.RSAPrivateKey) -> None:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
        self._key = jwt.PyJWK({**public, "kid": "one", "alg": "RS256"})

    def get_signing_key_from_jwt(self, token: str | bytes) -> jwt.PyJWK:
        if jwt.get_unverified_header(token).get("kid") != "one":
            raise jwt.PyJWKClientError("no such key")
        return self._key


KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
KEYS = OneKey(KEY)


def _claims(**changed: Any) -> dict[str, Any]:
    now = int(time.time())
    claims = {
        "iss": ISSUER,
        "sub": "1b4e28ba",
        "client_id": CLIENT,
        "token_use": "access",
        "username": "ana",
        "iat": now,
        "exp": now + 600,
        **changed,
    }
    return {name: value for name, value in claims.items() if value is not None}


def _token(key: Any = KEY, algorithm: str = "RS256", kid: str = "one", **changed: Any) -> str:
    return jwt.encode(_claims(**changed), key, algorithm=algorithm, headers={"kid": kid})


def _player(header: str | None, *, guests: bool = True) -> str | None:
    verifier = Verifier(KEYS, ISSUER, CLIENT, guests)
    return verifier.player({} if header is None else {"Sec-WebSocket-Protocol": header})


def test_a_good_token_names_the_player() -> None:
    assert _player(f"cardroom.v1, bearer.{_token()}") == "ana"
    assert _player(f"bearer.{_token()},cardroom.v1") == "ana"


def test_headers_come_in_any_case() -> None:
    header = {"sec-websocket-protocol": f"cardroom.v1, bearer.{_token()}"}
    assert Verifier(KEYS, ISSUER, CLIENT, False).player(header) == "ana"


@pytest.mark.rule("7")
def test_guests_may_watch_where_the_operator_lets_them() -> None:
    assert _player("cardroom.v1") == ""
    assert _player("cardroom.v1", guests=False) is None


# Made when asked for: a process that collects a second later names its tests as the others do.
REFUSED: dict[str, Callable[[], str]] = {
    "expired": lambda: _token(exp=int(time.time()) - 60),
    "another's key": lambda: _token(key=OTHER),
    "another key's name": lambda: _token(kid="two"),
    "for another client": lambda: _token(client_id="another"),
    "an id token": lambda: _token(token_use="id"),
    "of another pool": lambda: _token(iss=ISSUER + "x"),
    "signed with a word": lambda: _token(key="s" * 32, algorithm="HS256"),
    "unsigned": lambda: jwt.encode(_claims(), "", algorithm="none", headers={"kid": "one"}),
    "without an end": lambda: _token(exp=None),
    "without a subject": lambda: _token(sub=None),
    "without a client": lambda: _token(client_id=None),
    "without a use": lambda: _token(token_use=None),
    "without a name": lambda: _token(username=None),
    "an address for a name": lambda: _token(username="ana@example.com"),
    "a name that turns the line": lambda: _token(username="a\u202eb"),
    "too long a name": lambda: _token(username="x" * 37),
    "an empty name": lambda: _token(username=""),
    "not yet": lambda: _token(nbf=int(time.time()) + 600),
    "another signature": lambda: _token() + "x",
    "nothing": lambda: "",
    "no token": lambda: "a.b.c",
    "too long": lambda: "x" * 5000,
}


@pytest.mark.parametrize("token", REFUSED)
@pytest.mark.parametrize("guests", [True, False])
def test_what_is_refused(token: str, guests: bool) -> None:
    assert _player(f"cardroom.v1, bearer.{REFUSED[token]()}", guests=guests) is None


OURS = "https://d111111abcdef8.cloudfront.net"
FOREIGN = [
    "https://example.com",
    "http://d111111abcdef8.cloudfront.net",
    "https://d111111abcdef8.cloudfront.net:8443",
    "https://d111111abcdef8.cloudfront.net.example.com",
    "https://D111111ABCDEF8.cloudfront.net",
    f"{OURS}/",
    f"{OURS}, {OURS}",
    "null",
    "",
]
"""What no browser says for a page of ours. Pages of files and of sandboxed frames say "null"."""


@pytest.mark.parametrize("guest", [True, False])
@pytest.mark.parametrize("name", ["Origin", "origin", "ORIGIN"])
def test_pages_of_others_are_refused_to_guests_too(name: str, guest: bool) -> None:
    verifier = Verifier(KEYS, ISSUER, CLIENT, True, frozenset({OURS}))
    headers = {"Sec-WebSocket-Protocol": f"cardroom.v1{'' if guest else f', bearer.{_token()}'}"}
    assert verifier.player({**headers, name: OURS}) is not None
    # Apps and bots are no browsers, and say nothing.
    assert verifier.player(headers) is not None
    for origin in FOREIGN:
        assert verifier.player({**headers, name: origin}) is None, origin


def test_where_no_page_is_allowed_no_browser_comes_in() -> None:
    verifier = Verifier(KEYS, ISSUER, CLIENT, True)
    for origin in (OURS, *FOREIGN):
        assert verifier.player({"Sec-WebSocket-Protocol": "cardroom.v1", "Origin": origin}) is None


@pytest.mark.parametrize("header", [None, "", "chat", "cardroom.v2"])
def test_without_the_protocol_nobody_comes_in(header: str | None) -> None:
    assert _player(header) is None
    assert _player(f"bearer.{_token()}") is None


def test_two_tokens_are_one_too_many() -> None:
    assert _player(f"cardroom.v1, bearer.{_token()}, bearer.{_token()}") is None


def test_a_key_set_out_of_reach_is_no_bad_token() -> None:
    class Unreachable:
        def get_signing_key_from_jwt(self, token: str | bytes) -> jwt.PyJWK:
            raise jwt.PyJWKClientConnectionError("timed out")

    verifier = Verifier(Unreachable(), ISSUER, CLIENT, True)
    with pytest.raises(jwt.PyJWKClientConnectionError):
        verifier.player({"Sec-WebSocket-Protocol": f"cardroom.v1, bearer.{_token()}"})


def test_the_answer_holds_the_player_and_no_token() -> None:
    allowed = policy("ana", "arn")
    assert allowed["context"] == {"player": "ana"}
    assert allowed["policyDocument"]["Statement"][0]["Effect"] == "Allow"
    assert policy("", "arn")["context"] == {"player": ""}
    assert policy(None, "arn")["policyDocument"]["Statement"][0]["Effect"] == "Deny"


# --- the function that API Gateway asks ----------------------------------------------------------

NOBODY = {
    "expired": f"cardroom.v1, bearer.{_token(exp=int(time.time()) - 60)}",
    "forged": f"cardroom.v1, bearer.{_token(key=OTHER)}",
    "tampered with": f"cardroom.v1, bearer.{_token()[:-4]}AAAA",
    "without a signature": (
        f"cardroom.v1, bearer.{jwt.encode(_claims(), '', algorithm='none', headers={'kid': 'one'})}"
    ),
    "of another client": f"cardroom.v1, bearer.{_token(client_id='another')}",
    "for another use": f"cardroom.v1, bearer.{_token(token_use='id')}",
    "of another pool": f"cardroom.v1, bearer.{_token(iss=ISSUER + 'x')}",
    "an empty token": "cardroom.v1, bearer.",
    "without the protocol": f"bearer.{_token()}",
}
"""What is offered, and refused whether or not guests may watch: a bad token makes no guest."""


@pytest.fixture
def authorizer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., dict[str, Any]]]:
    """The handler, with a key set of ours."""
    monkeypatch.setattr("cardroom.compose.authorizer.jwt.PyJWKClient", lambda *_, **__: KEYS)
    values = {
        "ISSUER": ISSUER,
        "CLIENT_ID": CLIENT,
        "JWKS_URL": "https://example.com/jwks.json",
        # As the template joins it, where one of its parts is empty.
        "ORIGINS": f"https://api.example.com  {OURS}",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)

    def asked(
        offered: str | None, *, guests: bool = True, origin: str | None = None
    ) -> dict[str, Any]:
        monkeypatch.setenv("GUESTS", "true" if guests else "false")
        verifier.cache_clear()
        event = json.loads((ROOT / "events/authorizer.json").read_text())
        event["headers"] = {} if offered is None else {"Sec-WebSocket-Protocol": offered}
        if origin is not None:
            event["headers"]["Origin"] = origin
        answer: dict[str, Any] = import_module("authorizer.app").handler(event, None)
        statement = answer["policyDocument"]["Statement"][0]
        assert statement["Resource"] == event["methodArn"]
        return {"effect": statement["Effect"], **answer["context"]}

    yield asked
    verifier.cache_clear()


DENIED = {"effect": "Deny", "player": ""}
"""The client is told 403."""


@pytest.mark.parametrize("guests", [True, False])
@pytest.mark.parametrize("why", NOBODY)
def test_a_bad_token_is_denied(
    authorizer: Callable[..., dict[str, Any]], why: str, guests: bool
) -> None:
    assert authorizer(NOBODY[why], guests=guests) == DENIED


def test_who_is_let_in(authorizer: Callable[..., dict[str, Any]]) -> None:
    good = f"cardroom.v1, bearer.{_token()}"
    for guests in (True, False):
        assert authorizer(good, guests=guests) == {"effect": "Allow", "player": "ana"}


def test_without_a_token_one_is_a_guest_where_guests_are_let_in(
    authorizer: Callable[..., dict[str, Any]],
) -> None:
    assert authorizer("cardroom.v1") == {"effect": "Allow", "player": ""}
    assert authorizer("cardroom.v1", guests=False) == DENIED
    assert authorizer(None, guests=True) == DENIED


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_others_is_denied_whoever_looks_at_it(
    authorizer: Callable[..., dict[str, Any]], origin: str
) -> None:
    for offered in ("cardroom.v1", f"cardroom.v1, bearer.{_token()}"):
        assert authorizer(offered, origin=origin) == DENIED
        assert authorizer(offered, origin=OURS)["effect"] == "Allow"
        assert authorizer(offered, origin="https://api.example.com")["effect"] == "Allow"


def test_the_sample_is_of_a_browser() -> None:
    event = json.loads((ROOT / "events/authorizer.json").read_text())
    assert event["headers"]["Origin"] == OURS
    assert event["multiValueHeaders"]["Origin"] == [OURS]


def test_a_token_is_good_until_it_expires_and_a_moment_longer(
    authorizer: Callable[..., dict[str, Any]],
) -> None:
    """For clocks that differ."""
    now = int(time.time())
    just = f"cardroom.v1, bearer.{_token(exp=now - 1)}"
    assert authorizer(just) == {"effect": "Allow", "player": "ana"}
    assert authorizer(f"cardroom.v1, bearer.{_token(exp=now - 6)}") == DENIED
