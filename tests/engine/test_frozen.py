"""The engine's frozen dataclasses are those of `dataclasses`, but for when they are compiled."""

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field
from functools import cached_property
from types import MemberDescriptorType
from typing import Any

import pytest

from poker_engine import commands, events, state
from poker_engine.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Chip:
    """A chip."""

    value: int
    colour: str = "red"
    marks: tuple[str, ...] = ()
    facts: dict[str, int] = field(default_factory=dict)


@dataclasses.dataclass(frozen=True, slots=True)
class Usual:
    value: int
    colour: str = "red"
    marks: tuple[str, ...] = ()
    facts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Stack:
    chips: tuple[Chip, ...]

    @cached_property
    def total(self) -> int:
        return sum(chip.value for chip in self.chips)


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class Other:
    value: int
    colour: str = "red"
    marks: tuple[str, ...] = ()
    facts: dict[str, int] = field(default_factory=dict)


GIVEN: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((5,), {}),
    ((5, "blue"), {}),
    ((5,), {"marks": ("x",)}),
    ((), {"value": 5, "colour": "blue", "facts": {"a": 1}}),
]


@pytest.mark.parametrize(("args", "named"), GIVEN)
def test_it_is_made_and_shown_as_usual(args: tuple[Any, ...], named: dict[str, Any]) -> None:
    chip, usual = Chip(*args, **named), Usual(*args, **named)
    assert dataclasses.asdict(chip) == dataclasses.asdict(usual)
    assert repr(chip) == repr(usual).replace("Usual", "Chip")
    assert chip.facts is not Chip(*args).facts if args else True


@pytest.mark.parametrize("given", [(), (1, 2, 3, 4, 5)])
def test_a_wrong_number_of_values_is_refused(given: tuple[Any, ...]) -> None:
    for _ in range(2):
        with pytest.raises(TypeError, match=r"Chip\.__init__\(\)"):
            Chip(*given)


def test_what_it_is_made_of_is_known_before_the_first_is_made() -> None:
    @dataclass(frozen=True, slots=True)
    class New:
        a: int
        b: str = "x"

    assert [one.name for one in dataclasses.fields(New)] == ["a", "b"]
    assert New.__match_args__ == ("a", "b")
    assert dataclasses.is_dataclass(New)
    assert not hasattr(New(1), "__dict__")


def test_equals_have_the_same_values_and_the_same_class() -> None:
    assert Chip(5, marks=("x",)) == Chip(5, "red", ("x",))
    assert Chip(5) != Chip(6)
    assert Chip(5) != Other(5)
    assert Chip(5) != 5
    assert Nothing() == Nothing()
    assert Stack((Chip(1),)) == Stack((Chip(1),)) != Stack((Chip(2),))


def test_equals_have_the_same_hash() -> None:
    @dataclass(frozen=True, slots=True)
    class Pair:
        a: int
        b: str

    assert len({Pair(1, "x"), Pair(1, "x"), Pair(2, "x")}) == 2
    assert len({Nothing(), Nothing()}) == 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(Chip(1))


@pytest.mark.parametrize("one", [Chip(5), Stack(())])
def test_nothing_of_it_changes(one: Any) -> None:
    name = dataclasses.fields(one)[0].name
    with pytest.raises(FrozenInstanceError):
        setattr(one, name, 6)
    with pytest.raises(FrozenInstanceError):
        delattr(one, name)


def test_another_like_it() -> None:
    assert dataclasses.replace(Chip(5, "blue"), value=6) == Chip(6, "blue")
    assert copy.replace(Chip(5, "blue"), value=6) == Chip(6, "blue")
    with pytest.raises(TypeError):
        dataclasses.replace(Chip(5), worth=6)  # type: ignore[call-arg]


def test_it_is_matched_by_place_and_name() -> None:
    match Chip(5, "blue"):
        case Chip(value, colour="blue"):
            assert value == 5
        case _:
            pytest.fail("not matched")


@pytest.mark.parametrize("one", [Chip(5, "blue", facts={"a": 1}), Stack((Chip(1),)), Nothing()])
def test_copies_are_equal(one: Any) -> None:
    assert copy.copy(one) == one
    assert copy.deepcopy(one) == one
    assert pickle.loads(pickle.dumps(one)) == one


def test_a_value_may_be_kept_where_there_are_no_slots() -> None:
    stack = Stack((Chip(1), Chip(2)))
    assert stack.total == 3
    assert vars(stack)["total"] == 3
    assert stack == Stack((Chip(1), Chip(2)))


def test_what_is_left_out_is_the_objects_own() -> None:
    @dataclass(frozen=True)
    class Purse:
        chips: int
        marks: tuple[str, ...] = ()
        owner: str | None = None

    assert Purse(5) == Purse(5, (), None)
    assert vars(Purse(5)) == {"chips": 5, "marks": (), "owner": None}
    assert dataclasses.replace(Purse(5, owner="anna"), chips=6) == Purse(6, owner="anna")
    with pytest.raises(TypeError, match="chips"):
        Purse()  # type: ignore[call-arg]


@pytest.mark.parametrize("module", [commands, events, state])
def test_no_default_stands_in_the_class_of_a_record(module: Any) -> None:
    """Beside it the value of an object is read several times slower, and a hand is read all the
    time.
    """
    for one in vars(module).values():
        if isinstance(one, type) and dataclasses.is_dataclass(one):
            kept = [field for field in dataclasses.fields(one) if field.name in vars(one)]
            assert all(isinstance(getattr(one, field.name), MemberDescriptorType) for field in kept)


def test_what_may_change_is_not_made_here() -> None:
    with pytest.raises(TypeError, match=r"dataclasses\.dataclass"):
        dataclass(frozen=False)


@pytest.mark.parametrize("module", [commands, events, state])
def test_the_engines_records_are_made_this_way(module: Any) -> None:
    """One that is not costs each start of each function."""
    made = [
        one
        for one in vars(module).values()
        if isinstance(one, type)
        and one.__module__ == module.__name__
        and dataclasses.is_dataclass(one)
    ]
    assert len(made) > 3
    assert all(one.__repr__.__module__ == "poker_engine.frozen" for one in made)
