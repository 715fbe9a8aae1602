"""Which names may be, and which look alike."""

import string
from itertools import combinations

import pytest

from cardroom.names import (
    LONGEST,
    RESERVED,
    SHORTEST,
    NameCode,
    fault_of,
    skeleton,
)
from local.play import WATCHER
from local.seats import bot_name


def _code(name: str) -> NameCode | None:
    fault = fault_of(name)
    return None if fault is None else fault.code


@pytest.mark.parametrize(
    "name",
    [
        "ana", "Ann", "a1b", "R2D2", "john.doe", "john_doe", "john-doe", "J.R.R", "a-b_c.d", "ana-",
        "Wolfgang", "x" * LONGEST, "badminton", "Floortje", "Bankole", "Stafford", "Guestling",
        "Youri", "Helpmann", "watcher", "Ben", "Cora", "Dan", "Adele", "Deale", "Staffan",
        "Wagstaff", "Falstaff", "Cash", "Casimir", "Cardano", "Modesta", "Adam", "Sysan", "Clara",
        "Marcia", "Lucia", "Warren", "Mark", "dealmaker", "Stan4", "Tomas7", "ABankole",
    ],
)  # fmt: skip
def test_a_name_that_may_be(name: str) -> None:
    assert fault_of(name) is None


@pytest.mark.parametrize("length", [0, 1, SHORTEST - 1, LONGEST + 1, 36, 5_000])
def test_a_name_is_neither_too_short_nor_too_long(length: int) -> None:
    assert _code("a" * length) is NameCode.LENGTH


@pytest.mark.parametrize("length", [SHORTEST, LONGEST])
def test_the_shortest_and_the_longest_may_be(length: int) -> None:
    assert _code("a" * length) is None


@pytest.mark.parametrize("number", [*range(32), 127, *range(128, 160)])
def test_no_control_character(number: int) -> None:
    for name in (f"ana{chr(number)}", f"a{chr(number)}na", f"{chr(number)}ana"):
        assert _code(name) is NameCode.CHARACTERS


OTHERS = set(string.printable) - set(string.ascii_letters + string.digits + "_.-")


@pytest.mark.parametrize("sign", sorted(OTHERS))
def test_no_other_sign(sign: str) -> None:
    assert _code(f"an{sign}a") is NameCode.CHARACTERS


@pytest.mark.parametrize(
    "name",
    [
        "\u0430na",  # a Cyrillic a
        "an\u0430",
        "\u03bf" * 3,  # Greek
        "jos\u00e9",
        "jose\u0301",
        "ana\u200b",  # zero width
        "\u202eana",  # right to left
        "\uff41\uff4e\uff41",  # full width
        "\ufb01nn",  # a ligature
        "ana\u00a0",
        "ana\u0663",  # an Arabic digit
        "\U0001d586\U0001d593\U0001d586",
        "ana\ud800",
        "\u0130da",
    ],
)  # fmt: skip
def test_nothing_but_ascii(name: str) -> None:
    assert _code(name) is NameCode.CHARACTERS


@pytest.mark.parametrize("name", ["1ana", "_ana", ".ana", "-ana", "007", "---"])
def test_a_letter_comes_first(name: str) -> None:
    assert _code(name) is NameCode.CHARACTERS


@pytest.mark.parametrize("name", ["a__b", "a..b", "a--b", "a_.b", "a-_b", "ana.-", "a._-b"])
def test_no_two_separators_in_a_row(name: str) -> None:
    assert _code(name) is NameCode.SEPARATORS


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_words_of_the_room_are_nobodys_name(word: str) -> None:
    names = [
        word,
        word.upper(),
        word.title(),
        f"{word}7",
        f"{word}-7",
        f"{word}.ana",
        f"ana_{word}",
    ]
    for name in names:
        if SHORTEST <= len(name) <= LONGEST:
            assert _code(name) is NameCode.RESERVED, name


@pytest.mark.parametrize(
    "name",
    [
        "adm1n", "Admln", "ADMIN", "a.d.m.i.n", "a-dmin", "supp0rt", "s-taff",
        "SUPPORT24", "fl00r", "FIoor", "guest0427", "guest-0427", "TheDealer",
        "theDealer2", "adminana", "AnaAdmin", "realadmin", "cardroom", "cardr00m", "card.room",
        "MyCardroomHost", "You", "y0u", "rnoderator", "systern", "clealer", "D3aler", "de4ler",
        "cleal3r", "thedealer", "dealerbob", "DEALERbob", "theDEALER", "xADMINx", "badmin",
        "aclmin", "acimin", "aclrnln", "x4dmin", "Administra", "administrat0r",
        "Carclroom", "Carciroom", "C4rdr00m", "c-a-r-d-room", "System1a", "Sy5tem1a", "sys7em",
        "Guest1a", "a1guest", "GUESTbob", "ca5hier", "Cashiers", "mycashier", "staffer",
        "a5staffa", "st4ff", "Stafford1staff", "rnoclerator", "m0d3rat0r", "themoderators",
        "no6ody", "BADMINTONADMIN", "b-admin-ton", "staff-ord",
    ],
)  # fmt: skip
def test_nor_is_what_looks_like_them(name: str) -> None:
    assert _code(name) is NameCode.RESERVED


@pytest.mark.parametrize(
    "alike",
    [
        ("ana", "Ana", "ANA", "aNa", "a.n.a", "a-na", "an_a", "ana-", "ana."),
        ("bill", "Bill", "BiII", "biII", "b1ll", "bi1l", "bil1", "blll", "BLLL", "b-ill"),
        ("ion", "Ion", "lon", "LON", "l0n", "i0n", "I-0n"),
        ("otto", "Otto", "ott0", "OTTO", "o.tt.0"),
        ("marno", "mamo", "Marno", "MARNO", "mam0", "mar-no", "rnarno", "rnamo"),
        ("burn", "bum", "BURN", "b.u.r.n"),
        ("vviola", "wiola", "VVlola", "wi0la", "Wioia", "v-viola"),
        ("susan", "su5an", "SU5AN", "sus-an"),
        ("zoe2", "zoez", "ZOE2", "z0ez", "z-o-e-2"),
        ("bob8", "bobb", "B0B8", "bo88", "BOBB"),
        ("Isko5", "iskos", "lsko5", "ISKOS", "l5kos"),
        ("Rob.1", "robl", "ROB_I", "r0bi", "rob-1"),
        ("vvviola", "vwiola", "wviola", "VWI0LA"),
        ("vvvvv", "wwv", "wvw", "vww", "vvwv"),
        ("arrnno", "armno", "arrn-no"),
        ("dan", "clan", "cian", "Dan", "D4N", "c1an"),
        ("adele", "aclele", "Ad3l3", "4dele"),
        ("tomas", "7omas", "t0m4s", "Tom-4s", "tornas"),
        ("quin", "guin", "Quln", "9uin"),
    ],
)  # fmt: skip
def test_names_that_look_alike_are_one(alike: tuple[str, ...]) -> None:
    for one, other in combinations(alike, 2):
        assert skeleton(one) == skeleton(other), (one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ana", "anna"), ("ana", "ane"), ("ana", "ana3"), ("ana2", "ana3"), ("ana6", "ana8"),
        ("ana1", "ana7"), ("bill", "bull"), ("otto", "olto"), ("max", "rax"), ("wiola", "viola"),
        ("nora", "mora"), ("ana9", "ana4"), ("isko", "isko2"), ("abc", "cba"),
    ],
)  # fmt: skip
def test_names_that_do_not_are_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_numbers_tell_names_apart() -> None:
    assert len({skeleton(f"ana{number}") for number in range(1000)}) == 1000


def test_bots_have_names_that_may_be_and_no_two_alike() -> None:
    names = [*(bot_name(number) for number in range(400)), WATCHER]
    assert [name for name in names if fault_of(name) is not None] == []
    assert len({skeleton(name) for name in names}) == len(names)
