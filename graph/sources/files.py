"""What the user named: files, folders and standard input, as a sorted list of things to open."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from methodmap.graph.errors import RejectedRecord, SourceError

__all__ = ["FORMAT_OF_ENDING", "STDIN", "Format", "Input", "find_inputs"]

Format: TypeAlias = Literal["json", "jsonl", "markdown", "text"]

FORMAT_OF_ENDING: Final[dict[str, Format]] = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".markdown": "markdown",
    ".md": "markdown",
    ".ndjson": "jsonl",
    ".text": "text",
    ".txt": "text",
}
"""What a file is read as; ``.gz`` after any of these is unpacked."""

OTHER_ENDINGS: Final[dict[str, str]] = {
    ".bib": "export it as JSONL",
    ".csv": "export it as JSONL",
    ".enw": "export it as JSONL",
    ".nbib": "export it as JSONL",
    ".ris": "export it as JSONL",
    ".tsv": "export it as JSONL",
    ".xlsx": "export it as JSONL",
    ".doc": "save it as plain text (UTF-8)",
    ".docx": "save it as plain text (UTF-8)",
    ".odt": "save it as plain text (UTF-8)",
    ".pdf": "save its abstracts as plain text (UTF-8)",
    ".rtf": "save it as plain text (UTF-8)",
}
"""Endings that lists of papers have and that are not read, with the way out. In a folder, those of bibliographies and tables are reported
(somebody exported them to be read); papers and letters lie beside lists for other reasons and are passed over."""

REPORTED_IN_FOLDERS: Final = frozenset({".bib", ".csv", ".enw", ".nbib", ".ris", ".tsv"})

OWN_TABLES: Final = (b"Id,Label,kind,papers,", b"Source,Target,Type,Kind,")
"""How the tables begin that ``methodmap export`` writes: in a folder they are passed over, as every other file that it writes is."""

ABOUT_THE_FOLDER: Final = frozenset(
    {
        "authors",
        "changelog",
        "code_of_conduct",
        "contributing",
        "copying",
        "licence",
        "license",
        "notice",
        "readme",
        "requirements",
        "security",
    }
)
"""Text files with these names tell about the folder and hold no abstracts; one named directly is read."""

STDIN: Final = "-"


@dataclass(frozen=True, slots=True)
class Input:
    """One thing to read: ``label`` is its path as the user named it, in whole characters; ``path`` is ``None`` for standard input.

    ``format`` is ``None`` where only the content can tell.
    """

    label: str
    path: Path | None
    format: Format | None


def find_inputs(paths: Iterable[str | Path], rejected: Callable[[RejectedRecord], None]) -> list[Input]:
    """Every file to read, in the order of the arguments and sorted in each folder; a file named twice comes once.

    In a folder, hidden files and folders, files of other endings and files about the folder (README, LICENSE …) are passed over; tables and
    bibliographies in it, folders in it that cannot be read, and every file named directly that is not read, are reported.
    Raises :class:`SourceError` if a path does not exist or the way to it is barred.
    """
    named = [str(path) for path in paths]
    for name in named:
        if name != STDIN and (reason := _out_of_reach(name)):
            raise SourceError(name or "''", reason)
    found: dict[str, Input] = {}
    reports: dict[str, RejectedRecord] = {}

    def unreadable(error: OSError) -> None:
        path = Path(error.filename)
        reports.setdefault(str(path.absolute()), RejectedRecord(path.as_posix(), 1, f"cannot be read: {error.strerror}"))

    for name in named:
        path = Path(name)
        if name == STDIN:
            found.setdefault(STDIN, Input(STDIN, None, None))
        elif path.is_dir():
            count = len(found) + len(reports)
            for label, inner in _walk(path, unreadable):
                ending = _ending(inner.name)
                if ending in REPORTED_IN_FOLDERS:
                    if not _is_own_table(inner):
                        reports.setdefault(os.path.realpath(inner), RejectedRecord(label, 1, _not_read(ending)))
                elif ending in FORMAT_OF_ENDING and inner.name.casefold().partition(".")[0] not in ABOUT_THE_FOLDER:
                    found.setdefault(os.path.realpath(inner), Input(label, inner, FORMAT_OF_ENDING[ending]))
            if len(found) + len(reports) == count:
                reports.setdefault(
                    os.path.realpath(path), RejectedRecord(name, 1, f"the folder holds no file to read ({_known_endings()})")
                )
        elif _ending(path.name) in OTHER_ENDINGS:
            reports.setdefault(os.path.realpath(path), RejectedRecord(name, 1, _not_read(_ending(path.name))))
        else:
            found.setdefault(os.path.realpath(path), Input(name, path, FORMAT_OF_ENDING.get(_ending(path.name))))
    for key, source in list(found.items()):
        try:
            found[key] = replace(source, label=os.fsencode(source.label).decode("utf-8"))
        except UnicodeDecodeError:
            reports[key] = RejectedRecord(source.label.encode("utf-8", "backslashreplace").decode(), 1, "its name is not UTF-8: rename it")
            del found[key]
    for report in reports.values():
        rejected(report)
    return list(found.values())


def _out_of_reach(name: str) -> str | None:
    """Why nothing can be read under this name; None if something is there."""
    if not name:
        return "an empty name: name a file or folder, or write - for standard input"
    try:
        there = Path(name).exists()
    except OSError as error:  # a folder on the way that may not be entered, a name longer than names can be
        return f"cannot be read: {error.strerror}"
    return None if there else "no such file or folder: check the name, or write - for standard input"


def _walk(folder: Path, unreadable: Callable[[OSError], None]) -> Iterator[tuple[str, Path]]:
    """The files of a folder and those below it with their labels, sorted by the labels; links to folders are not followed.

    Links that lead nowhere are among them, so that reading them says so; pipes and devices, which might never end, are not.
    """
    files: list[tuple[str, Path]] = []
    for root, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = [inner for inner in folders if not inner.startswith(".")]
        files.extend((Path(root, name).as_posix(), Path(root, name)) for name in names if not name.startswith("."))
    # Path's own tests raise where a folder may be listed but not entered.
    yield from sorted((label, path) for label, path in files if os.path.isfile(path) or not os.path.exists(path))  # noqa: PTH110, PTH113


def _is_own_table(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(max(map(len, OWN_TABLES))).startswith(OWN_TABLES)
    except OSError:
        return False


def _ending(name: str) -> str:
    """The ending that tells the format.

    >>> _ending("iclr.JSONL.gz"), _ending("notes")
    ('.jsonl', '')
    """
    name = name.casefold().removesuffix(".gz")
    return Path(name).suffix


def _not_read(ending: str) -> str:
    return f"{ending} files are not read: {OTHER_ENDINGS[ending]}"


def _known_endings() -> str:
    return ", ".join(sorted(FORMAT_OF_ENDING))
