"""Lines as the functions log them, made by the code that logs them there."""

import io
from collections.abc import Callable
from contextlib import redirect_stdout

from cardroom.signals import PowertoolsSignals


def metric_line(function: str, *counted: tuple[str, float] | tuple[str, float, str]) -> str:
    """Metrics of one invocation: name, value, and what it is told apart by."""

    def count(log: PowertoolsSignals) -> None:
        for name, value, *by in counted:
            log.count(name, value, *by)

    return _printed(function, count)


def _printed(function: str, do: Callable[[PowertoolsSignals], None]) -> str:
    out = io.StringIO()
    log = PowertoolsSignals(function, io.StringIO(), room="cardroom")
    with redirect_stdout(out):
        do(log)
        log.flush()
    return out.getvalue().strip()
