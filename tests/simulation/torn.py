"""Damaged files of hands: `cardroom replay` says what is wrong and where, a sentence for each, and
judges the hands beside it.
"""

import contextlib
import copy
import io
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

from cli.cases import as_json
from cli.main import main
from tests.cli.hands import limit, own_cases, record
from tests.simulation.record import Broken

LINES: Final = 25
"""Damaged ones of one file."""
ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    0,
    -1,
    -500,
    1.5,
    10**12,
    10**30,
    10**400,
    float("nan"),
    float("inf"),
    "",
    "10",
    "x",
    "As",
    "\ud800",
    "\x1b[2J",
    "a\nb",
    [],
    [[]],
    [-1],
    {},
    {"seat": 99},
)
ENCODINGS: Final = ("latin-1", "utf-16", "utf-16-le", "utf-32", "cp1252", "utf-8-sig", "shift_jis")
SUMMARY: Final = re.compile(r"^(\d+) hands: (\d+) agree, (\d+) normalised .*, (\d+) differ$")


class Lines:
    """Draws damaged lines from a seed."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice
        self._good = [record(), limit(), *map(as_json, own_cases()[:12])]

    def one(self) -> bytes:
        dice = self._dice
        case = copy.deepcopy(dice.choice(self._good))
        rolled = dice.random()
        if rolled < 0.65:
            for _ in range(dice.choice((1, 1, 1, 2, 3))):
                self._damage(case)
            return json.dumps(case, ensure_ascii=dice.random() < 0.7).encode(
                "utf-8", "surrogatepass"
            )
        text = json.dumps(case)
        place = dice.randint(0, len(text))
        if rolled < 0.75:
            return text[:place].encode()
        if rolled < 0.85:
            bad = dice.choice((b"\xff", b"\xc3(", b"{", b"]", b'"', b"\x1c", "é".encode("latin-1")))
            return text[:place].encode() + bad + text[place:].encode()
        if rolled < 0.9:
            return dice.choice((b"[" * 50_000, b'{"a":' * 2_000, b"1" * 6_000, b"NaN", b"[]", b"7"))
        return bytes(one for one in dice.randbytes(dice.randint(1, 80)) if one not in b"\0\r\n")

    def _damage(self, value: Any) -> None:
        """One thing in it, somewhere."""
        dice = self._dice
        while True:
            index = dice.choice(list(value) if isinstance(value, dict) else range(len(value)))
            inside = value[index]
            if isinstance(inside, dict | list) and inside and dice.random() < 0.6:
                value = inside
                continue
            break
        rolled = dice.random()
        if rolled < 0.2:
            del value[index]
        elif rolled < 0.3 and isinstance(value, dict):
            value[dice.choice(("future", "Seat", ""))] = dice.choice(ODD)
        elif rolled < 0.45 and isinstance(value[index], int):
            value[index] += dice.choice((-1, 1, 100, -1000, 10**9))
        elif rolled < 0.5 and isinstance(value[index], int):
            value[index] = str(value[index])
        else:
            value[index] = dice.choice(ODD)


def torn(seed: int, inputs: int) -> tuple[Counter[str], Counter[str]]:
    """Replay so many damaged lines and files: how many of each, and the exit codes. Raises
    Broken.
    """
    dice = Random(f"torn/{seed}")
    lines, kinds, codes = Lines(dice), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        while (done := kinds.total()) < inputs:
            try:
                if dice.random() < 0.2:
                    kind, code = "file", _whole(Path(folder), dice)
                    kinds[kind] += 1
                else:
                    several = [lines.one() for _ in range(min(LINES, inputs - done))]
                    code = _among(Path(folder) / "lines", several)
                    kinds["line"] += len(several)
            except Exception as broken:
                raise Broken(f"seed {seed}, line or file {done + 1}: {broken}") from broken
            codes[f"replay: exit {code}"] += 1
    return kinds, codes


def _among(file: Path, damaged: list[bytes]) -> int:
    """The damaged lines among three good ones, which have to agree."""
    good = json.dumps(record()).encode()
    middle = len(damaged) // 2
    lines = [good, *damaged[:middle], good, *damaged[middle:], good]
    file.write_bytes(b"\n".join(lines))
    code, out, err = replayed(file)
    found = SUMMARY.match(out[-1])
    if found is None or int(found[2]) < 3:
        raise Broken(f"good hands are not judged: {out[-1]}")
    named = [int(line.removeprefix(f"{file}:").partition(":")[0]) for line in err]
    fine = {1, middle + 2, len(lines)}
    if named != sorted(set(named)) or fine & set(named):
        raise Broken(f"other lines are named than bad ones: {named}")
    hands = sum(int(found[group]) for group in (2, 3, 4))
    if len(named) + hands != len([line for line in lines if line.strip()]):
        raise Broken(f"of {len(lines)} lines {hands} are judged and {len(named)} are bad")
    wanted = 2 if named else 1 if int(found[4]) else 0
    if code != wanted:
        raise Broken(f"exit {code}, not {wanted}")
    return code


def _whole(folder: Path, dice: Random) -> int:
    """A file that is none, beside a good one."""
    file, good = folder / "whole", folder / "good"
    text = "\n".join(json.dumps(one) for one in (record(id="é"), limit()))
    makers: list[Callable[[], Path]] = [
        lambda: _written(file, b""),
        lambda: _written(file, dice.randbytes(dice.randint(1, 5_000))),
        lambda: _written(file, text.encode(dice.choice(ENCODINGS), "replace")),
        lambda: _written(file, b"\n \r\n\t\n"),
        lambda: folder,
        lambda: folder / "missing",
        lambda: folder / ("long" * 100),
        lambda: folder / "zero\0byte",
        lambda: good / "below a file",
    ]
    _written(good, b"\n".join([json.dumps(record()).encode()] * 3))
    code, out, err = replayed(dice.choice(makers)(), good)
    if SUMMARY.match(out[-1]) is None or int(out[-1].split()[2]) < 3:
        raise Broken(f"good hands are not judged: {out[-1]}")
    if (code == 2) != bool(err):
        raise Broken(f"exit {code} with {err}")
    return code


def _written(file: Path, content: bytes) -> Path:
    file.write_bytes(content)
    return file


def replayed(*files: Path) -> tuple[int, list[str], list[str]]:
    """Exit code, lines on the terminal, and lines of what is wrong."""
    # Strict as a terminal is, where StringIO takes anything.
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["replay", *map(str, files)])
    said = _read(err)
    if "Traceback" in said or code not in (0, 1, 2):
        raise Broken(f"exit {code}: {said[:300]}")
    judged, bad = (text.split("\n")[:-1] for text in (_read(out), said))
    for line in (*bad, *judged):
        if not line.isprintable() or len(line) > 700:
            raise Broken(f"not one clear sentence: {line[:300]!r}")
    if not all(line.startswith(str(files[0].parent)) for line in bad):
        raise Broken(f"which file? {bad}")
    return code, judged, bad


def _read(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
