"""On `$connect`: who is it? Its answer goes with the connection."""

from typing import Any

from cardroom.auth import policy
from cardroom.compose import at_cold_start
from cardroom.compose.authorizer import verifier

composed = at_cold_start(verifier)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    headers = {name: str(value) for name, value in (event.get("headers") or {}).items()}
    return policy(composed().player(headers), event["methodArn"])
