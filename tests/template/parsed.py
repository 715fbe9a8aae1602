"""The template as plain data: short forms of functions become mappings of their long name."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]


class _Loader(yaml.SafeLoader):
    """YAML with CloudFormation's tags."""


def _long(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    name = suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}"
    if isinstance(node, yaml.ScalarNode):
        return {name: loader.construct_scalar(node)}
    if isinstance(node, yaml.SequenceNode):
        return {name: loader.construct_sequence(node, deep=True)}
    assert isinstance(node, yaml.MappingNode)
    return {name: loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("!", _long)


@cache
def template() -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.load(
        (ROOT / "template.yaml").read_text(),
        Loader=_Loader,
    )
    return parsed


def resources(kind: str) -> dict[str, dict[str, Any]]:
    """The template's resources of a type, by logical id."""
    return {
        name: resource
        for name, resource in template()["Resources"].items()
        if resource["Type"] == kind
    }
