"""Which room a command is about: one of this machine, or one that is deployed to AWS."""

import argparse
from dataclasses import dataclass
from typing import Any

from local.errors import RoomError
from local.running import find
from local.stack import Deployed


@dataclass(frozen=True)
class OnAws(Deployed):
    """A room deployed to AWS, with the credentials and region of the environment."""

    @property
    def websocket_url(self) -> str:
        return self.outputs["WebSocketUrl"]

    def client(self, service: str) -> Any:
        import boto3

        if service not in self._clients:
            self._clients[service] = boto3.client(service)  # type: ignore[call-overload]
        return self._clients[service]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--address", help="WebSocket address, as `make play` prints it")
    group.add_argument("--stack", metavar="NAME", help="of the room on AWS")


def place(args: argparse.Namespace) -> Deployed:
    """The room that was named; without a name the one that runs here. Raises RoomError."""
    if args.stack is None:
        return find(args.address)
    from cli.served import Failed
    from cli.tables import outputs_of

    try:
        return OnAws("", outputs_of(args.stack), args.stack)
    except Failed as error:
        raise RoomError(str(error)) from error
