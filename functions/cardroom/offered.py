"""What a client offers in `Sec-WebSocket-Protocol` when it connects."""

from collections.abc import Mapping
from typing import Final

HEADER: Final = "sec-websocket-protocol"


def protocols(headers: Mapping[str, str]) -> list[str]:
    """The subprotocols offered. Names of headers come in any case."""
    for name, value in headers.items():
        if name.lower() == HEADER:
            return [part.strip() for part in value.split(",")]
    return []
