"""Who may import what; and what no module does on import."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENGINE = sorted((ROOT / "layers/engine/poker_engine").rglob("*.py"))
ROOM = sorted((ROOT / "functions/cardroom").rglob("*.py"))
HANDLERS = sorted((ROOT / "functions").glob("*/app.py"))
IMPURE = {
    "asyncio",
    "datetime",
    "logging",
    "os",
    "random",
    "secrets",
    "socket",
    "subprocess",
    "threading",
    "time",
    "urllib",
    "uuid",
}
"""Of the standard library: clocks, randomness, input and output."""
READS_ITS_TABLES = "evaluator.py"
"""Its tables lie beside it as bytes, and are read on import."""
ROOM_PACKAGES = {"aws_lambda_powertools", "botocore", "jwt", "poker_engine", "pydantic", "pynamodb"}
HEAVY = (
    "aws_lambda_powertools.tracing",
    "aws_lambda_powertools.utilities.idempotency",
    "aws_lambda_powertools.utilities.parser",
    "aws_xray_sdk",
    "boto3",
)


def _imports(path: Path) -> set[str]:
    """Full names of all that is imported, wherever in the module."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            found.add(node.module or "")
    return found


def _roots(path: Path) -> set[str]:
    return {name.split(".")[0] for name in _imports(path)}


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.name)
def test_the_engine_is_pure(path: Path) -> None:
    roots = _roots(path) - {"poker_engine"}
    assert roots <= sys.stdlib_module_names
    if path.name == READS_ITS_TABLES:
        return
    assert not roots & IMPURE
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not calls & {"open", "print", "input", "__import__"}


@pytest.mark.parametrize("path", ROOM, ids=lambda path: path.name)
def test_the_room_imports_the_engine_and_its_libraries(path: Path) -> None:
    outside = _roots(path) - {"cardroom"} - set(sys.stdlib_module_names)
    assert outside <= ROOM_PACKAGES
    assert not [name for name in _imports(path) if name.startswith(HEAVY)]
    assert "random" not in _roots(path)


@pytest.mark.parametrize(
    "path", sorted({*ENGINE, *ROOM, *HANDLERS}), ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_nothing_that_is_deployed_draws_from_random(path: Path) -> None:
    """It is seeded on import: copies of a function that were restored from one image would draw the
    same. What asks the system each time (`secrets`, `os.urandom`) cannot (docs/decisions/9).
    """
    assert not _roots(path) & {"random", "numpy"}


@pytest.mark.parametrize("path", ROOM, ids=lambda path: path.name)
def test_only_messages_and_contract_know_pydantic(path: Path) -> None:
    assert ("pydantic" in _roots(path)) == (path.name in ("contract.py", "messages.py"))


@pytest.mark.parametrize("path", HANDLERS, ids=lambda path: path.parent.name)
def test_handlers_import_the_room_alone(path: Path) -> None:
    assert _roots(path) - set(sys.stdlib_module_names) == {"cardroom"}


@pytest.mark.parametrize("path", [*ENGINE, *ROOM], ids=lambda path: path.name)
def test_nothing_below_knows_what_is_above(path: Path) -> None:
    assert not _roots(path) & {"cli", "local", "tests"}


@pytest.mark.parametrize("path", [*ENGINE, *ROOM, *HANDLERS], ids=lambda path: str(path.parent))
def test_no_module_reads_the_environment_or_makes_a_client_on_import(path: Path) -> None:
    def names(node: ast.AST) -> set[str]:
        """Names used at the level of module and class."""
        used: set[str] = set()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            if isinstance(child, ast.Call):
                function = child.func
                used.add(function.id if isinstance(function, ast.Name) else "")
                used.add(function.attr if isinstance(function, ast.Attribute) else "")
            if isinstance(child, ast.Attribute):
                used.add(child.attr)
            used |= names(child)
        return used

    forbidden = {"environ", "getenv", "client", "create_client", "get_session", "Logger", "Metrics"}
    assert not names(ast.parse(path.read_text())) & forbidden


def _loaded(function: str) -> set[str]:
    """Modules that are there once a handler is imported, in a new process."""
    code = f"import {function}.app, sys; print('\\n'.join(sys.modules))"
    path = os.pathsep.join((str(ROOT / "functions"), str(ROOT / "layers/engine")))
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": path, "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


PACKAGES = ("aws_lambda_powertools", "botocore", "jwt", "poker_engine", "pydantic", "pynamodb")
LOADED = {
    "authorizer": {"jwt"},
    "signup": {"aws_lambda_powertools", "botocore", "pynamodb"},
    "connect": {"aws_lambda_powertools", "botocore", "pynamodb"},
    "disconnect": {"aws_lambda_powertools", "botocore", "pynamodb"},
    "fanout": {"aws_lambda_powertools", "botocore", "pynamodb"},
    "archive": {"aws_lambda_powertools", "botocore", "poker_engine", "pynamodb"},
    "clock": {"aws_lambda_powertools", "botocore", "poker_engine", "pynamodb"},
    "sweep": {"aws_lambda_powertools", "botocore", "poker_engine", "pynamodb"},
    "broadcast": {"aws_lambda_powertools", "botocore", "poker_engine", "pynamodb"},
    "floor": {"aws_lambda_powertools", "botocore", "poker_engine", "pynamodb"},
    "command": {"aws_lambda_powertools", "botocore", "poker_engine", "pydantic", "pynamodb"},
}


@pytest.mark.parametrize("function", LOADED)
def test_a_function_starts_with_what_it_uses(function: str) -> None:
    loaded = _loaded(function)
    assert {name.split(".")[0] for name in loaded} & set(PACKAGES) == LOADED[function]
    # Powertools names its tracer on import; what that costs comes with the SDK behind it.
    assert "cardroom.contract" not in loaded
    heavy = [name for name in loaded if name.startswith(HEAVY)]
    assert not [name for name in heavy if not name.startswith("aws_lambda_powertools.tracing")]
