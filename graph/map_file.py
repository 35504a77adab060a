"""The file ``map.sqlite``: its tables, and opening it for reading or writing with every refusal a user may need to read."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Final

from methodmap.graph.errors import MapFormatError, MapLockedError, MapNotFoundError

__all__ = ["NAME", "SCHEMA", "Transaction", "open_to_read", "open_to_write"]

NAME: Final = "map.sqlite"
LOCK: Final = "lock.sqlite"
SCHEMA: Final = 1
"""The version of the tables; a map of a higher one is refused."""

_OWN: Final = (NAME, LOCK)
"""What the names of our files begin with: a folder with nothing else in it (a first build was killed) counts as empty."""

_TABLES: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (path TEXT PRIMARY KEY, sha256 TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE papers (id TEXT PRIMARY KEY, text_hash TEXT NOT NULL, extractor TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE extractions (text_hash TEXT NOT NULL, extractor TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (text_hash, extractor));
"""


class Transaction:
    """A block that is written whole or, if it raises or its process dies, not at all."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")


def open_to_read(folder: Path) -> sqlite3.Connection:
    """Open the file of an existing map; nothing is written. Raises ``MapNotFoundError`` or ``MapFormatError``."""
    file = folder / NAME
    if not file.is_file():
        raise MapNotFoundError(folder)
    uri = file.resolve().as_uri()
    try:
        connection = _connect(f"{uri}?mode=ro")
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        # In WAL mode even reading needs to create a file beside the map, which read-only media refuse, but nobody writes there either.
        connection = _connect(f"{uri}?mode=ro&immutable=1")
    except sqlite3.DatabaseError as error:
        raise MapFormatError(folder, f"{NAME} is no SQLite file ({error})") from error
    if _schema(folder, connection) is None:
        connection.close()
        raise MapFormatError(folder, "the build that began it was stopped before it wrote anything: run the build again")
    return connection


def open_to_write(folder: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """Open or create the file of a map; give its connection, and the lock, which is held until it is closed.

    Raises ``MapFormatError`` and ``MapLockedError``, and ``OSError`` where the folder cannot be made.
    """
    if folder.exists() and not folder.is_dir():
        raise MapFormatError(folder, "it is a file: name a folder")
    if folder.is_dir() and not (folder / NAME).exists():
        others = sorted(child.name for child in folder.iterdir() if not child.name.startswith(_OWN))
        if others:
            raise MapFormatError(folder, f"the folder holds other things ({others[0]!r}) and no map: name a new or an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    lock = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        raise MapLockedError(folder) from error
    try:
        connection = _connect((folder / NAME).resolve().as_uri())
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.DatabaseError as error:
            raise MapFormatError(folder, f"{NAME} is no SQLite file ({error})") from error
        # Safe against a killed process; a power cut may take the last transactions back, never half of one.
        connection.execute("PRAGMA synchronous = NORMAL")
        if _schema(folder, connection) is None:
            with Transaction(connection):
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
        raise MapFormatError(folder, f"{NAME} is a SQLite file of something else")
    version = int(row[0])
    if version > SCHEMA:
        connection.close()
        raise MapFormatError(
            folder, f"it was made by a newer version of methodmap (tables of version {version}; this one reads {SCHEMA}): upgrade methodmap"
        )
    return version
