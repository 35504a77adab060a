"""Every exception of methodmap. Each subclasses a builtin, carries its data, and says what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "EntityNotFoundError",
    "ExportError",
    "GraphDataError",
    "MapFormatError",
    "MapLockedError",
    "MapNotFoundError",
    "MapWriteError",
    "MethodmapError",
    "ModelError",
    "QueryError",
    "RejectedRecord",
    "SourceError",
    "UnknownFormatError",
]


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A record that could not be read. Not an exception: reading goes on, and the command ends with exit code 1."""

    path: str
    line: int
    reason: str

    def __str__(self) -> str:
        """The message that users see: ``file:line: reason``."""
        return f"{self.path}:{self.line}: {self.reason}"


class MethodmapError(Exception):
    """What every error of methodmap also is, so that callers can catch them all."""


class SourceError(MethodmapError, ValueError):
    """A whole input cannot be read: it is missing, empty of papers, or of no known format."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class MapNotFoundError(MethodmapError, FileNotFoundError):
    """There is no map in the folder."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"no map at {str(path)!r}: make one with `methodmap build PATH... -o {path}`")
        self.path = path


class MapFormatError(MethodmapError, ValueError):
    """The folder holds something that this version cannot read as a map."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{str(path)!r} cannot be read as a map: {reason}")
        self.path = path
        self.reason = reason


class QueryError(MethodmapError, ValueError):
    """A query is malformed, unknown, or lacks a parameter."""

    def __init__(self, query: str, reason: str) -> None:
        super().__init__(f"query {query!r}: {reason}" if len(query) < 60 else reason)
        self.query = query
        self.reason = reason


class EntityNotFoundError(MethodmapError, LookupError):
    """No entity or paper of the map has this name or id."""

    def __init__(self, name: str, similar: tuple[str, ...] = ()) -> None:
        hint = f"; did you mean {', '.join(map(repr, similar))}?" if similar else ""
        super().__init__(f"the map has no entity or paper {name!r}{hint}")
        self.name = name
        self.similar = similar


class UnknownFormatError(MethodmapError, ValueError):
    """A file's ending or a format's name is none that methodmap writes or reads."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"unknown format {name!r}: use one of {', '.join(known)}")
        self.name = name
        self.known = known


class ModelError(MethodmapError, ValueError):
    """A model folder is incomplete or of another version."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"no usable model in {str(path)!r}: {reason}; install methodmap again, or make one as CONTRIBUTING.md says")
        self.path = path
        self.reason = reason


class MapLockedError(MethodmapError, BlockingIOError):
    """Another process is writing to the map."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"another build is writing to the map {str(path)!r}: wait until it ends, or stop it, and run this again")
        self.path = path


class MapWriteError(MethodmapError, OSError):
    """The system refuses to write a map: a folder without the right to write, a full disk."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"cannot write the map {str(path)!r} ({reason}): see that you may write there and that the disk has room")
        self.path = path
        self.reason = reason


class GraphDataError(MethodmapError, ValueError):
    """A graph contradicts itself or lacks what it needs: an edge to a node that is not there, a record without its fields."""

    def __init__(self, subject: str, reason: str) -> None:
        super().__init__(f"{subject!r}: {reason}")
        self.subject = subject
        self.reason = reason


class ExportError(MethodmapError, OSError):
    """A file cannot be written where the user wants it."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"cannot write {str(path)!r}: {reason}")
        self.path = path
        self.reason = reason
