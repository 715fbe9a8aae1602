"""Files of hands: cases, one a line, or PHH, by how the file is called."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cli.cases import BadLine, Case, read_cases

PHH_FILES: Final = (".phh", ".phhs")


def read_hands(path: Path) -> Iterator[Case | BadLine]:
    """The hands of a file; those that cannot be read come as BadLine."""
    if path.suffix.lower() not in PHH_FILES:
        yield from read_cases(path)
        return
    from cli.formats import phh

    try:
        with path.open(encoding="utf-8-sig") as file:
            for line, text in phh.split(file):
                try:
                    yield phh.load(text, path.stem)
                except phh.PhhError as error:
                    yield BadLine(str(path), line, str(error))
    except OSError as error:
        yield BadLine(str(path), 0, (error.strerror or "cannot be read").lower())
    except UnicodeDecodeError:
        yield BadLine(str(path), 0, "is not UTF-8")
    except ValueError:
        yield BadLine(str(path), 0, "is no name of a file")
