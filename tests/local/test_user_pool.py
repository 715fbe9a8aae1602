"""Signing up and in as a person: what is sent, what is told, and where passwords are kept."""

import base64
import hashlib
import hmac
import io
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from cli.main import main
from local import passwords, srp
from local.errors import RoomError
from local.srp import BadChallenge, Handshake
from local.user_pool import Refused, UserPool

POOL = "us-east-1_AbC"
AT = datetime(2026, 3, 7, 4, 5, 6, tzinfo=UTC)


class Server:
    """The other side of the protocol, which keeps a verifier and no password."""

    def __init__(self, user: str, password: str, salt: str = "c0ffee") -> None:
        self.user, self.salt = user, salt
        inner = hashlib.sha256(f"AbC{user}:{password}".encode()).digest()
        self._verifier = pow(2, _number(_bytes(int(salt, 16)) + inner), srp._PRIME)
        self._secret = 0x1234567890ABCDEF << 200
        multiplier = _number(_bytes(srp._PRIME) + _bytes(2))
        public = (multiplier * self._verifier + pow(2, self._secret, srp._PRIME)) % srp._PRIME
        self.challenge = {
            "USER_ID_FOR_SRP": user,
            "SALT": salt,
            "SRP_B": f"{public:x}",
            "SECRET_BLOCK": base64.b64encode(b"a block").decode(),
        }

    def believes(self, sent: str, answer: dict[str, str]) -> bool:
        """Whether the one who sent this number, and then this answer, knows the password."""
        public = int(sent, 16)
        scrambler = _number(_bytes(public) + _bytes(int(self.challenge["SRP_B"], 16)))
        shared = pow(public * pow(self._verifier, scrambler, srp._PRIME), self._secret, srp._PRIME)
        extracted = hmac.digest(_bytes(scrambler), _bytes(shared), "sha256")
        key = hmac.digest(extracted, b"Caldera Derived Key\x01", "sha256")[:16]
        message = b"AbC" + self.user.encode() + b"a block" + answer["TIMESTAMP"].encode()
        proof = base64.b64encode(hmac.digest(key, message, "sha256")).decode()
        return proof == answer["PASSWORD_CLAIM_SIGNATURE"]


def _bytes(number: int) -> bytes:
    return number.to_bytes(number.bit_length() // 8 + 1)


def _number(data: bytes) -> int:
    return int.from_bytes(hashlib.sha256(data).digest())


# --- the proof of a password -----------------------------------------------------------------


@pytest.mark.parametrize("password", ["Correct-Horse-77", "p\u00e4ssw\u00f6rd \U0001f0a1"])
@pytest.mark.parametrize("salt", ["c0ffee", "80", "00ff00ff"])
def test_the_right_password_is_proved(password: str, salt: str) -> None:
    server, handshake = Server("ana", password, salt), Handshake()
    answer = handshake.answer(POOL, password, server.challenge)
    assert server.believes(handshake.public, answer)
    assert password not in str(answer)


@pytest.mark.parametrize("wrong", ["correct-Horse-77", "", "Correct-Horse-77 "])
def test_a_wrong_one_is_not(wrong: str) -> None:
    server, handshake = Server("ana", "Correct-Horse-77"), Handshake()
    assert not server.believes(handshake.public, handshake.answer(POOL, wrong, server.challenge))


def test_each_sign_in_has_a_number_of_its_own_that_is_not_shown() -> None:
    one, other = Handshake(), Handshake()
    assert one.public != other.public
    assert str(one.secret) not in repr(one)


@pytest.mark.parametrize("number", [0, srp._PRIME, 2 * srp._PRIME])
def test_a_number_that_proves_nothing_is_refused(number: int) -> None:
    challenge = {**Server("ana", "x").challenge, "SRP_B": f"{number:x}"}
    with pytest.raises(BadChallenge):
        Handshake().answer(POOL, "x", challenge)


def test_the_moment_is_written_in_english_without_a_zero_before_the_day() -> None:
    answer = Handshake().answer(POOL, "x", Server("ana", "x").challenge, AT)
    assert answer["TIMESTAMP"] == "Sat Mar 7 04:05:06 UTC 2026"


# --- the pool --------------------------------------------------------------------------------


class Client:
    """Cognito, with one user."""

    def __init__(self, password: str = "right", *, temporary: bool = False) -> None:
        self.server = Server("ana", password)
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.temporary = temporary
        self.fails: Exception | None = None
        self._sent = ""

    def _note(self, name: str, asked: dict[str, Any]) -> None:
        self.calls.append((name, asked))
        if self.fails is not None:
            raise self.fails

    def sign_up(self, **asked: Any) -> None:
        self._note("sign_up", asked)

    def confirm_sign_up(self, **asked: Any) -> None:
        self._note("confirm_sign_up", asked)

    def initiate_auth(self, **asked: Any) -> dict[str, Any]:
        self._note("initiate_auth", asked)
        self._sent = asked["AuthParameters"]["SRP_A"]
        return {"ChallengeParameters": self.server.challenge, "Session": "s1"}

    def respond_to_auth_challenge(self, **asked: Any) -> dict[str, Any]:
        self._note("respond", asked)
        responses = asked["ChallengeResponses"]
        if asked["ChallengeName"] == "PASSWORD_VERIFIER":
            if not self.server.believes(self._sent, responses):
                raise _error("NotAuthorizedException", "Incorrect username or password.")
            if self.temporary:
                return {"ChallengeName": "NEW_PASSWORD_REQUIRED", "Session": "s2"}
        return {"AuthenticationResult": {"AccessToken": "a token"}}


def _error(code: str, message: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": message}}, "SignUp")


def _pool(client: Client) -> UserPool:
    return UserPool(client, POOL, "client")


def test_who_has_the_password_gets_a_token_and_never_sends_it() -> None:
    client = Client()
    assert _pool(client).sign_in("ana", "right") == "a token"
    assert [name for name, _ in client.calls] == ["initiate_auth", "respond"]
    assert client.calls[0][1]["AuthFlow"] == "USER_SRP_AUTH"
    assert "right" not in str(client.calls)


def test_who_has_not_is_told_no_more_than_that() -> None:
    with pytest.raises(Refused, match=r"^name or password is wrong$") as refused:
        _pool(Client()).sign_in("ana", "wrong")
    assert refused.value.code == "NotAuthorizedException"


def test_a_password_that_an_operator_gave_is_replaced_by_a_lasting_one() -> None:
    client = Client(temporary=True)
    with pytest.raises(Refused) as refused:
        _pool(client).sign_in("ana", "right")
    assert refused.value.code == "temporary_password"
    assert _pool(client).sign_in("ana", "right", lambda: "lasting") == "a token"
    assert client.calls[-1][1]["ChallengeResponses"]["NEW_PASSWORD"] == "lasting"
    assert client.calls[-1][1]["Session"] == "s2"


@pytest.mark.parametrize(
    ("code", "message", "ours", "sentence"),
    [
        (
            "UserLambdaValidationException",
            "PreSignUp failed with error name_taken: this name is taken.",
            "name_taken",
            "this name is taken",
        ),
        (
            "UserLambdaValidationException",
            "PostConfirmation failed with error busy: try again.",
            "busy",
            "try again",
        ),
        ("UsernameExistsException", "User already exists", None, "this name is taken"),
        ("InvalidPasswordException", "Too short.", None, "Too short"),
        ("LimitExceededException", "", None, "LimitExceededException"),
    ],
)
def test_what_the_pool_refuses_has_a_code_and_one_sentence(
    code: str, message: str, ours: str | None, sentence: str
) -> None:
    client = Client()
    client.fails = _error(code, message)
    with pytest.raises(Refused) as refused:
        _pool(client).sign_up("ana", "secret", "ana@example.com")
    assert (refused.value.code, str(refused.value)) == (ours or code, sentence)
    assert "secret" not in str(refused.value)


def test_a_pool_that_does_not_answer_is_told() -> None:
    client = Client()
    client.fails = EndpointConnectionError(endpoint_url="http://127.0.0.1:9")
    with pytest.raises(Refused) as refused:
        _pool(client).sign_in("ana", "right")
    assert refused.value.code == "no_answer"


# --- passwords -------------------------------------------------------------------------------


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CARDROOM_STATE", str(tmp_path))
    monkeypatch.delenv("CARDROOM_PASSWORD", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    return tmp_path


def test_ready_players_passwords_are_for_nobody_else_to_read(state: Path) -> None:
    for players in ({"Ann": "one"}, {"Ann": "two", "Ben": "three"}):
        passwords.keep_ready_players("http://here", players)
        (file,) = state.iterdir()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert passwords.ready_players("http://here") == players
    assert passwords.ready_players("http://there") == {}
    passwords.forget_ready_players()
    assert passwords.ready_players("http://here") == {}
    passwords.forget_ready_players()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"endpoint": "http://here"}', "null"])
def test_a_damaged_file_knows_nobody(state: Path, text: str) -> None:
    (state / "players.json").write_text(text)
    assert passwords.ready_players("http://here") == {}


def test_the_environment_goes_first_then_the_ready_players_then_the_keyboard(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RoomError, match="set CARDROOM_PASSWORD"):
        passwords.password_of("Ann", "http://here")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    typed = iter(["typed", "", "one", "one", "one", "two"])
    monkeypatch.setattr("getpass.getpass", lambda _: next(typed))
    assert passwords.password_of("Ann", "http://here") == "typed"
    with pytest.raises(RoomError, match="no password was given"):
        passwords.password_of("Ann", "http://here")
    assert passwords.new_password() == "one"
    with pytest.raises(RoomError, match="two different passwords"):
        passwords.new_password()
    passwords.keep_ready_players("http://here", {"Ann": "kept"})
    assert passwords.password_of("Ann", "http://here") == "kept"
    monkeypatch.setenv("CARDROOM_PASSWORD", "set")
    assert passwords.password_of("Ann", "http://here") == "set"
    assert passwords.new_password() == "set"


def test_a_password_that_is_made_up_is_one_that_the_pool_takes() -> None:
    made = {passwords.made_up() for _ in range(100)}
    assert len(made) == 100
    for one in made:
        assert len(one) >= 12
        assert any(letter.isupper() for letter in one)
        assert any(letter.islower() for letter in one)
        assert any(letter.isdigit() for letter in one)


# --- the command -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (("ab",), 2, "'ab': a name has 3 to 20 characters"),
        (("a b c",), 2, "'a b c': a name is made of A-Z a-z 0-9 _ . - and begins with a letter"),
        (("dealer",), 2, "'dealer': this name is reserved for the room"),
        (("dora",), 1, "no room is running here: start one with make play"),
        (("dora", "--address", "ws://example.com/x"), 1, "'ws://example.com/x' is not a room on"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    state: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    code: int,
    line: str,
) -> None:
    assert main(["signup", *words]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"cardroom: {line}")
    assert said.err.count("\n") == 1


def test_on_aws_an_address_is_needed(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = {"UserPoolId": POOL, "UserPoolClientId": "c", "TableName": "t", "WebSocketUrl": "w"}
    monkeypatch.setattr("cli.tables.outputs_of", lambda stack: outputs)
    client = Client()
    monkeypatch.setattr("boto3.client", lambda service: client)
    monkeypatch.setenv("CARDROOM_PASSWORD", "Correct-Horse-77")
    assert main(["signup", "dora", "--stack", "casino"]) == 1
    assert capsys.readouterr().err == "cardroom: say with --email where the code shall be sent\n"
    mail = ("--email", "dora@example.com")
    assert main(["signup", "dora", "--stack", "casino", *mail]) == 1
    said = capsys.readouterr()
    told, sent = said.out.splitlines()
    assert "keeps for 90 days from which address you come" in told
    assert sent.startswith("A code was sent to you.")
    assert said.err == "cardroom: there is nobody to ask for the code\n"
    assert main(["signup", "dora", "--stack", "casino", "--code", "123456"]) == 0
    join = "dora is a player: .venv/bin/cardroom join --name dora --stack casino\n"
    assert capsys.readouterr().out == join
    (_, asked), (_, confirmed) = client.calls
    assert asked["UserAttributes"] == [{"Name": "email", "Value": "dora@example.com"}]
    assert confirmed["ConfirmationCode"] == "123456"
