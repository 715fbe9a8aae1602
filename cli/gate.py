"""A room's functions shut and opened again, so that nothing writes while its table is exchanged."""

from collections.abc import Callable
from typing import Final

from cardroom.ports import Clock
from cli.place import Place

GATED: Final = {
    "AuthorizerFunction": "AuthorizerConcurrency",
    "SignupFunction": "SignupConcurrency",
    "ConnectFunction": "ConnectConcurrency",
    "DisconnectFunction": "DisconnectConcurrency",
    "CommandFunction": "CommandConcurrency",
    "BroadcastFunction": "BroadcastConcurrency",
    "ClockFunction": "ClockConcurrency",
    "SweepFunction": "SweepConcurrency",
    "FanoutFunction": "FanoutConcurrency",
    "FloorFunction": "FloorConcurrency",
    "ArchiveFunction": "ArchiveConcurrency",
}
"""Each function, and the stack's parameter that says how many of it are reserved."""
ENDS_MS: Final = 60_000
"""Longer than any function runs."""


class Gate:
    """Kept by Lambda: it stays shut when the command that shut it has died."""

    def __init__(self, place: Place, clock: Clock, say: Callable[[str], None]) -> None:
        self._place = place
        self._clock = clock
        self._say = say

    def shut(self) -> None:
        """Returns when nothing runs any more."""
        client, resources = self._place.client("lambda"), self._place.resources()
        for function in GATED:
            client.put_function_concurrency(
                FunctionName=resources[function], ReservedConcurrentExecutions=0
            )
        self._say(f"no function is started any more; {ENDS_MS // 1000} s for those that run")
        self._clock.pause(ENDS_MS)

    def open(self) -> None:
        """As the stack's parameters have it."""
        client, resources = self._place.client("lambda"), self._place.resources()
        parameters = self._place.parameters()
        for function, parameter in GATED.items():
            reserved = int(parameters[parameter])
            if reserved:
                client.put_function_concurrency(
                    FunctionName=resources[function], ReservedConcurrentExecutions=reserved
                )
            else:
                client.delete_function_concurrency(FunctionName=resources[function])
        self._say("functions are started again")
