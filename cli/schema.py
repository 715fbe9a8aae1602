"""One JSON Schema (2020-12) for all messages of the protocol, made of the models.

Each definition is named, and has that name as its title, so that types of other languages made of
it are named well; nothing else has a title. A `$ref` stands alone, since what stands beside one
makes a type of its own in most generators.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from cardroom import contract
from cardroom.messages import MESSAGES, PROTOCOL

type Json = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
REF: Final = "#/$defs/"
HELD_TOGETHER: Final = "ReplyByRoute"


class _Schema(GenerateJsonSchema):
    """A default of null says no more than that the field may be missing."""

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default", ...) is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def bundle() -> Json:
    """`#/$defs` has every message by the name of its type; the whole is any of them."""
    roots: list[Any] = [contract.ClientMessage, contract.ServerMessage]
    _, made = TypeAdapter.json_schemas(
        [(root.__name__, "validation", TypeAdapter(root)) for root in roots],
        ref_template=REF + "{model}",
        schema_generator=_Schema,
    )
    names = _names()
    found: dict[str, Json] = {
        names.get(name, name): _tidy(one, lambda old: names.get(old, old))
        for name, one in made["$defs"].items()
    }
    found[HELD_TOGETHER] = _by_route()
    return {
        "$schema": DIALECT,
        "title": "Cardroom",
        "description": f"All that passes between a client and the room, version {PROTOCOL} of the "
        "protocol. Made of the models: change those, then `cardroom contract`.",
        "anyOf": [{"$ref": REF + root.__name__} for root in roots],
        "$defs": {name: {"title": name, **found[name]} for name in sorted(found)},
    }


def _names() -> dict[str, str]:
    """What a model's definition is called, where that is not the model's own name."""
    events = get_args(get_args(contract.EventView.__value__)[0])
    named: Mapping[str, tuple[type[BaseModel], ...]] = {
        "Message": tuple(MESSAGES.values()),
        "Event": events,
    }
    return {
        model.__name__: model.__name__ + suffix
        for suffix, models in named.items()
        for model in models
    }


def _by_route() -> Json:
    return {
        "type": "object",
        "description": "Which reply, if no error, is the answer to which route. It is never sent.",
        "properties": {
            route: {"$ref": REF + reply.__name__} for route, reply in contract.REPLIES.items()
        },
        "required": list(contract.REPLIES),
        "additionalProperties": False,
    }


def _tidy(schema: Any, named: Callable[[str], str], *, fields: bool = False) -> Any:
    """With the names of definitions in its references, lone references, and no titles. `fields`:
    this is a table of fields, whose keys are no words of JSON Schema.
    """
    if isinstance(schema, list):
        return [_tidy(one, named) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if fields:
        return {name: _tidy(one, named) for name, one in schema.items()}
    tidy: Json = {}
    for word, value in schema.items():
        if word == "title":
            continue
        if word == "$ref":
            tidy[word] = REF + named(value.removeprefix(REF))
        elif word == "discriminator":
            tidy[word] = {"propertyName": value["propertyName"]}
        elif word == "description":
            tidy[word] = " ".join(value.split())
        else:
            tidy[word] = _tidy(value, named, fields=word == "properties")
    if "$ref" in tidy and len(tidy) > 1:
        tidy["allOf"] = [{"$ref": tidy.pop("$ref")}]
    return tidy
