"""What a built function costs before it does anything: the CPU in which its handler is imported and
composed, in a new process that has the artifact, the engine's layer and nothing else.

    python -P -m bench.budgets      1 where a function is over its budget

Milliseconds of user and system time, not of waiting. The budgets are of the machine on which
importing and making a botocore session takes `REFERENCE_MS`. Here that is measured before each run
of a function, which is counted in proportion, and of several runs the middle one: so a slow machine
fails nothing, nor does one that is busy for a while (which costs CPU too).
"""

import os
import platform
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from local.artifacts import Artifacts, build

REFERENCE: Final = "botocore session"
REFERENCE_MS: Final = 147.0
BUDGETS: Final = {
    "AuthorizerFunction": 120,
    "SignupFunction": 230,
    "ConnectFunction": 230,
    "DisconnectFunction": 230,
    "ClockFunction": 230,
    "SweepFunction": 230,
    "FanoutFunction": 230,
    "ArchiveFunction": 230,
    "CommandFunction": 330,
    "BroadcastFunction": 330,
    "FloorFunction": 330,
}
"""Milliseconds, for each function of the template."""
LAYER: Final = "EngineLayer"
FEWEST, MOST = 5, 15
"""Runs of a function: more than the fewest only while it is over."""

# As Lambda starts it: what its variables hold is not looked at before the first event.
AS_ON_LAMBDA: Final = {
    "AWS_LAMBDA_FUNCTION_NAME": "measured",
    "AWS_REGION": "us-east-1",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "none",
    "AWS_SECRET_ACCESS_KEY": "none",
}
VALUE: Final = "https://nowhere.invalid/room"

_START: Final = """
import importlib, sys, time
artifact, layer, handler = sys.argv[1:]
sys.path = [path for path in sys.path if path] + [artifact, layer + "/python"]
began = time.process_time()
if handler:
    importlib.import_module(handler)
else:
    import botocore.session
    botocore.session.Session()
print(1000 * (time.process_time() - began))
"""

type Run = Callable[[str], float]
"""Milliseconds of a function by its logical id, or of the reference."""


@dataclass(frozen=True, slots=True)
class Cost:
    function: str
    milliseconds: float
    """As on the machine of the budgets."""
    budget: int

    @property
    def over(self) -> bool:
        return self.milliseconds > self.budget

    def __str__(self) -> str:
        verdict = "over" if self.over else "ok"
        return f"{self.function:<20} {self.milliseconds:6.0f} ms of {self.budget:4} {verdict}"


def unpack(artifacts: Artifacts, folder: Path) -> dict[str, dict[str, Any]]:
    """Every artifact in a folder of its name; the functions' properties by their logical ids."""
    functions = {
        name: resource["Properties"]
        for name, resource in artifacts.template()["Resources"].items()
        if resource["Type"] == "AWS::Serverless::Function"
    }
    for name in (*functions, LAYER):
        with zipfile.ZipFile(artifacts.folder / f"{name}.zip") as archive:
            archive.extractall(folder / name)
    return functions


def start(folder: Path, function: str, properties: Mapping[str, Any] | None) -> float:
    """Milliseconds until a function stands ready, or, without properties, the reference in its
    artifact. Raises RuntimeError where it does not start.
    """
    variables = (properties or {}).get("Environment", {}).get("Variables", {})
    handler = str(properties["Handler"]).rpartition(".")[0] if properties else ""
    # Nothing of this environment: no site-packages, no variables, no bytecode written.
    isolated = [sys.executable, "-I", "-S", "-B", "-c", _START]
    done = subprocess.run(
        [*isolated, str(folder / function), str(folder / LAYER), handler],
        env={"PATH": os.defpath, **AS_ON_LAMBDA, **dict.fromkeys(variables, VALUE)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{function} does not start: {done.stderr.strip()}")
    return float(done.stdout)


def measure(function: str, run: Run) -> Cost:
    """Runs it, each time after the reference, until it is not over or has been for long enough."""
    shares: list[float] = []
    while True:
        reference = run(REFERENCE)
        shares.append(run(function) / reference)
        cost = Cost(function, REFERENCE_MS * median(shares), BUDGETS[function])
        if len(shares) == MOST or (len(shares) >= FEWEST and not cost.over):
            return cost


def measure_built(artifacts: Artifacts) -> Iterator[Cost]:
    """Each function's cost, as soon as it is known."""
    with tempfile.TemporaryDirectory(prefix="cardroom-budgets-") as folder:
        unpacked = Path(folder)
        functions = unpack(artifacts, unpacked)

        def run(name: str) -> float:
            # Its artifact has what all but the authorizer's have.
            of = "ConnectFunction" if name == REFERENCE else name
            return start(unpacked, of, functions.get(name))

        for name in functions:
            yield measure(name, run)


def main() -> int:
    print(f"CPU of starting, Python {platform.python_version()}, {platform.machine()}:")
    over = 0
    for cost in measure_built(build()):
        print(cost, flush=True)
        over += cost.over
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
