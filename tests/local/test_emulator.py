"""The emulator's process: where it listens, what it refuses, and that it leaves nothing behind."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from local import emulator, stack
from local.artifacts import ROOT
from local.errors import RoomError
from local.stack import Deployed, Emulator, Room


def listens(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as client:
        client.settimeout(2)
        return client.connect_ex((host, port)) == 0


def eventually(true: Callable[[], bool], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if true():
            return True
        time.sleep(0.02)
    return False


class ClosableClient:
    """Stands for a boto3 client; knows how often it was closed."""

    def __init__(self, endpoint: str, service: str) -> None:
        self.name = (endpoint, service)
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


class TestPorts:
    def test_a_port_in_use_is_one_line_that_says_what_to_do(self) -> None:
        with socket.create_server((emulator.HOST, 0)) as server:
            port = server.getsockname()[1]
            with pytest.raises(RoomError) as info:
                Emulator.start(port)
        assert str(info.value) == (
            f"port {port} is in use: stop what listens there, or choose another with --port"
        )

    def test_the_launcher_itself_refuses_a_port_in_use(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with socket.create_server((emulator.HOST, 0)) as server:
            port = server.getsockname()[1]
            status = emulator.main(["--port", str(port), "--state-dir", str(tmp_path / "state")])
        assert status == 1
        assert capsys.readouterr().err == f"cardroom: port {port} is in use\n"
        assert not (tmp_path / "state").exists()

    def test_a_missing_emulator_names_the_set_up(self, tmp_path: Path) -> None:
        with pytest.raises(RoomError, match="run make setup"):
            Emulator.start(root=tmp_path)

    def test_no_room_where_nothing_listens(self) -> None:
        endpoint = f"http://{emulator.HOST}:{emulator.free_port()}"
        with pytest.raises(RoomError, match=f"^no room at {endpoint}: start one with make play$"):
            Deployed.at(endpoint)


@pytest.mark.emulator
class TestProcess:
    def test_it_serves_on_loopback_alone_and_stops_without_a_trace(self) -> None:
        running = Emulator.start()
        try:
            running.wait_until_healthy()
            assert listens("127.0.0.1", running.port)
            if sys.platform == "linux":
                # Another address of this machine, which a server on every interface would answer.
                assert not listens("127.0.0.2", running.port)
        finally:
            running.stop()
        assert not listens("127.0.0.1", running.port)
        assert not running.log.parent.exists()
        running.stop()

    def test_stopping_one_leaves_another_alone(self) -> None:
        one, other = Emulator.start(), Emulator.start()
        try:
            one.wait_until_healthy()
            other.wait_until_healthy()
            one.stop()
            other.wait_until_healthy(seconds=2)
        finally:
            one.stop()
            other.stop()

    def test_what_a_dead_one_left_is_removed_and_what_a_living_one_needs_is_not(self) -> None:
        living = Emulator.start()
        try:
            left = living.log.parent.with_name("1-left")
            (left / "folder").mkdir(parents=True)
            (left / "folder" / "file").touch()
            other = Emulator.start()
            try:
                assert not left.exists()
                assert living.log.exists()
                assert other.log.exists()
            finally:
                other.stop()
        finally:
            living.stop()

    def test_a_request_that_is_being_served_does_not_hold_up_the_end(self) -> None:
        running = Emulator.start()
        try:
            running.wait_until_healthy()
            with socket.create_connection((emulator.HOST, running.port)) as client:
                head = b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9"
                client.sendall(head + b"\r\n\r\n")
                client.settimeout(5)
                # It waits for the body now, which never comes.
                assert client.recv(100).startswith(b"HTTP/1.1 100")
                started = time.monotonic()
                running.stop()
                assert time.monotonic() - started < 10
        finally:
            running.stop()

    def test_a_stopped_room_has_closed_its_clients(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stack, "client", ClosableClient)
        running = Emulator.start()
        with Room(running.endpoint, {}, emulator=running) as room:
            clients = [room.client("sqs"), room.client("dynamodb")]
            assert room.client("sqs") is clients[0]
            assert [client.closed for client in clients] == [0, 0]
        assert [client.closed for client in clients] == [1, 1]
        room.stop()
        assert [client.closed for client in clients] == [1, 1]

    def test_it_ends_with_the_process_that_started_it(self) -> None:
        starter = """
import os
from local.stack import Emulator
emulator = Emulator.start()
emulator.wait_until_healthy()
print(emulator.port, emulator.log.parent, flush=True)
os._exit(1)
"""
        done = subprocess.run(
            [sys.executable, "-c", starter], cwd=ROOT, capture_output=True, text=True, check=False
        )
        port, folder = done.stdout.split(maxsplit=1)
        assert eventually(lambda: not Path(folder.strip()).exists())
        assert eventually(lambda: not listens("127.0.0.1", int(port)))

    def test_an_emulator_that_ends_at_once_is_reported_with_its_last_words(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CARDROOM_ENVIRONMENTS_PER_FUNCTION", "many")
        broken = Emulator.start()
        try:
            with pytest.raises(RoomError, match=r"the local AWS did not start: .*'many'"):
                broken.wait_until_healthy()
        finally:
            broken.stop()


@pytest.mark.emulator
class TestRestart:
    def test_it_comes_back_on_its_port_with_what_was_stored(self) -> None:
        running = Emulator.start(keep=True)
        try:
            running.wait_until_healthy()
            with closing(stack.client(running.endpoint, "sqs")) as queues:
                address = queues.create_queue(QueueName="kept")["QueueUrl"]
                queues.send_message(QueueUrl=address, MessageBody="a word")
                before = running.pid
                # Open connections do not hold it up.
                with socket.create_connection((emulator.HOST, running.port)):
                    running.restart()
                assert running.pid != before
                (message,) = queues.receive_message(QueueUrl=address)["Messages"]
                assert message["Body"] == "a word"
        finally:
            running.stop()
        assert not running.log.parent.exists()

    def test_one_that_was_not_told_to_keeps_nothing(self) -> None:
        running = Emulator.start()
        try:
            running.wait_until_healthy()
            with pytest.raises(RoomError, match="the local AWS kept nothing"):
                running.restart()
        finally:
            running.stop()
        assert not running.log.parent.exists()
