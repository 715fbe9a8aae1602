"""Every patch of the emulator, by what a client, a log or a state machine sees of it."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from local import patches
from local.artifacts import ROOT
from local.patches import PatchError, Source
from local.stack import Emulator, Room, client, deploy
from tests.local import emulated

EMULATOR_PYTHON = ROOT / ".venv-emulator" / "bin" / "python"

ENVIRONMENTS = 3


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CARDROOM_ENVIRONMENTS_PER_FUNCTION", str(ENVIRONMENTS))
        emulator = Emulator.start()
    try:
        emulator.wait_until_healthy()
        artifacts = emulated.artifacts(tmp_path_factory.mktemp("stack"))
        outputs = deploy(emulator.endpoint, artifacts, {})
        with Room(emulator.endpoint, outputs, emulator=emulator) as room:
            yield room
    finally:
        emulator.stop()


def logged(stack: Room) -> list[str]:
    return [message.rstrip("\n") for _, message in stack.log_lines()]


async def ask(connection: ClientConnection, **order: Any) -> dict[str, Any]:
    await connection.send(json.dumps(order))
    answer: dict[str, Any] = json.loads(await connection.recv())
    return answer


@pytest.mark.emulator
class TestWebSocketInvocations:
    async def test_messages_of_two_connections_are_served_side_by_side(self, stack: Room) -> None:
        async with connect(stack.websocket_url) as one, connect(stack.websocket_url) as other:
            answers = await asyncio.gather(
                ask(one, meet=2, seconds=8), ask(other, meet=2, seconds=8)
            )
        assert list(answers) == [{"got": 2}, {"got": 2}]

    async def test_a_route_s_function_writes_to_its_log_group(self, stack: Room) -> None:
        async with connect(stack.websocket_url) as connection:
            await ask(connection, print=["a line of a route"])
        assert "a line of a route" in logged(stack)

    async def test_an_exception_s_text_stays_with_the_server(self, stack: Room) -> None:
        async with connect(stack.websocket_url) as connection:
            answer = await ask(connection, **{"raise": "KeyError", "text": "the hole cards"})
            assert answer["message"] == "Internal server error"
            assert set(answer) == {"message", "connectionId", "requestId"}
            # The connection lives on, as on AWS.
            assert await ask(connection) == {"got": "done"}
        assert any("the hole cards" in line for line in logged(stack))


@pytest.mark.emulator
class TestSubprotocol:
    async def test_what_connect_returns_is_echoed(self, stack: Room) -> None:
        offered = [Subprotocol("cardroom.v1"), Subprotocol("bearer.token")]
        async with connect(stack.websocket_url, subprotocols=offered) as connection:
            assert connection.subprotocol == "cardroom.v1"

    async def test_nothing_is_echoed_that_the_client_did_not_offer(self, stack: Room) -> None:
        async with connect(stack.websocket_url) as connection:
            assert connection.subprotocol is None
            assert await ask(connection) == {"got": "done"}


@pytest.mark.emulator
class TestConnectStatus:
    @pytest.mark.parametrize("status", [403, 429, 500])
    async def test_who_is_refused_is_told_by_the_status_that_connect_returns(
        self, stack: Room, status: int
    ) -> None:
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"{stack.websocket_url}?status={status}")
        assert refused.value.response.status_code == status

    async def test_another_good_status_lets_in(self, stack: Room) -> None:
        async with connect(f"{stack.websocket_url}?status=204") as connection:
            assert await ask(connection) == {"got": "done"}


BURSTS = """
import asyncio, os, tempfile, types
from hypercorn.asyncio import serve
from hypercorn.config import Config
from local import patches

async def handle(scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": 1000})

async def app(scope, receive, send):
    if scope["type"] == "websocket":
        await gateway.handle_websocket(scope, receive, send)

gateway = types.SimpleNamespace(
    _ws_connections={}, _invoke_ws_lambda=lambda: None, handle_websocket=handle
)
patches.CLOSING_SECONDS = 0.5
patches._module = lambda name: gateway
patches._mend_connections()
ASKED = (
    b"GET / HTTP/1.1\\r\\nHost: x\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\nSec-WebSocket-Version: 13\\r\\n\\r\\n"
)

async def client(path, late):
    answer, ask = await asyncio.open_unix_connection(path)
    ask.write(ASKED)
    await answer.readuntil(b"\\r\\n\\r\\n")
    await asyncio.sleep(late)
    ask.write(400 * (b"\\x81\\x84" + bytes(4) + b"more"))
    await asyncio.sleep(2)
    ask.close()

async def main():
    ends, config = asyncio.Event(), Config()
    path = os.path.join(tempfile.mkdtemp(), "s")
    config.bind = [f"unix:{path}"]
    server = asyncio.create_task(serve(app, config, shutdown_trigger=ends.wait))
    while not os.path.exists(path):
        await asyncio.sleep(0.01)
    before = len(asyncio.all_tasks())
    await asyncio.gather(*(client(path, 0.48 + number / 1000) for number in range(20)))
    left = asyncio.all_tasks()
    assert len(left) == before, left
    ends.set()
    await asyncio.wait_for(server, 5)

asyncio.run(main())
"""


@pytest.mark.emulator
class TestDeletedConnection:
    async def test_it_ends_though_messages_are_waiting(self, stack: Room) -> None:
        closes = client(stack.websocket_url.replace("ws:", "http:"), "apigatewaymanagementapi")
        async with connect(stack.websocket_url) as connection:
            for _ in range(50):
                # Each takes a tenth of a second.
                await connection.send(json.dumps({"raise": "KeyError", "text": "x", "sleep": 0.1}))
            (answer, *others) = [json.loads(await connection.recv())]
            closes.delete_connection(ConnectionId=answer["connectionId"])
            async with asyncio.timeout(10):
                with contextlib.suppress(ConnectionClosed):
                    async for text in connection:
                        others.append(text)
        assert len(others) < 25
        assert connection.close_code == 1000

    def test_nothing_is_left_of_one_whose_client_goes_on_sending(self) -> None:
        """He does not close, and sends more than the server holds just before it gives him up."""
        TestChecks.run(BURSTS)


@pytest.mark.emulator
class TestErrorType:
    def test_it_is_the_exception_s_class(self, stack: Room) -> None:
        answer = stack.client("lambda").invoke(
            FunctionName=stack.resources["WorkFunction"],
            Payload=json.dumps({"raise": "Overdrawn", "text": "by 5"}).encode(),
        )
        assert answer["FunctionError"] == "Unhandled"
        payload = json.loads(answer["Payload"].read())
        assert (payload["errorType"], payload["errorMessage"]) == ("Overdrawn", "by 5")

    def test_an_error_of_one_invocation_does_not_name_the_next(self, stack: Room) -> None:
        for kind in ("Overdrawn", "KeyError"):
            with pytest.raises(RuntimeError, match=f"'errorType': '{kind}'"):
                stack.invoke("WorkFunction", {"raise": kind, "text": "x"})
        assert stack.invoke("WorkFunction", {}) == {"got": "done"}

    def test_a_state_machine_catches_it_by_its_class(self, stack: Room) -> None:
        assert execute(stack, {"raise": "Overdrawn", "text": "x"}) == (
            "SUCCEEDED",
            "caught by its class",
        )
        assert execute(stack, {"raise": "KeyError", "text": "x"})[0] == "FAILED"


def execute(stack: Room, order: dict[str, Any]) -> tuple[str, Any]:
    """Runs the state machine to its end: its status and its output."""
    answer = stack.client("stepfunctions").start_sync_execution(
        stateMachineArn=stack.resources["Machine"], input=json.dumps(order)
    )
    return answer["status"], json.loads(answer.get("output") or "null")


@pytest.mark.emulator
class TestYamlDefinition:
    def test_a_state_machine_defined_in_yaml_runs(self, stack: Room) -> None:
        status, output = execute(stack, {})
        assert status == "SUCCEEDED"
        assert output["Payload"] == {"got": "done"}


@pytest.mark.emulator
class TestEndOfOutput:
    def test_a_handler_that_prints_nothing_costs_no_wait(self, stack: Room) -> None:
        stack.invoke("WorkFunction", {})
        taken = []
        for _ in range(20):
            started = time.perf_counter()
            stack.invoke("WorkFunction", {})
            taken.append(time.perf_counter() - started)
        # The wait that is gone was 50 ms for each; the quickest is not held up by a busy machine.
        assert min(taken) < 0.04

    def test_all_that_a_handler_prints_is_logged_and_no_mark_of_ours(self, stack: Room) -> None:
        lines = [f"line {number} of many" for number in range(300)]
        stack.invoke("WorkFunction", {"print": lines, "write": "unfinished"})
        found = "\n".join(logged(stack))
        assert "\n".join([*lines, "unfinished"]) in found
        assert patches.END_OF_OUTPUT not in found

    def test_what_was_printed_before_an_exception_is_logged(self, stack: Room) -> None:
        with pytest.raises(RuntimeError):
            stack.invoke("WorkFunction", {"print": ["last words"], "raise": "KeyError", "text": ""})
        assert "last words" in "\n".join(logged(stack))


@pytest.mark.emulator
class TestEnvironments:
    def test_as_many_as_the_cap_run_and_the_others_wait(self, stack: Room) -> None:
        order = {"meet": ENVIRONMENTS + 1, "seconds": 0.8}
        with ThreadPoolExecutor(3 * ENVIRONMENTS) as pool:
            seen = list(
                pool.map(
                    lambda _: stack.invoke("WorkFunction", order)["got"], range(3 * ENVIRONMENTS)
                )
            )
        assert max(seen) == ENVIRONMENTS


def packed(archive: Path, text: str) -> Path:
    with zipfile.ZipFile(archive, "w") as content:
        content.writestr("folder/code.py", text)
    return archive


class TestUnpackedCode:
    @pytest.mark.emulator
    def test_environments_share_one_folder_outside_of_their_own(self, stack: Room) -> None:
        order = {"meet": ENVIRONMENTS, "seconds": 8}
        with ThreadPoolExecutor(ENVIRONMENTS) as pool:
            list(pool.map(lambda _: stack.invoke("WorkFunction", order), range(ENVIRONMENTS)))
        state_dir = stack.emulator.log.parent
        own = list(state_dir.glob("ministack-lambda-*"))
        assert len(own) >= ENVIRONMENTS
        (shared,) = {(folder / "code").resolve() for folder in own}
        assert state_dir not in shared.parents
        assert (shared / "work.py").read_text() == emulated.HANDLER
        # Nor is the packed code kept, which is as large.
        assert not list(state_dir.glob("ministack-lambda-*/*.zip"))

    def test_what_is_in_the_file_is_unpacked_once_and_read_only(self, tmp_path: Path) -> None:
        store = tmp_path / "store"
        folder = patches.unpacked(packed(tmp_path / "one.zip", "a = 1"), store)
        code = folder / "folder" / "code.py"
        assert code.read_text() == "a = 1"
        assert not any(path.stat().st_mode & 0o222 for path in (folder, code.parent, code))
        before = code.stat()
        (tmp_path / "one.zip").rename(tmp_path / "again.zip")
        assert patches.unpacked(tmp_path / "again.zip", store) == folder
        assert code.stat() == before
        assert patches.unpacked(packed(tmp_path / "other.zip", "a = 2"), store) != folder
        assert code.read_text() == "a = 1"

    def test_many_at_once_get_the_same_whole_folder(self, tmp_path: Path) -> None:
        archive = packed(tmp_path / "one.zip", "a = 1")
        unpack = (
            "import sys; from pathlib import Path; from local import patches;"
            "print(patches.unpacked(Path(sys.argv[1]), Path(sys.argv[2])))"
        )
        command = [sys.executable, "-c", unpack, str(archive), str(tmp_path / "store")]
        others = [
            subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)
        ]
        folders = {other.communicate()[0].strip() for other in others}
        assert [str(path) for path in (tmp_path / "store").iterdir()] == list(folders)

    def test_what_was_used_last_is_kept_and_half_a_folder_never(self, tmp_path: Path) -> None:
        store = tmp_path / "store"
        folders = [
            patches.unpacked(packed(tmp_path / "code.zip", f"a = {number}"), store)
            for number in range(4)
        ]
        for age, folder in enumerate(folders):
            os.utime(folder, (1_000_000 - age, 1_000_000 - age))
        half = store / f"{folders[0].name}.half"
        half.mkdir()
        # Used again: the oldest becomes the youngest.
        patches.unpacked(packed(tmp_path / "code.zip", "a = 3"), store)
        patches.forget_unpacked(store, kept=2)
        assert set(store.iterdir()) == {folders[3], folders[0]}

    def test_nothing_is_forgotten_where_nothing_was_unpacked(self, tmp_path: Path) -> None:
        patches.forget_unpacked(tmp_path / "missing")
        assert not (tmp_path / "missing").exists()


@pytest.mark.emulator
class TestCalls:
    def test_what_a_function_asks_of_aws_is_written_down_with_its_role_s_answer(
        self, stack: Room
    ) -> None:
        stack.invoke("WorkFunction", {"ask": ["sqs", "list_queues"]})
        with pytest.raises(RuntimeError, match="AccessDenied"):
            stack.invoke("WorkFunction", {"ask": ["dynamodb", "list_tables"]})
        calls = {(call.function, call.action, call.allowed) for call in stack.calls()}
        assert calls == {
            ("WorkFunction", "sqs:ListQueues", True),
            ("WorkFunction", "dynamodb:ListTables", False),
        }

    def test_a_call_that_is_made_again_is_written_once(self, stack: Room) -> None:
        for _ in range(3):
            stack.invoke("WorkFunction", {"ask": ["sqs", "list_queues"]})
        assert len(stack.calls()) == len(set(stack.calls()))


@pytest.fixture
def pool(stack: Room) -> tuple[Any, str, str]:
    """A user pool whose triggers go to the function: client, pool id, client id."""
    arn = stack.client("lambda").get_function(FunctionName=stack.resources["WorkFunction"])
    function = arn["Configuration"]["FunctionArn"]
    cognito = stack.client("cognito-idp")
    made = cognito.create_user_pool(
        PoolName=f"pool-{time.monotonic_ns()}",
        AutoVerifiedAttributes=["email"],
        LambdaConfig={"PreSignUp": function, "PostConfirmation": function},
    )
    pool_id = made["UserPool"]["Id"]
    client = cognito.create_user_pool_client(UserPoolId=pool_id, ClientName="client")
    return cognito, pool_id, client["UserPoolClient"]["ClientId"]


@pytest.mark.emulator
class TestUserPoolTriggers:
    def test_a_function_is_asked_before_a_sign_up_and_told_when_it_is_confirmed(
        self, stack: Room, pool: tuple[Any, str, str]
    ) -> None:
        cognito, pool_id, client_id = pool
        for name in ("ann", "ben"):
            _sign_up(pool, name)
        cognito.confirm_sign_up(ClientId=client_id, Username="ann", ConfirmationCode="123456")
        cognito.admin_confirm_sign_up(UserPoolId=pool_id, Username="ben")
        told = [line for line in logged(stack) if "ann" in line or "ben" in line]
        for name in ("ann", "ben"):
            assert f"PreSignUp_SignUp {name} ['email', 'sub']" in told
            assert f"PostConfirmation_ConfirmSignUp {name} ['email', 'sub']" in told

    def test_a_new_password_is_told_as_what_it_is(
        self, stack: Room, pool: tuple[Any, str, str]
    ) -> None:
        cognito, pool_id, client_id = pool
        _sign_up(pool, "fay")
        cognito.admin_confirm_sign_up(UserPoolId=pool_id, Username="fay")
        cognito.forgot_password(ClientId=client_id, Username="fay")
        user = cognito.admin_get_user(UserPoolId=pool_id, Username="fay")
        assert user["UserStatus"] == "CONFIRMED"
        cognito.confirm_forgot_password(
            ClientId=client_id, Username="fay", ConfirmationCode="654321", Password="Bb2!longer"
        )
        told = [line for line in logged(stack) if line.startswith("PostConfirmation")]
        assert "PostConfirmation_ConfirmForgotPassword fay ['email', 'sub']" in told

    def test_a_function_is_asked_before_an_operator_makes_a_user(
        self, stack: Room, pool: tuple[Any, str, str]
    ) -> None:
        cognito, pool_id, _ = pool
        cognito.admin_create_user(UserPoolId=pool_id, Username="cyd")
        assert "PreSignUp_AdminCreateUser cyd []" in logged(stack)
        with pytest.raises(ClientError) as refused:
            cognito.admin_create_user(UserPoolId=pool_id, Username="overdrawn-cyd")
        _is_refusal(refused.value, "PreSignUp failed with error by 5.")
        with pytest.raises(ClientError, match="UserNotFound"):
            cognito.admin_get_user(UserPoolId=pool_id, Username="overdrawn-cyd")
        # Who is there already is no new user: nobody is asked.
        with pytest.raises(ClientError, match="UsernameExists"):
            cognito.admin_create_user(UserPoolId=pool_id, Username="cyd")

    def test_what_a_function_raises_comes_as_cognito_says_it(
        self, pool: tuple[Any, str, str]
    ) -> None:
        cognito, pool_id, client_id = pool
        with pytest.raises(ClientError) as refused:
            _sign_up(pool, "overdrawn")
        _is_refusal(refused.value, "PreSignUp failed with error by 5.")
        with pytest.raises(ClientError, match="UserNotFound"):
            cognito.admin_get_user(UserPoolId=pool_id, Username="overdrawn")
        _sign_up(pool, "dan")
        wrong = {"ClientId": client_id, "Username": "dan", "ConfirmationCode": "000000"}
        with pytest.raises(ClientError, match="CodeMismatch"):
            cognito.confirm_sign_up(**wrong)


def _sign_up(pool: tuple[Any, str, str], name: str) -> None:
    cognito, _, client_id = pool
    cognito.sign_up(
        ClientId=client_id,
        Username=name,
        Password="Aa1!password",
        UserAttributes=[{"Name": "email", "Value": f"{name}@example.com"}],
    )


def _is_refusal(error: ClientError, text: str) -> None:
    assert error.response["Error"]["Code"] == "UserLambdaValidationException"
    assert error.response["Error"]["Message"] == text


class TestChecks:
    def test_code_that_is_another_is_refused_in_one_line(self) -> None:
        with pytest.raises(PatchError, match=r"^cardroom: json\.dumps is not the code of") as info:
            Source("json", "dumps", "0" * 16).check()
        assert "\n" not in str(info.value)

    @pytest.mark.parametrize(("module", "name"), [("json", "no_such"), ("no_such_module", "x")])
    def test_code_that_is_missing_is_refused(self, module: str, name: str) -> None:
        with pytest.raises(PatchError):
            Source(module, name, "0" * 16).check()

    def test_code_that_is_as_expected_passes(self) -> None:
        found = Source("json", "dumps", "").found()
        Source("json", "dumps", found).check()

    @pytest.mark.emulator
    def test_the_installed_emulator_is_what_the_patches_expect(self) -> None:
        self.run("from local import patches; patches.check_all()")

    @pytest.mark.emulator
    @pytest.mark.parametrize("number", range(len(patches.PATCHES)))
    def test_each_patch_refuses_changed_code_before_anything_is_patched(self, number: int) -> None:
        source = patches.PATCHES[number].sources[0]
        self.run(
            f"""
import importlib
from local import patches
owner = importlib.import_module({source.module!r})
*path, last = {source.name!r}.split(".")
for part in path:
    owner = getattr(owner, part)
setattr(owner, last, "changed" if isinstance(getattr(owner, last), str) else lambda: None)
others = [importlib.import_module(s.module) for p in patches.PATCHES for s in p.sources]
before = [dict(vars(module)) for module in others]
try:
    patches.apply_all()
except patches.PatchError as error:
    assert {source.name!r} in str(error), error
else:
    raise AssertionError("the change went unnoticed")
assert before == [dict(vars(module)) for module in others]
"""
        )

    @pytest.mark.emulator
    def test_a_stream_goes_on_over_a_restart_where_its_reader_stands(self, tmp_path: Path) -> None:
        self.run(
            f"""
import os
os.environ.update(PERSIST_STATE="1", STATE_DIR={str(tmp_path)!r}, CARDROOM_UNPACKED="unused")
from local import patches
patches.apply_all()
from ministack.core import persistence
from ministack.services import dynamodb
dynamodb._stream_records["table"] = [{{"n": n}} for n in range(3)]
dynamodb._stream_trimmed["table"] = 2
number = dynamodb._next_stream_seq()
reader = dynamodb.stream_end_position("table") - 1
persistence.save_all({{"dynamodb": dynamodb.get_state}})
# As a process that has just begun.
dynamodb._stream_records.clear()
dynamodb._stream_trimmed.clear()
dynamodb._stream_seq_counter = 0
dynamodb.load_persisted_state(persistence.load_state("dynamodb"))
assert dynamodb.stream_records_since("table", reader, 10) == [{{"n": 2}}]
assert dynamodb.stream_end_position("table") == reader + 1
assert dynamodb._next_stream_seq() > number
assert dynamodb._stream_seq_counter == 2
"""
        )

    @staticmethod
    def run(code: str, folder: Path = ROOT) -> None:
        done = subprocess.run(
            [str(EMULATOR_PYTHON), "-c", code],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
