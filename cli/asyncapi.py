"""The room as an AsyncAPI 3.0 document: where to connect and how, and which message is answered by
which. What messages look like is in the JSON Schema beside it, to which it refers.
"""

from collections.abc import Mapping
from typing import Any, Final

from cardroom import contract
from cardroom.messages import MESSAGES, PROTOCOL

type Json = dict[str, Any]

SCHEMA: Final = "./messages.schema.json#/$defs/"
FORMAT: Final = "application/schema+json;version=2020-12"
CHANNEL: Final = "#/channels/room"
NOTICE: Final = contract.GatewayNotice.__name__
ERROR: Final = contract.ErrorReply.__name__


def document() -> Json:
    """From the room's side: it receives what clients send, and sends what they are pushed."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Cardroom",
            "version": f"{PROTOCOL}.0.0",
            "description": "A poker room over one WebSocket. What it means is told in "
            "docs/protocol.md, every error code in docs/errors.md. Made of the models: change "
            "those, then `cardroom contract`.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": _servers(),
        "channels": {"room": _channel()},
        "operations": {**_asked(), **_pushed(), "notice": _notice()},
        "components": {
            "messages": {name: _message(name, what) for name, what in _messages().items()},
            "correlationIds": {
                "id": {
                    "description": "A reply has the `id` of the message that it answers.",
                    "location": "$message.payload#/id",
                }
            },
            "securitySchemes": {
                "bearer": {
                    "type": "httpApiKey",
                    "in": "header",
                    "name": "Sec-WebSocket-Protocol",
                    "description": "Two entries: `cardroom.v1, bearer.` and the access token of "
                    "the user pool. The server answers with the first. Without the second a "
                    "client is a guest, who only watches, where the operator lets guests in. A "
                    "third, `device.` and 16 to 64 of A-Z a-z 0-9 _ -, may say which device this "
                    "is: the same each time, drawn at random.",
                }
            },
        },
    }


def _servers() -> Json:
    security = [{"$ref": "#/components/securitySchemes/bearer"}]
    return {
        "aws": {
            "host": "{api}.execute-api.{region}.{suffix}",
            "pathname": "/room",
            "protocol": "wss",
            "description": "A stack's output WebSocketUrl.",
            "variables": {
                "api": {"description": "The id of the stack's API."},
                "region": {"description": "As us-east-1."},
                "suffix": {"default": "amazonaws.com"},
            },
            "security": security,
        },
        "local": {
            "host": "127.0.0.1:{port}",
            "pathname": "/_aws/execute-api/{api}/room",
            "protocol": "ws",
            "description": "What `make play` shows; it is in .room/room.json too.",
            "variables": {
                "port": {"description": "Of the local AWS."},
                "api": {"description": "The id of the local stack's API."},
            },
            "security": security,
        },
    }


def _channel() -> Json:
    return {
        "address": "/",
        "title": "The WebSocket",
        "description": "One connection, for any number of tables. It lives for 2 hours at most, "
        "and ends after 10 idle minutes.",
        "servers": [{"$ref": "#/servers/aws"}, {"$ref": "#/servers/local"}],
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in _messages()},
        "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
    }


def _messages() -> Mapping[str, str]:
    """Name of each message, as the schema has it: what it is, in a line."""
    asked = {f"{model.__name__}Message": route for route, model in MESSAGES.items()}
    replies = {model.__name__: route for route, model in contract.REPLIES.items()}
    pushes = {model.__name__: kind for kind, model in contract.PUSHES.items()}
    return {
        **{name: f"The message `{route}`" for name, route in asked.items()},
        **{name: f"The reply to `{route}`" for name, route in replies.items()},
        ERROR: "Why it was not done",
        **{name: f"The push `{kind}`" for name, kind in pushes.items()},
        NOTICE: "API Gateway's own word",
    }


def _message(name: str, what: str) -> Json:
    message: Json = {
        "name": name,
        "title": what,
        "payload": {"schemaFormat": FORMAT, "schema": {"$ref": SCHEMA + name}},
    }
    if name.endswith(("Message", "Reply")):
        message["correlationId"] = {"$ref": "#/components/correlationIds/id"}
    return message


def _asked() -> Json:
    """Each route: what is received, and what it is answered with."""
    return {
        route: {
            "action": "receive",
            "channel": {"$ref": CHANNEL},
            "title": route,
            "summary": _summary(model),
            "messages": [_on_channel(f"{model.__name__}Message")],
            "reply": {
                "channel": {"$ref": CHANNEL},
                "messages": [_on_channel(contract.REPLIES[route].__name__), _on_channel(ERROR)],
            },
        }
        for route, model in MESSAGES.items()
    }


def _pushed() -> Json:
    return {
        f"push-{kind}": {
            "action": "send",
            "channel": {"$ref": CHANNEL},
            "title": f"push {kind}",
            "summary": _summary(model),
            "messages": [_on_channel(model.__name__)],
        }
        for kind, model in contract.PUSHES.items()
    }


def _notice() -> Json:
    return {
        "action": "send",
        "channel": {"$ref": CHANNEL},
        "title": "throttled",
        "summary": _summary(contract.GatewayNotice),
        "messages": [_on_channel(NOTICE)],
    }


def _on_channel(name: str) -> Json:
    return {"$ref": f"{CHANNEL}/messages/{name}"}


def _summary(model: type) -> str:
    return " ".join((model.__doc__ or "").split())
