"""The room on this machine: the emulator, with the project's own template deployed to it.

    with Room.start() as room:
        room.websocket_url          # ws://127.0.0.1:PORT/_aws/execute-api/API/STAGE
        room.client("dynamodb")     # a boto3 client of the local AWS, with all rights

Used by `cardroom play`, the soak and the end-to-end tests. Whatever is started here is ended by
`stop`, and nothing else; should this process die, the emulator ends by itself.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from local.artifacts import ROOT, Artifacts, build, host_architecture
from local.emulator import CALLS, HOST, free_port, port_is_free
from local.errors import RoomError
from local.patches import forget_unpacked
from local.scripted import folder

REGION = "us-east-1"
STACK_NAME = "cardroom"
BUCKET = "artifacts"

START_SECONDS = 60.0
DEPLOY_SECONDS = 60.0
# For processes that were killed to be gone.
STOP_SECONDS = 0.5

type Progress = Callable[[str], None]


def _silent(line: str) -> None:
    del line


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function to AWS: the function's logical id, "dynamodb:PutItem", the ARN."""

    function: str
    action: str
    resource: str
    allowed: bool


class Emulator:
    """A process of its own that serves a local AWS; see `local.emulator`."""

    def __init__(
        self, command: list[str], root: Path, port: int, state_dir: Path, held: int
    ) -> None:
        self._command = command
        self._root = root
        self._state_dir = state_dir
        # The open state directory, locked for as long as it is in use: see `_hold`.
        self._held: int | None = held
        self.port = port
        self.endpoint = f"http://{HOST}:{port}"
        self.log = state_dir / "emulator.log"
        self._environment = {
            name: value
            for name, value in os.environ.items()
            if name in ("HOME", "LANG", "PATH", "TZ") or name.startswith(("LC_", "CARDROOM_"))
        }
        self._process = self._launched()

    @classmethod
    def start(cls, port: int | None = None, root: Path = ROOT, *, keep: bool = False) -> Self:
        """Starts it on the port, or on a free one; `wait_until_healthy` comes next. `keep` lets
        it be restarted.

        Raises RoomError where the port is in use or the emulator is not installed.
        """
        python = root / ".venv-emulator" / "bin" / "python"
        if not python.exists():
            raise RoomError("the local AWS is not installed: run make setup")
        if port is not None and not port_is_free(port):
            raise RoomError(
                f"port {port} is in use: stop what listens there, or choose another with --port"
            )
        port = port or free_port()
        runs = root / ".build" / "run"
        unpacked = root / ".build" / "unpacked"
        runs.mkdir(parents=True, exist_ok=True)
        with (runs / "lock").open("w") as lock:
            # Another may be starting: neither must take the other's for a dead one's.
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not _clear_dead(runs):
                forget_unpacked(unpacked)
            state_dir = Path(tempfile.mkdtemp(prefix=f"{port}-", dir=runs))
            held = _hold(state_dir)
        assert held is not None, "nobody else holds what was just made"
        command = [
            *(str(python), "-m", "local.emulator"),
            *("--port", str(port)),
            *("--state-dir", str(state_dir)),
            *("--unpacked-dir", str(unpacked)),
            *("--decks-dir", str(folder(port, root))),
            "--end-with-stdin",
            *(["--keep"] if keep else []),
        ]
        return cls(command, root, port, state_dir, held)

    def _launched(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            # A session of its own: Ctrl-C reaches it through `stop` alone, and the signal that ends
            # it reaches the functions' processes too.
            return subprocess.Popen(
                self._command,
                cwd=self._root,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """Of the process that serves; the functions' processes are its children."""
        return self._process.pid

    def restart(self, seconds: float = START_SECONDS) -> None:
        """SIGTERM, and when it has ended it starts again on what it kept, and answers.

        Raises RoomError where it does not end so, keeps nothing, or does not come back.
        """
        self._process.send_signal(signal.SIGTERM)
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise RoomError(f"the local AWS did not end in {seconds:g} s") from None
        # A function's process may have been starting at that moment.
        self._signal(signal.SIGKILL)
        if self._process.stdin is not None:
            self._process.stdin.close()
        if status or "--keep" not in self._command:
            raise RoomError(f"the local AWS kept nothing: {self._last_words()}")
        self._process = self._launched()
        self.wait_until_healthy(seconds)

    def wait_until_healthy(self, seconds: float = START_SECONDS) -> None:
        """Returns when it answers; raises RoomError with its last words where it does not."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise RoomError(f"the local AWS did not start: {self._last_words()}")
            with suppress(urllib.error.URLError, OSError):
                address = f"{self.endpoint}/_ministack/health"
                with urllib.request.urlopen(address, timeout=5) as answer:
                    if answer.status == 200:
                        return
            time.sleep(0.02)
        raise RoomError(f"the local AWS did not answer in {seconds:g} s: {self._last_words()}")

    def calls(self) -> list[Call]:
        """Every call of a function to AWS that was checked against its role; see `Room.calls`."""
        try:
            lines = (self._state_dir / CALLS).read_text().splitlines()
        except FileNotFoundError:
            return []
        return [
            Call(function, action, resource, decision == "Allow")
            for function, action, resource, decision in map(json.loads, lines)
        ]

    def stop(self) -> None:
        """Ends it and the functions' processes, and removes what it wrote. Twice does no harm."""
        if self._held is None:
            return
        # At once, for it keeps nothing: asked to end, it would wait for open connections.
        gone = not self._signal(signal.SIGKILL)
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        # The group outlives its leader while a function's process does.
        deadline = time.monotonic() + STOP_SECONDS
        while not gone and time.monotonic() < deadline:
            gone = not self._signal(0)
            time.sleep(0.005)
        shutil.rmtree(self._state_dir, ignore_errors=True)
        os.close(self._held)
        self._held = None

    def _signal(self, number: int) -> bool:
        """Whether there was a process to send it to; 0 sends nothing."""
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def _last_words(self) -> str:
        with suppress(OSError):
            lines = self.log.read_text(errors="replace").strip().splitlines()
            if lines:
                return lines[-1].removeprefix("cardroom: ")
        return "it said nothing"


def _hold(state_dir: Path) -> int | None:
    """Locks the directory for as long as the result stays open; None where another holds it.

    The lock ends with the process that started the emulator, however that ends.
    """
    held = os.open(state_dir, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        return None
    return held


def _clear_dead(runs: Path) -> int:
    """Removes what emulators left whose starter was killed; how many others there are."""
    living = 0
    for state_dir in runs.iterdir():
        # One that ends right now is removing its own.
        with suppress(FileNotFoundError, NotADirectoryError):
            if not state_dir.is_dir():
                continue
            held = _hold(state_dir)
            if held is None:
                living += 1
                continue
            shutil.rmtree(state_dir, ignore_errors=True)
            os.close(held)
    return living


@dataclass(frozen=True)
class Deployed:
    """A room deployed to a local AWS, whoever runs that; `outputs` are the stack's, by name."""

    endpoint: str
    outputs: Mapping[str, str]
    stack_name: str = STACK_NAME
    _clients: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def at(cls, endpoint: str, stack_name: str = STACK_NAME) -> Deployed:
        """The room at the address of a local AWS that runs already; raises RoomError."""
        with closing(client(endpoint, "cloudformation")) as stacks:
            try:
                stack = stacks.describe_stacks(StackName=stack_name)["Stacks"][0]
            except (BotoCoreError, ClientError) as error:
                raise RoomError(f"no room at {endpoint}: start one with make play") from error
        return Deployed(endpoint, _outputs(stack), stack_name)

    @property
    def websocket_url(self) -> str:
        """Where clients connect."""
        address = self.endpoint.replace("http://", "ws://", 1)
        return f"{address}/_aws/execute-api/{self.outputs['ApiId']}/{self.outputs['StageName']}"

    @cached_property
    def resources(self) -> dict[str, str]:
        """The physical id of each resource, by its logical id."""
        pages = self.client("cloudformation").get_paginator("list_stack_resources")
        return {
            summary["LogicalResourceId"]: summary["PhysicalResourceId"]
            for page in pages.paginate(StackName=self.stack_name)
            for summary in page["StackResourceSummaries"]
        }

    def client(self, service: str) -> Any:
        """A boto3 client of a service of the local AWS, one for each service, until `close`."""
        if service not in self._clients:
            self._clients[service] = client(self.endpoint, service)
        return self._clients[service]

    def close(self) -> None:
        """Closes the connections of all clients. Twice does no harm."""
        while self._clients:
            _, used = self._clients.popitem()
            used.close()

    def invoke(self, logical_id: str, event: Mapping[str, Any]) -> Any:
        """Invokes a function and returns what it returned; raises RuntimeError where it raised."""
        answer = self.client("lambda").invoke(
            FunctionName=self.resources[logical_id], Payload=json.dumps(event).encode()
        )
        payload = json.loads(answer["Payload"].read() or b"null")
        if "FunctionError" in answer:
            raise RuntimeError(f"{logical_id}: {payload}")
        return payload

    def log_lines(self) -> Iterator[tuple[str, str]]:
        """Everything in the log groups: (name of the group, message), group by group."""
        logs = self.client("logs")
        for groups in logs.get_paginator("describe_log_groups").paginate():
            for group in groups["logGroups"]:
                name = group["logGroupName"]
                pages = logs.get_paginator("filter_log_events").paginate(logGroupName=name)
                for page in pages:
                    for event in page["events"]:
                        yield name, event["message"]


@dataclass(frozen=True)
class Room(Deployed, AbstractContextManager["Room"]):
    """A deployed room together with the emulator that was started for it."""

    emulator: Emulator = field(kw_only=True)

    @classmethod
    def start(
        cls,
        parameters: Mapping[str, str] | None = None,
        *,
        port: int | None = None,
        root: Path = ROOT,
        progress: Progress = _silent,
        keep: bool = False,
    ) -> Room:
        """Builds, starts the emulator and deploys; everything is ended again where one fails.

        `parameters` go to the template beside LocalEndpoint and Architecture, which are set here.
        `keep` lets it be restarted. Raises RoomError.
        """
        progress("Starting the local AWS ...")
        emulator = Emulator.start(port, root, keep=keep)
        try:
            progress("Building the functions ...")
            artifacts = build(root)
            emulator.wait_until_healthy()
            progress("Deploying the template ...")
            outputs = deploy(emulator.endpoint, artifacts, parameters or {})
        except BaseException:
            emulator.stop()
            raise
        return Room(emulator.endpoint, outputs, emulator=emulator)

    def calls(self) -> list[Call]:
        """What the functions have asked of AWS so far, each call once, allowed or not."""
        # The name of a session, which is the function's, is cut at 64 characters.
        names = {physical[:64]: logical for logical, physical in self.resources.items()}
        return [
            Call(names.get(call.function, call.function), call.action, call.resource, call.allowed)
            for call in self.emulator.calls()
        ]

    def restart(self) -> None:
        """As its machine restarts: all of it ends, and starts again with what was stored; the
        addresses are the same. Only where it was started to keep that. Raises RoomError.
        """
        self.emulator.restart()

    def stop(self) -> None:
        """Ends everything that `start` started, and closes the clients. Twice does no harm."""
        self.close()
        self.emulator.stop()

    def __exit__(self, *_: object) -> None:
        self.stop()


def client(endpoint: str, service: str) -> Any:
    """A boto3 client of a service of the emulator at the endpoint, with the rights of its owner."""
    return boto3.client(
        service,  # type: ignore[call-overload]  # any service, by its name
        endpoint_url=endpoint,
        region_name=REGION,
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(
            # The service would be looked for at "sync-127.0.0.1" and the like.
            inject_host_prefix=False,
            retries={"total_max_attempts": 1},
            s3={"addressing_style": "path"},
            connect_timeout=5,
            read_timeout=60,
        ),
    )


def deploy(
    endpoint: str,
    artifacts: Artifacts,
    parameters: Mapping[str, str],
    stack_name: str = STACK_NAME,
) -> dict[str, str]:
    """Creates the stack and returns its outputs; raises RoomError with the reasons of a failure."""
    template = artifacts.template_in(BUCKET)
    declared = template.get("Parameters", {})
    own = {"LocalEndpoint": endpoint, "Architecture": host_architecture()}
    if unknown := sorted(set(parameters) - set(declared)):
        raise RoomError(f"the template has no parameter {', '.join(unknown)}")
    values = {name: value for name, value in own.items() if name in declared} | dict(parameters)

    with closing(client(endpoint, "s3")) as storage:
        storage.create_bucket(Bucket=BUCKET)
        for file in artifacts.files():
            with file.open("rb") as content:
                storage.put_object(Bucket=BUCKET, Key=file.name, Body=content)
        storage.put_object(Bucket=BUCKET, Key="template.json", Body=json.dumps(template).encode())

    with closing(client(endpoint, "cloudformation")) as stacks:
        try:
            stacks.create_stack(
                StackName=stack_name,
                TemplateURL=f"{endpoint}/{BUCKET}/template.json",
                Parameters=[
                    {"ParameterKey": name, "ParameterValue": value}
                    for name, value in values.items()
                ],
                Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
                OnFailure="DO_NOTHING",
            )
        except ClientError as error:
            raise RoomError(f"the template was refused: {error}") from error
        return _created(stacks, stack_name)


def _created(stacks: Any, stack_name: str) -> dict[str, str]:
    """The outputs of a stack once it is there; raises RoomError where it does not come."""
    deadline = time.monotonic() + DEPLOY_SECONDS
    while time.monotonic() < deadline:
        stack = stacks.describe_stacks(StackName=stack_name)["Stacks"][0]
        if stack["StackStatus"] == "CREATE_COMPLETE":
            return _outputs(stack)
        if not stack["StackStatus"].endswith("_IN_PROGRESS"):
            raise RoomError(f"the stack was not created: {_reasons(stacks, stack_name)}")
        time.sleep(0.05)
    raise RoomError(f"the stack was not created in {DEPLOY_SECONDS:g} s")


def _outputs(stack: Any) -> dict[str, str]:
    return {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}


def _reasons(stacks: Any, stack_name: str) -> str:
    events = stacks.describe_stack_events(StackName=stack_name)["StackEvents"]
    failed = [
        f"{event['LogicalResourceId']}: {event.get('ResourceStatusReason', 'no reason given')}"
        for event in reversed(events)
        if event["ResourceStatus"].endswith("_FAILED")
    ]
    return "; ".join(failed) or "no reason given"
