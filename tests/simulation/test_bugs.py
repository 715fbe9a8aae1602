"""The laws catch bugs: each patch of `bugs/` plants one, and a history among the first shows it.

A patch begins with what it plants, and the law that has to catch it (`Law:`, what a violation says,
as a regular expression). Where histories before it are known to show nothing, it names the seed to
begin with (`Seed:`), which saves time and proves no less.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.history import run
from tests.simulation.test_histories import MINUTES, SEEDS

ROOT = Path(__file__).parents[2]
BUGS = sorted((Path(__file__).parent / "bugs").glob("*.patch"))
PLANTED = {
    "audience-that-has-left",
    "cards-of-a-hand-that-is-over",
    "cards-of-another-seat",
    "clock-of-the-last-hand",
    "debit-without-seat",
    "double-pay-out",
    "entries-after-a-full-page",
    "gap-ignored",
    "hidden-card-in-a-push",
    "lost-outbox",
    "moment-missed-while-reading",
    "money-on-the-stream",
    "no-version-guard",
    "one-seat-offered-twice",
    "refill-past-the-limit",
    "reused-command-id",
    "seat-at-a-frozen-table",
    "sweep-without-clock",
    "unguarded-expiry",
    "void-hand-among-results",
}
SHIPPED = ("functions", "layers/engine", "local", "cli")
COPIED = (*SHIPPED, "tests/simulation", "tests/template")
MOST_SEEDS = 100
SECONDS = 300
NOT_COPIED = shutil.ignore_patterns("__pycache__", "bugs")


def copy_with(bug: Path, copy: Path) -> None:
    """The code as it is, but for the bug."""
    for name in COPIED:
        shutil.copytree(ROOT / name, copy / name, ignore=NOT_COPIED)
    shutil.copy(ROOT / "template.yaml", copy)
    # Else the package of whichever tree is installed comes first.
    shutil.copy(ROOT / "tests/__init__.py", copy / "tests")
    # Within another repository git would pass over files that are not that one's.
    alone = {**os.environ, "GIT_CEILING_DIRECTORIES": str(copy.parent)}
    applied = subprocess.run(
        ["git", "apply", str(bug)], cwd=copy, env=alone, capture_output=True, text=True, check=False
    )
    if applied.returncode:
        pytest.fail(f"{bug.name} does not fit the code any more:\n{applied.stderr}")


def simulate(copy: Path, first: int) -> subprocess.CompletedProcess[str]:
    """From this seed up to the first broken law."""
    paths = (copy, copy / "functions", copy / "layers/engine")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "tests.simulation", "--first", "--workers", "1"]
    seeds = ["--seed", str(first), "--seeds", str(MOST_SEEDS + 1 - first)]
    return subprocess.run(
        [*command, *seeds, "--minutes", str(MINUTES)],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.stem)
def test_a_planted_bug_is_caught(bug: Path, tmp_path: Path) -> None:
    law = re.search(r"^Law: (.+)$", bug.read_text(), re.MULTILINE)
    assert law is not None
    first = re.search(r"^Seed: (\d+)$", bug.read_text(), re.MULTILINE)
    copy_with(bug, tmp_path)
    done = simulate(tmp_path, 1 if first is None else int(first[1]))
    assert done.returncode == 1, done.stdout + done.stderr
    caught = re.fullmatch(rf"seed (\d+): after [\d.]+ s: (?:{law[1]})\n", done.stdout)
    assert caught is not None, done.stdout + done.stderr
    seed = int(caught[1])
    # Among SEEDS it is seen to be clean elsewhere.
    assert seed in SEEDS or run(seed, MINUTES).violation is None


def test_the_bugs_are_those_and_of_what_is_shipped() -> None:
    assert {bug.stem for bug in BUGS} == PLANTED
    for bug in BUGS:
        changed = re.findall(r"^\+\+\+ b/(.+)$", bug.read_text(), re.MULTILINE)
        assert changed
        assert all(path.startswith(SHIPPED) for path in changed)
