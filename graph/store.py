"""The map on disk: one folder, whose ``map.sqlite`` is the truth and whose ``store/`` is the Oxigraph database derived from it.

Every write is one SQLite transaction in WAL mode, so a process that dies, at any instant, loses at most the batch in hand. One process
writes at a time (it holds ``lock.sqlite``, which the system frees when the process ends); any number read meanwhile. A database is built
in a folder of its own under ``store/`` and becomes the map's by one write of its name to ``map.sqlite``: readers of the one before it
keep their open files, and what a crash leaves behind is removed by the next build.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from methodmap.graph import map_file, records_json
from methodmap.graph.errors import MapFormatError
from methodmap.graph.model import Extraction, KnowledgeGraph, Paper, text_hash
from methodmap.graph.settings import Settings

if TYPE_CHECKING:
    import pyoxigraph

    from methodmap.graph.resolve import Merge

__all__ = ["MapStore", "SourceFile"]

STORE: Final = "store"

UNFINISHED: Final = "no build of it has ended yet: wait for the one that runs, or run it again, and it goes on where it was"

_Record = TypeVar("_Record", Paper, Extraction)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that papers were read from: its path as the user named it, and the SHA-256 of its bytes, in hexadecimal."""

    path: str
    sha256: str


class MapStore:
    """A map folder, open for reading (:meth:`open`) or for reading and writing (:meth:`create_or_open`). A context manager."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: sqlite3.Connection | None = None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock
        # Each with what it was made from: a long-lived reader notices when a build has put something else in its place.
        self._resolved: tuple[str | None, tuple[KnowledgeGraph, tuple[Merge, ...]]] | None = None
        self._database: tuple[tuple[str, str | None], pyoxigraph.Store] | None = None

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open an existing map for reading; works on read-only media too.

        Raises ``MapNotFoundError`` where there is none and ``MapFormatError`` where this version cannot read it or no build has ended yet.
        """
        store = cls(Path(path), map_file.open_to_read(Path(path)))
        try:
            if store.extractor is None:
                raise MapFormatError(store.path, UNFINISHED)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def create_or_open(cls, path: str | Path, *, base_iri: str | None = None) -> Self:
        """Open a map for writing, or make one in a new or empty folder.

        ``base_iri`` None keeps an existing map's; a new map has that of ``Settings``. Raises ``MapFormatError`` for a folder that holds
        other things or a map of a newer version, ``MapLockedError`` while another process writes to it, ``MapWriteError`` where the system
        refuses.
        """
        folder = Path(path)
        connection, lock = map_file.open_to_write(folder)
        store = cls(folder, connection, lock)
        if base_iri is None:
            base_iri = store._meta("base_iri") or Settings().base_iri
        with store._transaction():
            store._set_meta(base_iri=base_iri, methodmap=importlib.metadata.version("methodmap"))
        return store

    @property
    def base_iri(self) -> str:
        """What every resource's IRI begins with."""
        return self._meta("base_iri") or Settings().base_iri

    @property
    def extractor(self) -> str | None:
        """The extractor, name and version, of the papers' extractions; None before the first build has ended."""
        return self._meta("extractor")

    @property
    def version(self) -> str:
        """The version of methodmap that wrote to the map last."""
        return self._meta("methodmap") or ""

    def papers(self) -> tuple[Paper, ...]:
        """The papers of the map, by id."""
        with self._rows("SELECT body FROM papers ORDER BY id") as rows:
            return tuple(self._load(records_json.load_paper, body) for (body,) in rows)

    def sources(self) -> tuple[SourceFile, ...]:
        """The files that the papers come from, by path."""
        with self._rows("SELECT path, sha256 FROM sources ORDER BY path") as rows:
            return tuple(SourceFile(*row) for row in rows)

    def extractions(self) -> tuple[Extraction, ...]:
        """What was extracted from each paper of :meth:`papers`, in the same order."""
        sql = "SELECT papers.id, extractions.body FROM papers JOIN extractions USING (text_hash, extractor) ORDER BY papers.id"
        with self._rows(sql) as rows:
            return tuple(records_json.rebind(self._load(records_json.load_extraction, body), paper) for paper, body in rows)

    def extracted(self, extractor: str) -> frozenset[str]:
        """The hashes of the texts that this extractor (name and version) has done already: a build leaves them out.

        What another version of methodmap read is not among them: it may clean texts, part sentences or group mentions in another way.
        """
        with self._rows("SELECT text_hash FROM extractions WHERE extractor = ?", _reader(extractor)) as rows:
            return frozenset(hash_ for (hash_,) in rows)

    def save_extractions(self, batch: Iterable[Extraction]) -> None:
        """Keep a batch of extractions, in one transaction. They are in the map once :meth:`replace_papers` names their papers."""
        rows = [(item.text_hash, _reader(item.extractor), records_json.dump_extraction(item)) for item in batch]
        with self._transaction():
            self._connection.executemany("INSERT OR REPLACE INTO extractions (text_hash, extractor, body) VALUES (?, ?, ?)", rows)

    def replace_papers(self, papers: Sequence[Paper], sources: Sequence[SourceFile], *, extractor: str) -> None:
        """Make these the papers of the map, in one transaction; extractions that no paper needs any more are dropped.

        Raises ``ValueError`` if a paper's text has no extraction by ``extractor`` or two papers have one id; the map is then unchanged.
        """
        rows = [(paper.id, text_hash(paper.abstract), _reader(extractor), records_json.dump_paper(paper)) for paper in papers]
        known = self.extracted(extractor)
        missing = sorted(paper for paper, hash_, _, _ in rows if hash_ not in known)
        if missing:
            raise ValueError(f"papers without an extraction by {extractor!r}: {missing[:5]!r}; save their extractions first")
        ids = [row[0] for row in rows]
        if repeated := sorted({paper for paper in ids if ids.count(paper) > 1} if len(set(ids)) < len(ids) else ()):
            raise ValueError(f"two papers have one id: {repeated[:5]!r}")
        with self._transaction():
            self._connection.execute("DELETE FROM papers")
            self._connection.executemany("INSERT INTO papers (id, text_hash, extractor, body) VALUES (?, ?, ?, ?)", rows)
            self._connection.execute("DELETE FROM sources")
            self._connection.executemany("INSERT INTO sources (path, sha256) VALUES (?, ?)", [(s.path, s.sha256) for s in sources])
            self._connection.execute(
                "DELETE FROM extractions WHERE (text_hash, extractor) NOT IN (SELECT text_hash, extractor FROM papers)"
            )
            self._set_meta(extractor=extractor, content=self._content_hash())

    def graph(self) -> KnowledgeGraph:
        """The whole map in memory, resolved from all extractions on the first call."""
        return self._resolve()[0]

    def merges(self) -> tuple[Merge, ...]:
        """Every merge that :meth:`graph` rests on, with its reason."""
        return self._resolve()[1]

    def store(self) -> pyoxigraph.Store:
        """The Oxigraph database, open for reading.

        One that is missing or older than the map or than this version of methodmap is built anew: on disk by a writer, in memory by a
        reader, who may have no right to write and must not get in a writer's way.
        """
        if self._database is None or self._database[0] != (self._fingerprint(), self._meta("store")):
            database = self._open_database()
            self._database = ((self._fingerprint(), self._meta("store")), database)
        return self._database[1]

    def rebuild_store(self) -> None:
        """Build the Oxigraph database anew and put it in the place of the one before it, which open readers keep."""
        from methodmap.graph import database

        self._check_writable()
        folder = self.path / STORE
        fingerprint = self._fingerprint()
        taken = {child.name for child in folder.iterdir()} if folder.is_dir() else set()
        number = next(n for n in range(len(taken) + 1) if f"{fingerprint}-{n}" not in taken)
        name = f"{fingerprint}-{number}"
        database.write_folder(self.graph(), self.base_iri, folder / name)
        with self._transaction():
            self._set_meta(store=name)
        for child in sorted(taken):
            # Where files in use cannot be removed (Windows), the next build tries again.
            shutil.rmtree(folder / child, ignore_errors=True)

    def owns(self, path: Path) -> bool:
        """Whether a file is, or would be, one of the map's own, so that nothing else may be written there."""
        file, folder = Path(os.path.realpath(path)), Path(os.path.realpath(self.path))
        return folder in file.parents and file.relative_to(folder).parts[0].startswith((*map_file.OWN, STORE))

    def close(self) -> None:
        """Close the files and let others write."""
        self._connection.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _open_database(self) -> pyoxigraph.Store:
        from methodmap.graph import database

        name = self._meta("store")
        if name is not None and name.startswith(self._fingerprint()):
            try:
                return database.open_folder(self.path / STORE / name)
            except OSError:  # removed by hand or damaged, and can be derived again
                if name != self._meta("store"):  # or a build has replaced it since its name was read
                    return self._open_database()
        if self._lock is None:
            return database.in_memory(self.graph(), self.base_iri)
        self.rebuild_store()
        return database.open_folder(self.path / STORE / str(self._meta("store")))

    def _resolve(self) -> tuple[KnowledgeGraph, tuple[Merge, ...]]:
        content = self._meta("content")
        if self._resolved is None or self._resolved[0] != content:
            from methodmap.graph.resolve import resolve

            self._connection.execute("BEGIN")  # papers and extractions of one moment, whatever a build does meanwhile
            try:
                content, papers, extractions = self._meta("content"), self.papers(), self.extractions()
            finally:
                self._connection.execute("COMMIT")
            self._resolved = (content, resolve(papers, extractions))
        return self._resolved[1]

    def _content_hash(self) -> str:
        """Hash what the graph is made from: every paper, with its extraction, in order."""
        digest = hashlib.sha256()
        columns = "papers.id, papers.body, extractions.body"
        with self._rows(f"SELECT {columns} FROM papers JOIN extractions USING (text_hash, extractor) ORDER BY papers.id") as rows:
            for row in rows:
                for text in row:
                    digest.update(hashlib.sha256(text.encode("utf-8")).digest())
        return digest.hexdigest()

    def _fingerprint(self) -> str:
        """Name what a database is derived from: the map's content, its base IRI, and the code that derives it."""
        parts = (self._meta("content") or "", self.base_iri, importlib.metadata.version("methodmap"))
        return hashlib.sha256("\n".join(parts).encode("utf-8")).hexdigest()[:16]

    def _meta(self, key: str) -> str | None:
        with self._rows("SELECT value FROM meta WHERE key = ?", key) as rows:
            return next((str(value) for (value,) in rows), None)

    @contextmanager
    def _rows(self, sql: str, *parameters: str) -> Iterator[Iterator[tuple[Any, ...]]]:
        """The rows that a query finds, for the time of a block; raises as :func:`map_file.guarded` does."""
        with map_file.guarded(self.path), closing(self._connection.cursor()) as cursor:
            yield cursor.execute(sql, parameters)

    def _load(self, load: Callable[[str], _Record], body: str) -> _Record:
        try:
            return load(body)
        except ValueError as error:
            raise map_file.damaged(self.path, error) from error

    def _set_meta(self, **values: str) -> None:
        self._connection.executemany("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", sorted(values.items()))

    def _check_writable(self) -> None:
        if self._lock is None:
            raise io.UnsupportedOperation(f"the map {str(self.path)!r} is open for reading: open it by MapStore.create_or_open to write")

    def _transaction(self) -> map_file.Transaction:
        self._check_writable()
        return map_file.Transaction(self.path, self._connection)


def _reader(extractor: str) -> str:
    """All that decides what is read from a text: the extractor, and the methodmap around it."""
    return f"{extractor} methodmap/{importlib.metadata.version('methodmap')}"
