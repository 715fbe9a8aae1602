"""What a command about a room does where it cannot be done: it says why in one sentence."""

import argparse
import sys
from collections.abc import Callable

from botocore.exceptions import BotoCoreError, ClientError

from cardroom.damage import DamagedError
from cardroom.errors import WalletError
from cli.outputs import not_written
from cli.printable import printable


class Unusable(ValueError):
    """What was asked for makes no sense; the text is one sentence."""


class Failed(Exception):
    """What was asked for could not be done; the text is one sentence."""


def served(
    args: argparse.Namespace,
    action: Callable[[argparse.Namespace], int],
    written: str = "the hands",
) -> int:
    """The action's exit code; 2 where what was asked for makes no sense, 1 where it cannot be done.

    `written` is what it writes, where that goes to no file.
    """
    from local.errors import RoomError

    try:
        return action(args)
    except BrokenPipeError:
        raise
    except Unusable as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        return not_written(getattr(args, "out", None) or written, error)
    except DamagedError as damaged:
        print(f"cardroom: {printable(str(damaged), 200)} cannot be read", file=sys.stderr)
        return 1
    except (Failed, RoomError) as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return 1
    except (BotoCoreError, ClientError, WalletError) as error:
        reason = str(error).rstrip(".") or "the table cannot be read"
        print(f"cardroom: {printable(reason, 200)}", file=sys.stderr)
        return 1
