"""What becomes of posts that did not arrive."""

from collections.abc import Iterable

from cardroom.ports import Delivery, Signals, Views


def forget_gone(
    table_id: str, outcomes: Iterable[tuple[str, Delivery]], audiences: Views, signals: Signals
) -> None:
    """Connections that are gone are forgotten. One that failed is not tried again: its client asks
    for what it missed.
    """
    failed = 0
    for connection, outcome in outcomes:
        if outcome is Delivery.GONE:
            signals.count("ConnectionGone")
            audiences.disconnect(connection)
            # Also where it ended while it began to watch, and its own item is no more.
            audiences.unwatch(table_id, connection)
        elif outcome is Delivery.FAILED:
            failed += 1
    if failed:
        signals.count("PushFailed", failed)
