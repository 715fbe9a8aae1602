"""`cardroom top`: what a room does and what is wrong with it, from its own log, each second."""

import argparse
import asyncio
import sys
from contextlib import suppress
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from cardroom.trouble import passes
from local import place
from local.errors import RoomError
from local.figures import WINDOW_MS, Figures
from local.log_tail import LogTail, milliseconds
from local.page import all_fitted
from local.place import OnAws
from local.stack import Deployed
from local.terminal import Terminal
from local.top_screen import TopScreen, slow

QUEUES: Final = {"FailuresQueue": "failures", "FanoutQueue": "fanout", "FloorQueue": "floor"}
"""By logical id. What is in the first one was given up."""
LOCAL_SECONDS: Final = 1.0
AWS_SECONDS: Final = 6.0
"""CloudWatch Logs answers 5 such questions a second, of the whole account, and each look is ten."""
AWS_OVERLAP_MS: Final = 20_000
"""Lines come to CloudWatch Logs late, and not in order."""
AWS_PATTERN: Final = "?CloudWatchMetrics ?fault ?slowest ?ERROR ?timed ?exited ?platform"
"""Of a busy room no more than is looked at. The emulator knows no such patterns."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    place.add_arguments(parser)
    parser.add_argument("--once", action="store_true", help="print it once, and end")


def run(args: argparse.Namespace) -> int:
    """0; with --once 1 where something is wrong; 1 where there is no room, or it is lost."""
    try:
        watch = Watch(place.place(args))
        if args.once:
            return once(watch)
        asyncio.run(_live(watch))
    except (RoomError, BotoCoreError, ClientError) as error:
        print(f"cardroom: {_sentence(error)}", file=sys.stderr)
        return 1
    return 0


class Watch:
    """A room that is looked at again and again."""

    def __init__(self, room: Deployed, window_ms: int = WINDOW_MS) -> None:
        self.room = room
        self.seconds = AWS_SECONDS if isinstance(room, OnAws) else LOCAL_SECONDS
        since = milliseconds() - window_ms
        self._tail = tail(room, since)
        self.figures = Figures(since, window_ms)

    def look(self) -> Figures:
        """Raises botocore's errors."""
        # The lines last: what was read of them is not given again.
        queues = waiting(self.room)
        self.figures.feed(self._tail.read(), milliseconds())
        self.figures.queues = queues
        return self.figures


def tail(room: Deployed, since: int) -> LogTail:
    logs = room.client("logs")
    if isinstance(room, OnAws):
        return LogTail(logs, room.stack_name, since, overlap_ms=AWS_OVERLAP_MS, pattern=AWS_PATTERN)
    return LogTail(logs, room.stack_name, since)


def waiting(room: Deployed) -> dict[str, int]:
    """Messages in each queue, as far as the service knows."""
    queues = room.client("sqs")
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    found: dict[str, int] = {}
    for logical_id, name in QUEUES.items():
        answer: dict[str, Any] = queues.get_queue_attributes(
            QueueUrl=room.resources[logical_id], AttributeNames=names
        )
        found[name] = sum(int(count) for count in answer.get("Attributes", {}).values())
    return found


def once(watch: Watch) -> int:
    terminal = Terminal()
    figures = watch.look()
    page = TopScreen(colour=terminal.colour).page(figures, watch.room.stack_name)
    print("\n".join(all_fitted(page.table, terminal.width)))
    return 1 if figures.faults() or slow(figures) else 0


async def _live(watch: Watch) -> None:
    """Until q, the end of the input, or Ctrl-C."""
    with Terminal() as terminal:
        screen = TopScreen(colour=terminal.colour)
        ended = asyncio.create_task(_asked_to_end(terminal))
        while not ended.done():
            try:
                figures = await asyncio.to_thread(watch.look)
            except ClientError as error:
                if not passes(error):
                    raise
                # An account is answered so and so often: the next look has what this one has not.
                figures = watch.figures
            page = screen.page(figures, watch.room.stack_name, terminal.width)
            terminal.draw(page, "q ends: ")
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(ended), watch.seconds)


async def _asked_to_end(terminal: Terminal) -> None:
    async for line in terminal.lines():
        if line.strip().lower() in ("q", "quit", "exit"):
            return


def _sentence(error: Exception) -> str:
    if isinstance(error, RoomError):
        return str(error)
    if isinstance(error, ClientError):
        return f"AWS refuses to tell: {error.response['Error']['Code']}"
    return "the room does not answer: it may have stopped"
