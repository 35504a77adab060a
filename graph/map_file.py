"""The file ``map.sqlite``: its tables, and opening it for reading or writing with every refusal a user may need to read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final

from methodmap.graph.errors import MapFormatError, MapLockedError, MapNotFoundError, MapWriteError, MethodmapError

__all__ = ["NAME", "OWN", "SCHEMA", "Transaction", "damaged", "guarded", "open_to_read", "open_to_write"]

NAME: Final = "map.sqlite"
LOCK: Final = "lock.sqlite"
SCHEMA: Final = 1
"""The version of the tables; a map of a higher one is refused."""

_REASON_LENGTH: Final = 200
"""Characters of a reason: SQLite cites what it cannot decode, which may be a whole paper."""

OWN: Final = (NAME, LOCK)
"""What the names of our files begin with: a folder with nothing else in it (a first build was killed) counts as empty."""

_TABLES: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (path TEXT PRIMARY KEY, sha256 TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE papers (id TEXT PRIMARY KEY, text_hash TEXT NOT NULL, extractor TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE extractions (text_hash TEXT NOT NULL, extractor TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (text_hash, extractor));
"""


_SYSTEM: Final = frozenset(
    {
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOLFS,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)
"""What SQLite reports where the system refuses; everything else that it can report of a map says that the file is not as we wrote it."""


class Transaction:
    """A block that is written whole or, if it raises or its process dies, not at all. Raises as :func:`guarded` does."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self._folder = folder
        self._connection = connection

    def __enter__(self) -> None:
        with guarded(self._folder):
            self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with guarded(self._folder):
            try:
                if error is not None:
                    raise error
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite itself gives up the transaction where a disk is full
                    self._connection.execute("ROLLBACK")
                raise


@contextmanager
def guarded(folder: Path) -> Iterator[None]:
    """Say in words of maps what SQLite raises inside the block: ``MapLockedError``, ``MapWriteError`` or ``MapFormatError``."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):  # a mistake of the caller's, such as the use of a closed map
        raise
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _in_words(folder, error) from error


def damaged(folder: Path, error: Exception) -> MapFormatError:
    """What to raise where the file holds something that was never written to it."""
    reason = str(error).partition("\n")[0][:_REASON_LENGTH]
    return MapFormatError(folder, f"{NAME} is damaged ({reason}): remove the folder and build it again")


def _in_words(folder: Path, error: Exception) -> MethodmapError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF  # the rest of the bits are details of these
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return MapLockedError(folder)
    if code in _SYSTEM:
        return MapWriteError(folder, str(error))
    if code == sqlite3.SQLITE_NOTADB:
        return MapFormatError(folder, f"{NAME} is no SQLite file ({error}): name another folder")
    return damaged(folder, error)


def open_to_read(folder: Path) -> sqlite3.Connection:
    """Open the file of an existing map; nothing is written. Raises ``MapNotFoundError`` or ``MapFormatError``."""
    file = folder / NAME
    if not file.is_file():
        raise MapNotFoundError(folder)
    uri = file.resolve().as_uri()
    try:
        connection = _connect(f"{uri}?mode=ro")
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except (sqlite3.Error, UnicodeDecodeError):
        # In WAL mode even reading needs to create a file beside the map, which read-only media refuse, but nobody writes there either.
        # A damaged file, or one that may not be read, fails again below.
        connection = _connect(f"{uri}?mode=ro&immutable=1")
    with guarded(folder):
        schema = _schema(folder, connection)
    if schema is None:
        connection.close()
        raise MapFormatError(folder, "the build that began it was stopped before it wrote anything: run it again")
    return connection


def open_to_write(folder: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """Open or create the file of a map; give its connection, and the lock, which is held until it is closed.

    Raises ``MapFormatError``, ``MapLockedError`` and ``MapWriteError``, and ``OSError`` where the folder cannot be made.
    """
    if folder.exists() and not folder.is_dir():
        raise MapFormatError(folder, "it is a file: name a folder")
    if folder.is_dir() and not (folder / NAME).exists():
        others = sorted(child.name for child in folder.iterdir() if not child.name.startswith(OWN))
        if others:
            raise MapFormatError(folder, f"the folder holds other things ({others[0]!r}) and no map: name a new or an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    with guarded(folder):
        lock = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
            connection = _connect((folder / NAME).resolve().as_uri())
            connection.execute("PRAGMA journal_mode = WAL")
            # Safe against a killed process; a power cut may take the last transactions back, never half of one.
            connection.execute("PRAGMA synchronous = NORMAL")
            if _schema(folder, connection) is None:
                with Transaction(folder, connection):
                    for statement in filter(str.strip, _TABLES.split(";")):
                        connection.execute(statement)
                    connection.execute("INSERT INTO meta (key, value) VALUES ('schema', ?)", (str(SCHEMA),))
        except BaseException:
            lock.close()
            raise
    return connection, lock


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, isolation_level=None)


def _schema(folder: Path, connection: sqlite3.Connection) -> int | None:
    """The version of the tables; None in a file without any. Raises ``MapFormatError`` for one that is not ours or too new."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return None
    row = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() if "meta" in tables else None
    if row is None or not str(row[0]).isdecimal():
        connection.close()
        raise MapFormatError(folder, f"{NAME} is a SQLite file of something else: name another folder")
    version = int(row[0])
    if version > SCHEMA:
        connection.close()
        raise MapFormatError(
            folder, f"it was made by a newer version of methodmap (tables of version {version}; this one reads {SCHEMA}): upgrade methodmap"
        )
    return version
