"""Files of hands: cases, one a line, or PHH, by how the file is called."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, TextIO

from cli.cases import LONGEST_LINE, BadLine, Case, case_lines, read_cases

PHH_FILES: Final = (".phh", ".phhs")


class _TooLongError(ValueError):
    """A file without an end, or none of hands."""


def _lines(file: TextIO) -> Iterator[str]:
    """Its lines, as long as they may be of one hand. Raises _TooLongError."""
    length = 0
    while line := file.readline(LONGEST_LINE + 1):
        length = len(line) if line.lstrip().startswith("[") else length + len(line)
        if length > LONGEST_LINE:
            raise _TooLongError
        yield line


def read_hands(path: Path) -> Iterator[Case | BadLine]:
    """The hands of a file; those that cannot be read come as BadLine."""
    if path.suffix.lower() not in PHH_FILES:
        yield from read_cases(path)
        return
    from cli.formats import phh

    try:
        with path.open(encoding="utf-8-sig") as file:
            for line, text in phh.split(_lines(file)):
                try:
                    yield phh.load(text, path.stem)
                except phh.PhhError as error:
                    yield BadLine(str(path), line, str(error))
    except OSError as error:
        yield BadLine(str(path), 0, (error.strerror or "cannot be read").lower())
    except UnicodeDecodeError:
        yield BadLine(str(path), 0, "is not UTF-8")
    except _TooLongError:
        yield BadLine(str(path), 0, "has something longer than any hand; nothing after it is read")
    except ValueError:
        yield BadLine(str(path), 0, "is no name of a file")


def count_hands(path: Path) -> int:
    """How many `read_hands` will give, told at a glance; 0 where it can be read only once, or not
    at all.
    """
    if not path.is_file():
        return 0
    if path.suffix.lower() not in PHH_FILES:
        return sum(1 for _ in case_lines(path))
    from cli.formats import phh

    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            return sum(1 for _ in phh.split(_lines(file)))
    except (OSError, _TooLongError):
        return 0
