"""Serves a local AWS: ministack with the patches of `local.patches`, on loopback, rights enforced.

    .venv-emulator/bin/python -m local.emulator --port 4566 --state-dir DIR

Everything that it writes goes below --state-dir, nothing is kept over a restart but code that was
unpacked, where --unpacked-dir names a folder for it. It ends on SIGTERM and SIGINT, and may as well
be killed; with --keep it writes its state down when it is told to end, and begins with what it
finds. With --end-with-stdin it also ends when its standard input closes, and removes its state
directory: so it cannot outlive the process that started it, however that one ended.

Exit status: 0; 1 with one line on stderr where it cannot start.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import sys
import threading
from pathlib import Path

from local import scripted
from local.scripted import DECKS

HOST = "127.0.0.1"
CALLS = "calls.jsonl"


def settings(
    port: int,
    state_dir: Path,
    unpacked_dir: Path,
    decks_dir: Path | None = None,
    *,
    keep: bool = False,
) -> dict[str, str]:
    """The environment of the emulator, which its functions inherit."""
    return {
        # ministack's own default is every interface.
        "BIND_HOST": HOST,
        "GATEWAY_PORT": str(port),
        "IOT_MTLS_ENABLED": "0",
        # The functions' roles and policies are enforced, as on AWS.
        "AUTH": "true",
        "TMPDIR": str(state_dir),
        "STATE_DIR": str(state_dir / "state"),
        "PERSIST_STATE": "1" if keep else "0",
        # Each call of a function that its role allowed or denied, once: see `local.patches`.
        "CARDROOM_CALLS": str(state_dir / CALLS),
        # Where the code of functions and layers is unpacked, once: see `local.patches`.
        "CARDROOM_UNPACKED": str(unpacked_dir),
        # Environments beyond a function's first end after this much idleness.
        "LAMBDA_WARM_TTL_SECONDS": "60",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        # Hands may be dealt from scripts that lie there: see `local.scripted`.
        **({} if decks_dir is None else {DECKS: str(decks_dir)}),
    }


def port_is_free(port: int) -> bool:
    """Whether a server may be bound to the port of the loopback interface now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """A port of the loopback interface that nothing listens on now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _end_with_stdin(state_dir: Path) -> None:
    """Waits for the end of standard input, then ends the functions and this process."""
    while os.read(0, 4096):
        pass
    from ministack.core import lambda_runtime

    lambda_runtime.reset()
    shutil.rmtree(state_dir, ignore_errors=True)
    os._exit(0)


def main(arguments: list[str] | None = None) -> int:
    """Serves until it is told to end."""
    parser = argparse.ArgumentParser(prog="local.emulator", description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--state-dir", type=Path, required=True)
    parser.add_argument("--unpacked-dir", type=Path)
    parser.add_argument("--decks-dir", type=Path)
    parser.add_argument("--end-with-stdin", action="store_true")
    parser.add_argument("--keep", action="store_true")
    chosen = parser.parse_args(arguments)

    if not port_is_free(chosen.port):
        print(f"cardroom: port {chosen.port} is in use", file=sys.stderr)
        return 1
    chosen.state_dir.mkdir(parents=True, exist_ok=True)
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    state_dir = chosen.state_dir.resolve()
    unpacked_dir = (chosen.unpacked_dir or state_dir / "unpacked").resolve()
    decks_dir = None if chosen.decks_dir is None else chosen.decks_dir.resolve()
    if decks_dir is not None:
        # Of a room that ran on this port before.
        shutil.rmtree(decks_dir, ignore_errors=True)
    os.environ.update(settings(chosen.port, state_dir, unpacked_dir, decks_dir, keep=chosen.keep))

    # After the settings: ministack reads them when it is imported.
    try:
        from ministack import app
        from ministack.core import lambda_runtime

        from local import faulty, patches
    except ImportError as error:
        print(
            f"cardroom: the emulator is not installed ({error}). Run make setup.", file=sys.stderr
        )
        return 1
    try:
        patches.apply_all()
        faulty.obey(keep=chosen.keep)
        if decks_dir is not None:
            lambda_runtime._PYTHON_WORKER_SCRIPT = scripted.worker(
                lambda_runtime._PYTHON_WORKER_SCRIPT
            )
    except (patches.PatchError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1

    if chosen.end_with_stdin:
        threading.Thread(target=_end_with_stdin, args=(chosen.state_dir,), daemon=True).start()
    sys.argv = ["ministack"]
    app.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
