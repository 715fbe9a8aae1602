"""The user pool's triggers: before a user is made, and after he has confirmed.

The event holds an address and what else the client sent: nothing of it is logged.
"""

from typing import Any

from cardroom.compose import at_cold_start
from cardroom.compose.signup import sign_up
from cardroom.signals import invocation
from cardroom.signup import SignUpRefused

composed = at_cold_start(sign_up)


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    sign_up, signals = composed()
    with invocation(signals, "signup", told=SignUpRefused):
        email = bool((event["request"].get("userAttributes") or {}).get("email"))
        sign_up.take(event["triggerSource"], event["userName"], email=email)
    return event
