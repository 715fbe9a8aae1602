"""Who signs up: his name is his, and no other's that looks like it, from the first moment on."""

import importlib
import io
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from cardroom import keys
from cardroom.bank import BankCode, Declined, Order
from cardroom.compose.signup import sign_up
from cardroom.money import Player, Standing
from cardroom.names import PENDING_MS, NameCode, skeleton
from cardroom.register import DynamoRegister
from cardroom.signals import PowertoolsSignals
from cardroom.signup import (
    BY_OPERATOR,
    CONFIRMED,
    NEW_PASSWORD,
    SIGN_UP,
    TRIES,
    SignUp,
    SignUpRefused,
)
from tests.room.faults import aws_error, cancel
from tests.room.world import START, TABLE, World
from tests.template.parsed import ROOT

ORDER = Order("olga", "a test")
SAMPLE = json.loads((ROOT / "events/signup.json").read_text())
SECRETS = ("dora@example.com", "Correct-Horse-7", "eyJraWQi.token.signature")


@pytest.fixture
def signs(world: World) -> SignUp:
    register = DynamoRegister(TABLE, world.tables._client)
    return SignUp(register, world.clock, world.signals)


def _refusal(signs: SignUp, trigger: str, name: str, *, email: bool = True) -> str:
    """The code that it is refused with; "" where it is not."""
    try:
        signs.take(trigger, name, email=email)
    except SignUpRefused as refused:
        code, _, sentence = str(refused).partition(": ")
        assert sentence
        assert not sentence.endswith(".")
        return code
    return ""


def _held(world: World, name: str) -> dict[str, Any]:
    answer = world.tables._client.get_item(
        TableName=TABLE,
        Key={"pk": {"S": keys.name(skeleton(name))}, "sk": {"S": keys.NAME}},
        ConsistentRead=True,
    )
    item: dict[str, Any] = answer.get("Item", {})
    return item


def test_who_signs_up_and_confirms_is_a_player(world: World, signs: SignUp) -> None:
    assert _refusal(signs, SIGN_UP, "Dora") == ""
    assert world.accounts.player("Dora") is None
    assert int(_held(world, "Dora")["until"]["N"]) == START + PENDING_MS
    assert int(_held(world, "Dora")["ttl"]["N"]) * 1000 >= START + PENDING_MS
    world.clock.go(60_000)
    assert _refusal(signs, CONFIRMED, "Dora") == ""
    now = world.clock.now()
    dora = Player("Dora", Standing.OPEN, now, "player", "signed up", created=now)
    assert world.accounts.player("Dora") == dora
    assert not {"until", "ttl"} & set(_held(world, "Dora"))
    assert world.signals.counts["SignUpAccepted"] == 2


def test_a_confirmation_that_comes_again_changes_nothing(world: World, signs: SignUp) -> None:
    for trigger in (SIGN_UP, CONFIRMED):
        assert _refusal(signs, trigger, "dora") == ""
    before = world.accounts.player("dora")
    world.clock.go(1)
    assert _refusal(signs, CONFIRMED, "dora") == ""
    assert world.accounts.player("dora") == before


def test_the_pool_may_tell_the_name_in_other_letters(world: World, signs: SignUp) -> None:
    assert _refusal(signs, SIGN_UP, "Dora") == ""
    assert _refusal(signs, CONFIRMED, "dora") == ""
    assert world.accounts.player("dora") is not None


@pytest.mark.parametrize("trigger", [SIGN_UP, BY_OPERATOR])
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ab", NameCode.LENGTH),
        ("x" * 21, NameCode.LENGTH),
        ("do ra", NameCode.CHARACTERS),
        ("d\u00f3ra", NameCode.CHARACTERS),
        ("dora\n", NameCode.CHARACTERS),
        ("do..ra", NameCode.SEPARATORS),
        ("adm1n", NameCode.RESERVED),
    ],
)
def test_names_are_checked(
    world: World, signs: SignUp, trigger: str, name: str, code: NameCode
) -> None:
    assert _refusal(signs, trigger, name) == code
    assert world.signals.counts == {"SignUpRefused": 1}


def test_an_address_is_needed_by_who_signs_himself_up(signs: SignUp) -> None:
    assert _refusal(signs, SIGN_UP, "dora", email=False) == "email_missing"
    assert _refusal(signs, BY_OPERATOR, "dora", email=False) == ""


def test_nobody_comes_from_another_pool(signs: SignUp) -> None:
    assert _refusal(signs, "PreSignUp_ExternalProvider", "dora") == "not_allowed"


def test_a_new_password_makes_no_player(world: World, signs: SignUp) -> None:
    assert _refusal(signs, NEW_PASSWORD, "dora") == ""
    assert world.accounts.player("dora") is None


# --- names that look alike ----------------------------------------------------------------------


@pytest.mark.parametrize("confirmed", [False, True])
@pytest.mark.parametrize("other", ["BILL", "biIl", "B1LL", "b.i.l.l", "BiI1"])
def test_a_name_that_looks_like_anothers_is_taken(
    world: World, signs: SignUp, other: str, confirmed: bool
) -> None:
    assert _refusal(signs, SIGN_UP, "bill") == ""
    if confirmed:
        assert _refusal(signs, CONFIRMED, "bill") == ""
    for trigger in (SIGN_UP, BY_OPERATOR):
        assert _refusal(signs, trigger, other) == NameCode.TAKEN
    made = world.bank.create(other, ORDER)
    assert isinstance(made, Declined)
    assert made.code is NameCode.TAKEN
    assert world.accounts.player(other) is None


def test_of_two_at_once_one_has_the_name(world: World, signs: SignUp) -> None:
    for race in range(40):
        pair = (f"rosa{race}i", f"ROSA{race}l")
        start = threading.Barrier(2)

        def ask(name: str, start: threading.Barrier = start) -> str:
            start.wait(10)
            return _refusal(signs, SIGN_UP, name)

        with ThreadPoolExecutor(2) as threads:
            codes = list(threads.map(ask, pair))
        assert sorted(codes) == ["", "name_taken"]
        winner = pair[codes.index("")]
        assert _held(world, winner)["player"]["S"] == winner


def test_a_name_without_confirmation_is_free_after_24_hours(world: World, signs: SignUp) -> None:
    """Read by its moment: the ttl may remove it two days later."""
    assert _refusal(signs, SIGN_UP, "bill") == ""
    world.clock.go(PENDING_MS - 1)
    assert _refusal(signs, SIGN_UP, "b1ll") == NameCode.TAKEN
    world.clock.go(1)
    assert _refusal(signs, SIGN_UP, "b1ll") == ""
    assert _held(world, "bill")["player"]["S"] == "b1ll"


def test_asking_again_keeps_the_name_no_longer(world: World, signs: SignUp) -> None:
    """A sign-up that failed later on is tried again; but nobody keeps a name by trying for ever."""
    for _ in range(23):
        assert _refusal(signs, SIGN_UP, "bill") == ""
        world.clock.go(3_600_000)
    world.clock.go(3_600_000)
    assert _refusal(signs, SIGN_UP, "b1ll") == ""


def test_a_late_confirmation_finds_the_name_if_nobody_took_it(world: World, signs: SignUp) -> None:
    assert _refusal(signs, SIGN_UP, "bill") == ""
    world.clock.go(10 * PENDING_MS)
    assert _refusal(signs, CONFIRMED, "bill") == ""
    assert world.accounts.player("bill") is not None


@pytest.mark.parametrize("confirmed", [False, True])
def test_a_late_confirmation_takes_nobodys_name_away(
    world: World, signs: SignUp, confirmed: bool
) -> None:
    assert _refusal(signs, SIGN_UP, "bill") == ""
    world.clock.go(PENDING_MS)
    assert _refusal(signs, SIGN_UP, "b1ll") == ""
    if confirmed:
        assert _refusal(signs, CONFIRMED, "b1ll") == ""
    assert _refusal(signs, CONFIRMED, "bill") == NameCode.TAKEN
    assert world.accounts.player("bill") is None


# --- the operator's players -----------------------------------------------------------------------


def test_an_operator_makes_user_and_player_in_either_order(world: World, signs: SignUp) -> None:
    assert _refusal(signs, BY_OPERATOR, "bill") == ""
    assert isinstance(world.bank.create("bill", ORDER), Player)
    assert isinstance(world.bank.create("otto", ORDER), Player)
    assert _refusal(signs, BY_OPERATOR, "otto") == ""
    again = world.bank.create("otto", ORDER)
    assert isinstance(again, Declined)
    assert again.code is BankCode.PLAYER_EXISTS


@pytest.mark.parametrize("name", ["ab", "admin", "x" * 21, "a__b"])
def test_an_operators_players_are_called_as_others_are(world: World, name: str) -> None:
    made = world.bank.create(name, ORDER)
    assert isinstance(made, Declined)
    assert isinstance(made.code, NameCode)
    assert world.accounts.player(name) is None


def test_nobody_signs_up_as_a_player_that_there_is(world: World, signs: SignUp) -> None:
    assert isinstance(world.bank.create("bill", ORDER), Player)
    assert _refusal(signs, SIGN_UP, "bill") == NameCode.TAKEN
    # One from before names were kept.
    world.fund("otto")
    assert _held(world, "otto") == {}
    assert _refusal(signs, SIGN_UP, "otto") == NameCode.TAKEN
    assert _held(world, "otto") == {}


def test_an_operator_does_not_take_a_name_that_is_being_signed_up(
    world: World, signs: SignUp
) -> None:
    assert _refusal(signs, SIGN_UP, "bill") == ""
    assert _refusal(signs, BY_OPERATOR, "bill") == NameCode.TAKEN
    made = world.bank.create("bill", ORDER)
    assert isinstance(made, Declined)
    assert made.code is NameCode.TAKEN
    assert _refusal(signs, CONFIRMED, "bill") == ""


def test_a_late_confirmation_is_not_given_an_operators_player(world: World, signs: SignUp) -> None:
    assert _refusal(signs, SIGN_UP, "bill") == ""
    world.clock.go(PENDING_MS)
    assert isinstance(world.bank.create("bill", ORDER), Player)
    before = world.accounts.player("bill")
    assert _refusal(signs, CONFIRMED, "bill") == NameCode.TAKEN
    assert world.accounts.player("bill") == before


# --- when something goes wrong --------------------------------------------------------------------


@pytest.mark.parametrize("trigger", [SIGN_UP, BY_OPERATOR, CONFIRMED])
def test_a_conflict_is_tried_again(
    world: World, signs: SignUp, monkeypatch: pytest.MonkeyPatch, trigger: str
) -> None:
    cancel(world, monkeypatch, "NAME#", TRIES - 1)
    assert _refusal(signs, trigger, "dora") == ""
    cancel(world, monkeypatch, "NAME#", TRIES)
    assert _refusal(signs, trigger, "otto") == "busy"


def test_an_operator_is_told_to_try_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    cancel(world, monkeypatch, "NAME#", 1)
    made = world.bank.create("dora", ORDER)
    assert isinstance(made, Declined)
    assert made.code is BankCode.BUSY


@pytest.mark.parametrize("trigger", [SIGN_UP, CONFIRMED])
def test_a_fault_of_ours_tells_nothing_of_itself(
    world: World, signs: SignUp, monkeypatch: pytest.MonkeyPatch, trigger: str
) -> None:
    def broken(**_: object) -> None:
        raise aws_error("AccessDeniedException")

    monkeypatch.setattr(world.tables._client, "transact_write_items", broken)
    assert _refusal(signs, trigger, "dora") == "busy"
    assert world.signals.counts["InternalError"] == 1
    assert any("ClientError" in line for line in world.signals.lines)


# --- the handler ----------------------------------------------------------------------------------


@pytest.fixture
def composed(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TABLE_NAME", TABLE)
    sign_up.cache_clear()
    yield
    sign_up.cache_clear()


def _handle(event: dict[str, Any]) -> Any:
    return importlib.import_module("signup.app").handler(event, None)


def test_the_handler_gives_the_event_back(world: World, composed: None) -> None:
    assert _handle(SAMPLE) == SAMPLE
    confirmed = json.loads((ROOT / "events/confirmed.json").read_text())
    assert _handle(confirmed) == confirmed
    assert world.accounts.player("dora") is not None


def test_the_handler_refuses_by_an_error_with_code_and_sentence(
    world: World, composed: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert isinstance(world.bank.create("d0ra", ORDER), Player)
    text = "name_taken: this name is taken, or looks like one that is"
    with pytest.raises(SignUpRefused, match=f"^{text}$"):
        _handle(SAMPLE)
    assert '"SignUpRefused":[1.0]' in capsys.readouterr().out


@pytest.mark.parametrize("name", ["dora", "admin"])
def test_nothing_of_what_a_client_sends_is_logged(
    world: World,
    composed: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    log = io.StringIO()
    monkeypatch.setattr(
        "cardroom.compose.signup.signals",
        lambda service: PowertoolsSignals(f"{service} of {name}", log),
    )
    address, password, token = SECRETS
    request = {
        "userAttributes": {"email": address, "custom:note": token},
        "validationData": {"password": password},
        "clientMetadata": {"token": token, "password": password},
    }
    event = {**SAMPLE, "userName": name, "request": request}
    confirmed = {**event, "triggerSource": CONFIRMED}
    told = []
    for one in (event, confirmed):
        try:
            _handle(one)
        except SignUpRefused as refused:
            told.append(str(refused))
    assert len(told) == (name == "admin")
    said = capsys.readouterr()
    everything = "\n".join([*told, log.getvalue(), said.out, said.err])
    assert everything.count('"message":"sign-up"') == 2
    assert not [secret for secret in SECRETS if secret in everything]
