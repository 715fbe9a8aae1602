"""Faults of the emulator that are mended in its own process, before it serves.

Each patch names the code of ministack that it replaces or leans on, with a hash of its source.
Where one is not what it was written against, nothing is patched and `apply_all` raises one clear
line: a patch that no longer fits must not go unnoticed. Every patch has a test in
tests/local/test_patches.py.

Imported by the emulator's Python alone, and only standard library beside ministack.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import functools
import hashlib
import importlib
import inspect
import json
import os
import queue
import shutil
import tempfile
import threading
import time
import types
import zipfile
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MINISTACK = "1.5.33"

# Environments of one function at a time; further invocations wait. An unbounded number took 10 GB
# for 100 sockets that connected at once.
ENVIRONMENTS_PER_FUNCTION = int(os.environ.get("CARDROOM_ENVIRONMENTS_PER_FUNCTION", "8"))

# For the client's part of a connection's closing.
CLOSING_SECONDS = 5.0

# The worker writes this line to stderr when a handler is done: all that it printed came before.
END_OF_OUTPUT = "\x1ecardroom: end of output"

# The variable of the environment that names where code is unpacked, for all environments.
UNPACKED = "CARDROOM_UNPACKED"
# Of two builds of the template, and some more.
UNPACKED_KEPT = 24

type Event = dict[str, Any]
type Result = dict[str, Any]
type Message = dict[str, Any]
type Send = Callable[[Message], Awaitable[None]]


class PatchError(Exception):
    """The installed emulator is not the one that the patches were written for."""


@dataclass(frozen=True, slots=True)
class Source:
    """A function or a string constant of ministack, as the patches expect it.

    `name` is dotted inside the module; `digest` the first 16 hexadecimal digits of the SHA-256 of
    the source text (of the value, where it is a string).
    """

    module: str
    name: str
    digest: str

    def found(self) -> str:
        """The digest of what is installed, "missing" where there is no such thing."""
        try:
            thing: Any = importlib.import_module(self.module)
            for part in self.name.split("."):
                thing = getattr(thing, part)
        except (ImportError, AttributeError):
            return "missing"
        text = thing if isinstance(thing, str) else inspect.getsource(thing)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def check(self) -> None:
        """Raises PatchError where the installed code is another."""
        if self.found() != self.digest:
            raise PatchError(
                f"cardroom: {self.module}.{self.name} is not the code of ministack {MINISTACK} that"
                " local/patches.py mends. Run `make setup`, or bring the patch up to date."
            )


@dataclass(frozen=True, slots=True)
class Patch:
    """One fault and its cure."""

    name: str
    fault: str
    sources: tuple[Source, ...]
    apply: Callable[[], None]


RUNTIME = "ministack.core.lambda_runtime"
LAMBDA = "ministack.services.lambda_svc"
GATEWAY = "ministack.services.apigateway"
EVALUATOR = "ministack.core.iam_evaluator"
PROVISIONERS = "ministack.services.cloudformation.provisioners"
COGNITO = "ministack.services.cognito"
DYNAMODB = "ministack.services.dynamodb"


def _module(name: str) -> Any:
    return importlib.import_module(name)


# ---- WebSocket routes ---------------------------------------------------------------------------


class _OrdinaryInvoke:
    """Stands where the gateway expects the one worker of a function, and invokes it as all others.

    So each message has an environment of its own, is counted and logged, and what a handler raised
    does not reach the client: he is sent what API Gateway sends.
    """

    def __init__(self, config: Mapping[str, Any], code_zip: bytes) -> None:
        self._record = {"config": config, "code_zip": code_zip}

    def invoke(self, event: Event, request_id: str) -> Result:
        result = _module(LAMBDA)._execute_function(self._record, event)
        body = result.get("body")
        if result.get("error") or result.get("throttle") or not isinstance(body, dict | None):
            context = event["requestContext"]
            refusal = {
                "message": "Internal server error",
                "connectionId": context["connectionId"],
                "requestId": context.get("requestId", request_id),
            }
            body = {"statusCode": 500, "body": json.dumps(refusal)}
        return {"status": "ok", "result": body}


def _invoke_routes_as_all_functions() -> None:
    def get_or_create_worker(
        func_name: str, config: Mapping[str, Any], code_zip: bytes, qualifier: str = "$LATEST"
    ) -> _OrdinaryInvoke:
        return _OrdinaryInvoke(config, code_zip)

    # The gateway alone uses it, and looks it up at each message.
    _module(RUNTIME).get_or_create_worker = get_or_create_worker


_answer_to_connect: ContextVar[dict[str, Any] | None] = ContextVar("answer_to_connect")


_closing: set[asyncio.Task[None]] = set()


async def _take_the_rest(
    receive: Callable[[], Awaitable[Message]], gone: asyncio.Event, seconds: float
) -> None:
    """Until the connection has ended, and for so long after it: what the server has read with its
    end it gives out afterwards.
    """
    while (await receive())["type"] != "websocket.disconnect":
        pass
    gone.set()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                await receive()


def _mend_connections() -> None:
    gateway = _module(GATEWAY)
    invoke: Callable[..., Awaitable[Result | None]] = gateway._invoke_ws_lambda
    handle: Callable[..., Awaitable[None]] = gateway.handle_websocket

    @functools.wraps(invoke)
    async def invoke_ws_lambda(*args: Any, **kwargs: Any) -> Result | None:
        answer = await invoke(*args, **kwargs)
        holder = _answer_to_connect.get(None)
        event_type = kwargs.get("event_type", args[6] if len(args) > 6 else None)
        if holder is not None and event_type == "CONNECT":
            holder["headers"] = (answer or {}).get("headers") or {}
            holder["connection"] = args[5]
            holder["refusal"] = (int((answer or {}).get("statusCode", 200)), "", args[5], args[7])
        return answer

    @functools.wraps(handle)
    async def handle_websocket(
        scope: Mapping[str, Any], receive: Any, send: Send, *args: Any, **kwargs: Any
    ) -> None:
        holder: dict[str, Any] = {}
        offered = scope.get("subprotocols") or []

        async def send_as_connect_says(message: Message) -> None:
            if message["type"] == "websocket.close" and "refusal" in holder:
                await gateway._refuse_ws_handshake(scope, send, *holder["refusal"])
                return
            if message["type"] == "websocket.accept":
                holder.pop("refusal", None)
                holder["accepted"] = True
                for name, value in holder.get("headers", {}).items():
                    # The server refuses to send one that the client did not offer.
                    if name.lower() == "sec-websocket-protocol" and value in offered:
                        message = {**message, "subprotocol": value}
            await send(message)

        async def receive_while_open() -> Message:
            open_ones = gateway._ws_connections
            if "connection" in holder and holder["connection"] not in open_ones:
                return {"type": "websocket.disconnect", "code": 1000}
            message: Message = await receive()
            if message["type"] == "websocket.disconnect":
                holder["gone"] = True
            return message

        token = _answer_to_connect.set(holder)
        try:
            await handle(scope, receive_while_open, send_as_connect_says, *args, **kwargs)
        finally:
            _answer_to_connect.reset(token)
            # The server reads on, and sees the client's part of the closing, only as long as what
            # it has read is taken; it holds no more than ten messages. Nor can it end a connection
            # by itself while more are waiting: they are taken until it has.
            gone = asyncio.Event()
            if "accepted" in holder and "gone" not in holder:
                rest = asyncio.create_task(_take_the_rest(receive, gone, CLOSING_SECONDS))
                _closing.add(rest)
                rest.add_done_callback(_closing.discard)
            else:
                gone.set()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(gone.wait(), CLOSING_SECONDS)

    gateway._invoke_ws_lambda = invoke_ws_lambda
    gateway.handle_websocket = handle_websocket


# ---- workers ------------------------------------------------------------------------------------

_SUCCESS = '_real_stdout.write(json.dumps({"status": "ok", "result": result}) + "\\n")'
_FAILURE = (
    '_real_stdout.write(json.dumps({"status": "error", "error": str(e),'
    ' "trace": traceback.format_exc()}) + "\\n")'
)
_FAILURE_WITH_TYPE = (
    '_real_stdout.write(json.dumps({"status": "error", "error": str(e),'
    ' "error_type": type(e).__name__, "trace": traceback.format_exc()}) + "\\n")'
)
_END = f"print({END_OF_OUTPUT!r}, file=sys.stderr, flush=True); "


def _replace_once(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise PatchError(f"cardroom: ministack's worker holds {text.count(old)} times: {old}")
    return text.replace(old, new)


def _end_output_with_a_mark() -> None:
    runtime = _module(RUNTIME)
    script = _replace_once(runtime._PYTHON_WORKER_SCRIPT, _SUCCESS, _END + _SUCCESS)
    failure = _FAILURE if _FAILURE in script else _FAILURE_WITH_TYPE
    runtime._PYTHON_WORKER_SCRIPT = _replace_once(script, failure, _END + failure)
    polled: Callable[..., str] = runtime.Worker._drain_stderr_bounded

    @functools.wraps(polled)
    def drain(self: Any, *args: Any, hard_cap: float = 0.25, **kwargs: Any) -> str:
        if not str(self.config.get("Runtime", "")).startswith("python"):
            return polled(self, *args, hard_cap=hard_cap, **kwargs)
        lines: list[str] = []
        deadline = time.monotonic() + hard_cap
        while True:
            try:
                # A worker that died has left no mark: the wait is bounded.
                line = self._stderr_queue.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
            if line.endswith(END_OF_OUTPUT):
                # A handler may have printed an unfinished line before it.
                if unfinished := line.removesuffix(END_OF_OUTPUT):
                    lines.append(unfinished)
                break
            lines.append(line)
        return "\n".join(lines)

    runtime.Worker._drain_stderr_bounded = drain


_raised = threading.local()


def _keep_error_type() -> None:
    runtime, service = _module(RUNTIME), _module(LAMBDA)
    runtime._PYTHON_WORKER_SCRIPT = _replace_once(
        runtime._PYTHON_WORKER_SCRIPT, _FAILURE, _FAILURE_WITH_TYPE
    )
    invoke: Callable[..., Result] = runtime.Worker.invoke
    execute: Callable[..., Result] = service._execute_function_warm

    @functools.wraps(invoke)
    def worker_invoke(self: Any, *args: Any, **kwargs: Any) -> Result:
        response = invoke(self, *args, **kwargs)
        _raised.name = response.get("error_type")
        return response

    @functools.wraps(execute)
    def execute_function_warm(func: Any, event: Event, request_id: str) -> Result:
        _raised.name = None
        result = execute(func, event, request_id)
        body = result.get("body")
        # The worker ran on this thread, so the name is of this invocation.
        if (
            _raised.name
            and isinstance(body, dict)
            and body.get("errorType") == "Runtime.HandlerError"
        ):
            body["errorType"] = _raised.name
        return result

    runtime.Worker.invoke = worker_invoke
    service._execute_function_warm = execute_function_warm


def _cap_environments() -> None:
    service = _module(LAMBDA)
    execute: Callable[..., Result] = service._execute_function_warm
    slots: dict[str, threading.BoundedSemaphore] = {}
    lock = threading.Lock()

    @functools.wraps(execute)
    def execute_function_warm(func: Any, event: Event, request_id: str) -> Result:
        config = func.get("config") or func
        key = config.get("FunctionArn") or config.get("FunctionName", "")
        with lock:
            slot = slots.setdefault(key, threading.BoundedSemaphore(ENVIRONMENTS_PER_FUNCTION))
        # Bounded, for a handler that waits for its own function would wait for ever.
        if not slot.acquire(timeout=30):
            throttled: Result = service._throttle_response(
                reason_code="ConcurrentInvocationLimitExceeded",
                msg=f"Rate Exceeded: {ENVIRONMENTS_PER_FUNCTION} environments of {key} are busy",
            )
            return throttled
        try:
            return execute(func, event, request_id)
        finally:
            slot.release()

    service._execute_function_warm = execute_function_warm


# ---- code ---------------------------------------------------------------------------------------

_unpacking = threading.Lock()


def unpacked(archive: Path, store: Path) -> Path:
    """The folder below `store` that holds what is in a zip file, unpacked there if it is not yet.

    It is named after the content, may be shared by anybody, and is read-only like Lambda's.
    """
    with archive.open("rb") as file:
        folder = store / hashlib.file_digest(file, "sha256").hexdigest()[:32]
    with _unpacking:
        if not folder.is_dir():
            _unpack(archive, folder)
    # What was used last is forgotten last: see `forget_unpacked`.
    os.utime(folder)
    return folder


def _unpack(archive: Path, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Under another name until it is whole, for the process may end at any time.
    draft = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    with zipfile.ZipFile(archive) as content:
        content.extractall(draft)
    for path, _, files in draft.walk():
        for name in files:
            (path / name).chmod(0o444)
        path.chmod(0o555)
    try:
        draft.rename(folder)
    except OSError:
        # Another emulator was faster.
        _remove(draft)
        if not folder.is_dir():
            raise


def forget_unpacked(store: Path, kept: int = UNPACKED_KEPT) -> None:
    """Removes what was used least recently, and what was left half unpacked.

    Only while no emulator runs: one may start an environment from any of it.
    """
    folders = list(store.iterdir()) if store.is_dir() else []
    whole = [folder for folder in folders if "." not in folder.name]
    whole.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in set(folders) - set(whole[:kept]):
        _remove(folder)


def _remove(folder: Path) -> None:
    for path, _, _ in folder.walk():
        # Names can be taken out of a writable folder alone.
        with contextlib.suppress(OSError):
            path.chmod(0o755)
    shutil.rmtree(folder, ignore_errors=True)


def _unpack_once() -> None:
    runtime = _module(RUNTIME)
    store = Path(os.environ[UNPACKED])

    class UnpackedOnce(zipfile.ZipFile):
        """Where it is told to unpack into an empty folder it puts a link in the folder's place."""

        def extractall(self, path: Any = None, members: Any = None, pwd: Any = None) -> None:
            archive, place = Path(str(self.filename)), Path(path)
            folder = unpacked(archive, store)
            place.rmdir()
            place.symlink_to(folder, target_is_directory=True)
            # The environment's own copy, which is read no more.
            archive.unlink()

    # The workers alone use the name, to unpack a function's code and its layers.
    runtime.zipfile = types.SimpleNamespace(**{**vars(zipfile), "ZipFile": UnpackedOnce})


# ---- CloudFormation -----------------------------------------------------------------------------


def _accept_yaml_definitions() -> None:
    import yaml

    provisioners = _module(PROVISIONERS)
    resolve: Callable[[Any], str] = provisioners._sfn_definition

    @functools.wraps(resolve)
    def definition_as_json(props: Any) -> str:
        definition = resolve(props)
        try:
            json.loads(definition)
        except ValueError:
            return json.dumps(yaml.safe_load(definition))
        return definition

    provisioners._sfn_definition = definition_as_json


# ---- user pools ---------------------------------------------------------------------------------

_CONFIRMATIONS = {
    "_confirm_sign_up": "PostConfirmation_ConfirmSignUp",
    "_admin_confirm_sign_up": "PostConfirmation_ConfirmSignUp",
    "_confirm_forgot_password": "PostConfirmation_ConfirmForgotPassword",
}


def _trigger(pool: Mapping[str, Any], kind: str, event: Event) -> Any:
    """What the pool's function of this kind returned, None where it has none.

    Raises the emulator's own error, with the text that Cognito sends, where the function failed.
    """
    cognito, service = _module(COGNITO), _module(LAMBDA)
    arn = (pool.get("LambdaConfig") or {}).get(kind)
    if not arn:
        return None
    record, config, _ = service._get_func_record_for_ref(arn)
    if record is None or config is None:
        raise cognito._PreSignUpRejected(f"{kind} invocation failed: there is no function {arn}.")
    execution = service._execution_record_for_config(record, config)
    result = service._execute_function_with_config_scope(execution, event)
    body = result.get("body")
    returned = json.loads(body) if isinstance(body, str | bytes) else body
    if result.get("error") or result.get("throttle"):
        text = returned.get("errorMessage", "") if isinstance(returned, dict) else ""
        raise cognito._PreSignUpRejected(f"{kind} failed with error {text}.")
    return returned


def _call_user_pool_triggers() -> None:
    cognito = _module(COGNITO)

    def refused(error: Exception) -> Any:
        kind = "UserLambdaValidationException"
        return cognito.error_response_json(kind, str(error), 400)

    def before_sign_up(
        pool_id: str,
        client_id: str,
        username: str,
        user_attrs: Mapping[str, Any],
        trigger_source: str = "PreSignUp_ExternalProvider",
    ) -> dict[str, bool]:
        wishes = ("autoConfirmUser", "autoVerifyEmail", "autoVerifyPhone")
        event = cognito._build_presignup_event(
            pool_id, client_id, username, user_attrs, trigger_source
        )
        returned = _trigger(cognito._user_pools.get(pool_id) or {}, "PreSignUp", event)
        response = (returned or {}).get("response") or {}
        return {wish: bool(response.get(wish)) for wish in wishes}

    create: Callable[[Message], Any] = cognito._admin_create_user

    @functools.wraps(create)
    def admin_create_user(data: Message) -> Any:
        pool_id, name = data.get("UserPoolId", ""), data.get("Username")
        users = (cognito._user_pools.get(pool_id) or {}).get("_users", {})
        if name and name not in users and data.get("MessageAction") != "RESEND":
            attributes = cognito._attr_list_to_dict(data.get("UserAttributes", []))
            try:
                before_sign_up(pool_id, "", name, attributes, "PreSignUp_AdminCreateUser")
            except cognito._PreSignUpRejected as error:
                return refused(error)
        return create(data)

    def confirming(name: str, source: str) -> Callable[[Message], Any]:
        confirm: Callable[[Message], Any] = getattr(cognito, name)

        @functools.wraps(confirm)
        def confirmed(data: Message) -> Any:
            answer = confirm(data)
            if answer[0] != 200:
                return answer
            client_id, pool_id = data.get("ClientId", ""), data.get("UserPoolId")
            if pool_id is None:
                _, pool_id = cognito._pool_for_client(client_id)
            pool = cognito._user_pools[pool_id]
            user, _ = cognito._resolve_user(pool, data["Username"])
            attributes = cognito._attr_list_to_dict(user["Attributes"])
            before = cognito._build_presignup_event(
                pool_id, client_id, user["Username"], attributes, source
            )
            request = {"userAttributes": before["request"]["userAttributes"]}
            try:
                _trigger(pool, "PostConfirmation", {**before, "request": request, "response": {}})
            except cognito._PreSignUpRejected as error:
                # He is confirmed all the same, as on AWS.
                return refused(error)
            return answer

        return confirmed

    cognito._apply_presignup_trigger = before_sign_up
    cognito._admin_create_user = admin_create_user
    for name, source in _CONFIRMATIONS.items():
        setattr(cognito, name, confirming(name, source))


# ---- rights -------------------------------------------------------------------------------------


def _write_down_calls() -> None:
    evaluator = _module(EVALUATOR)
    decide: Callable[..., Any] = evaluator.evaluate
    path = os.environ.get("CARDROOM_CALLS")
    written: set[tuple[str, str, str, str]] = set()
    lock = threading.Lock()

    @functools.wraps(decide)
    def evaluate(context: Any, *args: Any, **kwargs: Any) -> Any:
        result = decide(context, *args, **kwargs)
        # Of a function's session, whose name is the function's.
        kind, _, session = context.principal_arn.rpartition("/")
        call = (session, context.action, context.resource_arn, result.decision)
        if path and ":assumed-role/" in kind:
            with lock:
                if call not in written:
                    written.add(call)
                    with Path(path).open("a", encoding="utf-8") as file:
                        file.write(json.dumps(call) + "\n")
        return result

    evaluator.evaluate = evaluate


# ---- restarts -----------------------------------------------------------------------------------


def _keep_streams() -> None:
    tables = _module(DYNAMODB)
    told: Callable[[], dict[str, Any]] = tables.get_state
    load: Callable[[Any], None] = tables.load_persisted_state

    def get_state() -> dict[str, Any]:
        streams = {name: copy.deepcopy(getattr(tables, name)) for name in _STREAMS}
        return {**told(), **streams, "_stream_seq_counter": tables._stream_seq_counter}

    def load_persisted_state(data: Any) -> None:
        load(data)
        for name in _STREAMS:
            getattr(tables, name).update((data or {}).get(name, {}))
        tables._stream_seq_counter = (data or {}).get("_stream_seq_counter", 0)

    tables.get_state = get_state
    tables.load_persisted_state = load_persisted_state


_STREAMS = ("_stream_records", "_stream_trimmed")


# ---- all of them --------------------------------------------------------------------------------

PATCHES = (
    Patch(
        "websocket invocations",
        "one worker served all messages of a function, wrote no logs, and sent the client the text"
        " of an exception",
        (
            Source(GATEWAY, "_invoke_ws_lambda", "a80872394b0b55f3"),
            Source(RUNTIME, "get_or_create_worker", "e62a10a5f04e7cea"),
            Source(LAMBDA, "_execute_function", "3ceb16d6480a2161"),
            Source(LAMBDA, "_execute_function_dispatch", "f62cd259213ecef7"),
        ),
        _invoke_routes_as_all_functions,
    ),
    Patch(
        "connections",
        "Sec-WebSocket-Protocol was never echoed, and browsers then refuse the connection; whatever"
        " status refused it, the client was told 403; a deleted one was served for as long as"
        " messages were waiting, and where there were more than ten its socket stayed open",
        (
            Source(GATEWAY, "handle_websocket", "6d609b2db6a0147d"),
            Source(GATEWAY, "_invoke_ws_lambda", "a80872394b0b55f3"),
            Source(GATEWAY, "_refuse_ws_handshake", "2e33e15c084bc0dc"),
            Source(GATEWAY, "handle_connections_api", "6fe56ee5b2472e1f"),
        ),
        _mend_connections,
    ),
    Patch(
        "error type",
        "errorType was always Runtime.HandlerError, so that Retry and Catch never matched a class",
        (
            Source(RUNTIME, "_PYTHON_WORKER_SCRIPT", "368800addf4dc998"),
            Source(RUNTIME, "Worker.invoke", "96751a75471021ec"),
            Source(LAMBDA, "_execute_function_warm", "62b9218bef5b948a"),
        ),
        _keep_error_type,
    ),
    Patch(
        "end of output",
        "a handler that prints nothing cost a wait of 50 ms for what it might print",
        (
            Source(RUNTIME, "_PYTHON_WORKER_SCRIPT", "368800addf4dc998"),
            Source(RUNTIME, "Worker._drain_stderr_bounded", "3fd7cc742872e604"),
            Source(RUNTIME, "Worker._read_stderr", "d8eb30038f94ee61"),
            Source(RUNTIME, "Worker.invoke", "96751a75471021ec"),
        ),
        _end_output_with_a_mark,
    ),
    Patch(
        "environments",
        "each invocation beyond the warm ones made an environment more, without bound",
        (
            Source(LAMBDA, "_execute_function_warm", "62b9218bef5b948a"),
            Source(LAMBDA, "_throttle_response", "647221d5b0775feb"),
            Source(RUNTIME, "acquire_worker", "5017d144adb5b983"),
        ),
        _cap_environments,
    ),
    Patch(
        "unpacked code",
        "each environment unpacked code and layers anew: seconds of a cold start, and thousands of"
        " files to remove",
        (
            Source(RUNTIME, "Worker._spawn", "c55febf956565c5e"),
            Source(RUNTIME, "Worker._discard_tmpdir", "33f19717d0f35f72"),
        ),
        _unpack_once,
    ),
    Patch(
        "yaml definition",
        "a state machine's definition in YAML was kept as text that no execution could read",
        (Source(PROVISIONERS, "_sfn_definition", "e29ae22959e7b7cf"),),
        _accept_yaml_definitions,
    ),
    Patch(
        "user pool triggers",
        "functions of a pool were not asked when an operator makes a user, nor told when one"
        " confirms, and what they raised came to the client as a record of Python",
        (
            Source(COGNITO, "_apply_presignup_trigger", "3a8e61e0cad368cc"),
            Source(COGNITO, "_build_presignup_event", "da156a0a745a0e42"),
            Source(COGNITO, "_sign_up", "7c18b40cc0808ff8"),
            Source(COGNITO, "_admin_create_user", "b6be9f9333ac6842"),
            Source(COGNITO, "_confirm_sign_up", "e9557b08401a1b81"),
            Source(COGNITO, "_admin_confirm_sign_up", "e466a78787df6fd5"),
            Source(COGNITO, "_confirm_forgot_password", "7f65a9b7d622675c"),
            Source(COGNITO, "_resolve_user", "005b45b0326d511c"),
            Source(COGNITO, "_dispatch_idp", "eff61c61ce4d793c"),
            Source(LAMBDA, "_get_func_record_for_ref", "492b4efe8f903a0f"),
            Source(LAMBDA, "_execution_record_for_config", "632acaa44892bdae"),
            Source(LAMBDA, "_execute_function_with_config_scope", "26a9d5f64e175204"),
        ),
        _call_user_pool_triggers,
    ),
    Patch(
        "calls",
        "which rights the functions made use of was written down nowhere",
        (
            Source(EVALUATOR, "evaluate", "2a5dd6932d1aca6a"),
            Source(EVALUATOR, "enforce", "cf64b1ee5b099c8f"),
            Source(RUNTIME, "execution_credentials", "cffaadc4f396f6e4"),
        ),
        _write_down_calls,
    ),
    Patch(
        "streams over a restart",
        "a table's stream began anew after a restart while its readers stood where they had been,"
        " and so were told nothing until as many records had come again",
        (
            Source(DYNAMODB, "get_state", "ce90690a6033950f"),
            Source(DYNAMODB, "load_persisted_state", "6f58d9dc1e6e4edf"),
            Source(DYNAMODB, "stream_records_since", "aed31a353fda9770"),
            Source(DYNAMODB, "_next_stream_seq", "27792e02008df126"),
        ),
        _keep_streams,
    ),
)


def check_all() -> None:
    """Raises PatchError unless every patch fits what is installed. Changes nothing."""
    for patch in PATCHES:
        for source in patch.sources:
            source.check()


def apply_all() -> None:
    """Mends the emulator in this process, all or nothing; once. Raises PatchError."""
    check_all()
    for patch in PATCHES:
        patch.apply()
