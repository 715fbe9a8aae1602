"""Builds the template's functions and layer for this machine, packed for a local deployment.

The result is kept by the content of what it was made from, below .build/room: a second start on
the same sources builds nothing.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from local.errors import RoomError

ROOT = Path(__file__).resolve().parent.parent
SOURCES = (
    "template.yaml",
    "functions",
    "layers",
    "statemachines",
    "requirements/functions.txt",
    "requirements/authorizer.txt",
)
KEPT_BUILDS = 3
IN_USE_SECONDS = 600
TEMPLATE = "template.yaml"

# Where a resource names code or a definition as a path, once `sam build` has run.
_PATH_PROPERTIES = {
    "AWS::Serverless::Function": "CodeUri",
    "AWS::Serverless::LayerVersion": "ContentUri",
    "AWS::Serverless::StateMachine": "DefinitionUri",
}


@dataclass(frozen=True, slots=True)
class Artifacts:
    """A built template, and the files beside it that its resources name by their bare file name."""

    folder: Path

    def template(self) -> dict[str, Any]:
        """The template; paths are names of files in `folder`."""
        loaded: dict[str, Any] = yaml.safe_load((self.folder / TEMPLATE).read_text())
        return loaded

    def template_in(self, bucket: str) -> dict[str, Any]:
        """The template with every path as the address of the same file in a bucket."""
        template = self.template()
        for _, properties, name in _paths(template):
            properties[name] = f"s3://{bucket}/{properties[name]}"
        return template

    def files(self) -> list[Path]:
        """What has to lie in the bucket."""
        return sorted(path for path in self.folder.iterdir() if path.name != TEMPLATE)


def host_architecture() -> str:
    """Lambda's name of this machine's architecture: "x86_64" or "arm64"."""
    return "arm64" if platform.machine().lower() in ("arm64", "aarch64") else "x86_64"


def build(root: Path = ROOT) -> Artifacts:
    """Builds what has changed; raises RoomError where `sam build` does not succeed."""
    if not (root / "template.yaml").is_file():
        raise RoomError(f"no template.yaml in {root}")
    builds = root / ".build" / "room"
    builds.mkdir(parents=True, exist_ok=True)
    with _lock(builds / "lock"):
        key = content_key(root)
        while not (builds / key / TEMPLATE).is_file():
            _sam_build(root, builds / "sam")
            built_of = key
            key = content_key(root)
            # Sources that were edited meanwhile: what came out is of neither state.
            if key == built_of:
                shutil.rmtree(builds / "new", ignore_errors=True)
                _pack(builds / "sam", builds / "new")
                shutil.rmtree(builds / key, ignore_errors=True)
                (builds / "new").rename(builds / key)
        os.utime(builds / key)
        _forget_old_builds(builds)
    return Artifacts(builds / key)


def content_key(root: Path) -> str:
    """A hash of everything that the build reads, and of what it is built for."""
    digest = hashlib.sha256(f"{platform.system()} {platform.machine()}".encode())
    for source in SOURCES:
        path = root / source
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"\0{file.relative_to(root)}\0".encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()[:20]


def _sam_build(root: Path, folder: Path) -> None:
    sam = root / ".venv-sam" / "bin" / "sam"
    if not sam.exists():
        raise RoomError("SAM is not installed: run make setup")
    if shutil.which("make") is None:
        raise RoomError("the functions are built with make, which is not installed")
    environment = {
        **os.environ,
        "PATH": f"{root / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "CARDROOM_TARGET": "host",
        "SAM_CLI_TELEMETRY": "0",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    # Variables of a calling make would change how the inner one runs.
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        environment.pop(name, None)
    done = subprocess.run(
        [
            str(sam),
            "build",
            "--template-file",
            str(root / "template.yaml"),
            "--build-dir",
            str(folder),
            "--build-in-source",
        ],
        cwd=root,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RoomError(f"sam build failed:\n{(done.stdout + done.stderr).strip()}")


def _pack(built: Path, folder: Path) -> None:
    template = yaml.safe_load((built / TEMPLATE).read_text())
    folder.mkdir(parents=True)
    for logical_id, properties, name in _paths(template):
        source = built / properties[name]
        if source.is_dir():
            target = folder / f"{logical_id}.zip"
            _zip(source, target)
        else:
            target = folder / f"{logical_id}{''.join(source.suffixes)}"
            shutil.copyfile(source, target)
        properties[name] = target.name
    # Written last: it is what makes the folder complete.
    (folder / TEMPLATE).write_text(yaml.safe_dump(template, sort_keys=False))


def _zip(source: Path, target: Path) -> None:
    # Stored, since the same machine unpacks it at once, for every environment that it starts.
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for file in sorted(source.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(source))


def _paths(template: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    for logical_id, resource in template.get("Resources", {}).items():
        name = _PATH_PROPERTIES.get(resource.get("Type"))
        properties = resource.get("Properties", {})
        if name is not None and isinstance(properties.get(name), str):
            yield logical_id, properties, name


def _forget_old_builds(builds: Path) -> None:
    complete = [path.parent for path in builds.glob(f"*/{TEMPLATE}") if path.parent.name != "sam"]
    complete.sort(key=lambda path: path.stat().st_mtime)
    for path in complete[:-KEPT_BUILDS]:
        # A younger one may just be on its way to another process's emulator.
        if path.stat().st_mtime < time.time() - IN_USE_SECONDS:
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
