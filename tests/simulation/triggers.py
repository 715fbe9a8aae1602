"""Odd events for the functions that no message reaches: connections, tokens, queues, the stream,
the clock and sign-ups. Each is refused or passed over, and what lies beside it is done.
"""

import copy
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from random import Random
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from authorizer import app as authorizer
from cardroom import keys
from cardroom.auth import Verifier
from cardroom.damage import UNREADABLE
from cardroom.names import NameCode
from cardroom.signup import SignUpRefused
from cardroom.streamed import read_record
from tests.simulation.calm import CalmCloud
from tests.simulation.record import Broken

ISSUER: Final = "https://cognito-idp.us-east-1.amazonaws.com/pool"
ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    0,
    -1,
    10**15,
    10**40,
    1.5,
    "",
    "x",
    "7",
    "\ud800",
    "\x00",
    "a" * 5000,
    [],
    [[]],
    {},
    {"S": "x"},
    {"N": "-1"},
    {"N": "x"},
)
PICTURE: Final[dict[str, Any]] = {"seats": [], "log": []}
SIGN_UP_CODES: Final = {*map(str, NameCode), "email_missing", "not_allowed", "busy"}


class KeySet(jwt.PyJWKClient):
    """Of one key, without a network."""

    def __init__(self, key: rsa.RSAPrivateKey) -> None:
        super().__init__("https://keys.invalid")
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
        self._keys = {"keys": [{**public, "kid": "one", "use": "sig", "alg": "RS256"}]}

    def fetch_data(self) -> Any:
        return self._keys


class Triggers:
    """Draws events from a seed, and tells how each was answered. Raises Broken."""

    def __init__(self, dice: Random, cloud: CalmCloud, table: str, structure: str) -> None:
        self._dice = dice
        self._cloud = cloud
        self._table = table
        self._structure = structure
        self._made = 0
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._verifier = Verifier(KeySet(self._key), ISSUER, "client", guests=True)
        self._token = self._signed({})
        self._kinds: dict[str, Callable[[], str]] = {
            "authorizer": self._authorize,
            "connect": self._connect,
            "disconnect": self._disconnect,
            "fanout": self._fan_out,
            "floor": self._errand,
            "broadcast": self._stream,
            "clock": self._ring,
            "signup": self._sign_up,
        }

    def one(self) -> tuple[str, str]:
        """Kind and answer."""
        kind = self._dice.choice(sorted(self._kinds))
        return kind, self._kinds[kind]()

    def _odd(self, value: Any) -> Any:
        """The JSON value with something else somewhere in it, or instead."""
        dice = self._dice
        if not isinstance(value, list | dict) or not value or dice.random() < 0.3:
            return dice.choice(ODD)
        value = copy.copy(value)
        index = dice.choice(list(value) if isinstance(value, dict) else range(len(value)))
        if dice.random() < 0.2:
            del value[index]
        else:
            value[index] = self._odd(value[index])
        return value

    def _text(self, text: str) -> str:
        """Damaged text."""
        dice = self._dice
        rolled = dice.random()
        if rolled < 0.5:
            return json.dumps(self._odd(json.loads(text)))
        place = dice.randint(0, len(text))
        if rolled < 0.7:
            return text[:place]
        if rolled < 0.95:
            return text[:place] + dice.choice('[]{}",:\x00é1-') + text[place + 1 :]
        return dice.choice(("", "[" * 50_000, "NaN", "1e999", "null"))

    # Connections

    def _signed(self, changed: dict[str, Any], **header: Any) -> str:
        now = int(time.time())
        claims: dict[str, Any] = {
            "iss": ISSUER,
            "sub": "1",
            "client_id": "client",
            "token_use": "access",
        }
        claims |= {"username": "ana", "exp": now + 10_000, **changed}
        payload = json.dumps(claims).encode()
        return jwt.PyJWS().encode(payload, self._key, "RS256", {"kid": "one", **header})

    def _offered(self) -> str:
        """What a client may offer in `Sec-WebSocket-Protocol`."""
        dice = self._dice
        parts = self._token.split(".")
        rolled = dice.random()
        if rolled < 0.05:
            claim = dice.choice(("username", "exp", "iss", "client_id", "token_use", "sub", "nbf"))
            return f"cardroom.v1, bearer.{self._signed({claim: self._plain()})}"
        if rolled < 0.35:
            part = dice.randrange(3)
            parts[part] = self._encoded()
        elif rolled < 0.7:
            text = ".".join(parts)
            place = dice.randint(0, len(text))
            parts = [text[:place], dice.choice(("", ".", "..", "é", "\ud800", "\x00", "A" * 9000))]
            parts += [text[place:]] if dice.random() < 0.5 else []
            return f"cardroom.v1, bearer.{''.join(parts)}"
        else:
            word = dice.choice(("", " ", ",", "bearer.", "cardroom.v2", "bearer. x", "é" * 99))
            return dice.choice((word, f"cardroom.v1,{word}", f"{word},bearer.{self._token}"))
        return f"cardroom.v1, bearer.{'.'.join(parts)}"

    def _plain(self) -> Any:
        return self._dice.choice([one for one in ODD if one != "\ud800"])

    def _encoded(self) -> str:
        dice = self._dice
        odd = dice.choice(ODD)
        header = {"alg": dice.choice(("RS256", "none", "HS256", odd)), "kid": odd, "typ": odd}
        text = dice.choice((json.dumps(odd), json.dumps(header), "[" * 3000, '{"kid":' * 500, "{"))
        return urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def _authorize(self) -> str:
        name = self._dice.choice(("Sec-WebSocket-Protocol", "sec-websocket-protocol", "\ud800"))
        offered = self._dice.choice((self._offered(), self._offered(), self._dice.choice(ODD)))
        headers = None if self._dice.random() < 0.1 else {name: offered}
        event = {"headers": headers, "methodArn": "arn"}
        authorizer.composed = lambda: self._verifier
        answer = authorizer.handler(event, None)
        effect = answer["policyDocument"]["Statement"][0]["Effect"]
        player = answer["context"]["player"]
        if effect == "Allow" and player and f"bearer.{self._token}" not in str(offered):
            self._honest(str(offered), player)
        return str(effect)

    def _honest(self, offered: str, player: str) -> None:
        """Whoever is let in as a player had a token that we have signed."""
        token = offered.partition("bearer.")[2].partition(",")[0].strip()
        claims = jwt.decode(token, self._key.public_key(), ["RS256"], options={"verify_aud": False})
        if claims["username"] != player:
            raise Broken(f"{offered[:200]!r} lets in {player}")

    def _connect(self) -> str:
        self._made += 1
        connection = f"odd-{self._made}"
        event = self._cloud.request(connection, self._dice.choice(("ana", "")), "CONNECT")
        context = event["requestContext"]
        if self._dice.random() < 0.8:
            field = self._dice.choice(("authorizer", "identity"))
            context[field] = self._odd(context[field])
        answer = self._cloud.call("connect", event)
        if answer["statusCode"] not in (200, 403, 429):
            raise Broken(f"{context} is answered {answer}")
        gone = self._cloud.request(connection, "", "DISCONNECT")
        self._cloud.call("disconnect", gone)
        if self._cloud.dynamo.partitions.get(keys.connection(connection)):
            raise Broken(f"{connection} is not forgotten")
        return str(answer["statusCode"])

    def _disconnect(self) -> str:
        connection = self._dice.choice(("nobody", "x" * 200, "é", "#", "CONN#ana"))
        event = self._cloud.request(connection, "ana", "DISCONNECT")
        return str(self._cloud.call("disconnect", event)["statusCode"])

    # Queues, stream, clock

    def _fan_out(self) -> str:
        snapshot = json.dumps(
            {"type": "snapshot", "table": self._table, "seq": 0, "state": PICTURE}
        )
        good = json.dumps([self._table, 0, 0, self._cloud.now, [0, 1], snapshot])
        bad = self._text(json.dumps([self._table, 0, 0, self._cloud.now - 60_000, [0], "{}"]))
        return self._batch("fanout", self._dice.sample((bad, good), 2))

    def _errand(self) -> str:
        good = json.dumps({"do": "stake", "structure": self._structure})
        slot = self._dice.choice((0, 10**9, 10**15, 10**40))
        bad = self._text(self._dice.choice((good, json.dumps({"do": "tick", "slot": slot}))))
        return self._batch("floor", [bad])

    def _batch(self, function: str, bodies: list[str]) -> str:
        self._made += 1
        records = [
            {"messageId": f"o{self._made}-{number}", "body": body}
            for number, body in enumerate(bodies)
        ]
        answer = self._cloud.call(function, {"Records": records})
        if answer["batchItemFailures"]:
            raise Broken(f"{function} wants it again: {[body[:200] for body in bodies]}")
        return "done"

    def _stream(self) -> str:
        whole = self._cloud.dynamo.item(keys.table(self._table), keys.STATE)
        told = self._damaged_record(dict(whole or {}))
        while _readable(told):
            # Nobody could tell it from a good one.
            told = self._damaged_record(dict(whole or {}))
        before = self._cloud.heard_of
        answer = self._cloud.call("broadcast", {"Records": [{"dynamodb": told}]})
        if answer["batchItemFailures"] or self._cloud.heard_of != before:
            raise Broken(f"the stream stands still at {str(told)[:300]}, or it is pushed")
        return "done"

    def _damaged_record(self, image: dict[str, Any]) -> Any:
        key = {"pk": {"S": keys.table(self._table)}, "sk": {"S": keys.STATE}}
        name = self._dice.choice(sorted(image))
        if "S" in image[name] and name in ("state", "outbox", "log", "pace"):
            image[name] = {"S": self._text(image[name]["S"])}
        else:
            image = self._odd(image)
        told = {"Keys": key, "SequenceNumber": "1", "NewImage": image}
        return self._odd(told) if self._dice.random() < 0.2 else told

    def _ring(self) -> str:
        event = {"table": self._table, "hand": 1, "started": "2023-11-14T22:13:20.123Z"}
        odd = self._odd(event) if self._dice.random() < 0.9 else {**event, "table": "nowhere"}
        answer = self._cloud.call("clock", odd)
        return "done" if answer["done"] else "waits"

    def _sign_up(self) -> str:
        dice = self._dice
        event: dict[str, Any] = {
            "triggerSource": dice.choice(("PreSignUp_SignUp", "PreSignUp_External", "x", "")),
            "userName": dice.choice(("", "x", "ana", "<b>", "é", "\ud800", "a" * 300, "#", "Ana")),
            "request": {"userAttributes": dice.choice(({}, None, {"email": ""}, {"email": "x"}))},
        }
        try:
            self._cloud.call("signup", event)
        except SignUpRefused as refused:
            code = str(refused).partition(":")[0]
            if code not in SIGN_UP_CODES:
                raise Broken(f"{event} is refused by {refused}") from refused
            return code
        return "ok"


def _readable(told: Any) -> bool:
    try:
        read_record(told)
    except UNREADABLE:
        return False
    return True
