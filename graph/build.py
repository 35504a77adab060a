"""Make or bring up to date a map: read the sources, extract what is new, put the papers in place, derive the database."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Protocol

from methodmap.graph.errors import RejectedRecord, SourceError
from methodmap.graph.model import ENTITY_TYPES, Extraction, KnowledgeGraph, Paper, text_hash
from methodmap.graph.sources import DuplicateRecord, read_sources
from methodmap.graph.store import MapStore, SourceFile

if TYPE_CHECKING:
    from methodmap.graph.extract.extractor import Extractor

__all__ = ["BuildReport", "Progress", "build", "count_entities", "extract_papers", "no_progress"]

BATCH: Final = 64
"""Papers whose extractions are committed together: what a killed build loses, two seconds of work."""


class Progress(Protocol):
    """Is told what goes on: the step, how much of it is done and of how much."""

    def __call__(self, step: str, done: int, total: int) -> None:
        """Take notice."""
        ...


def no_progress(step: str, done: int, total: int) -> None:
    """Ignore all progress."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did. ``extracted`` counts texts that were read now, ``unchanged`` papers whose extraction was there already."""

    papers: int
    extracted: int
    unchanged: int
    removed: int
    rejected: tuple[RejectedRecord, ...]
    duplicates: tuple[DuplicateRecord, ...]
    entities: dict[str, int]
    links: int
    extractor: str
    seconds: float


def build(
    paths: Iterable[str | Path],
    out: str | Path,
    *,
    extractor: Callable[[], Extractor],
    progress: Progress = no_progress,
    base_iri: str | None = None,
    stdin: BinaryIO | None = None,
) -> BuildReport:
    """Create the map folder ``out`` from files and folders of abstracts, or bring it up to date with them.

    Texts that the same extractor has done before are not done again; papers that no source has any more go. What is done is committed every
    64 papers, so that a build that was stopped goes on where it was. ``extractor`` is called once there is something to build.

    Raises ``SourceError`` if a path does not exist or no paper can be read, ``MapFormatError`` and ``MapLockedError`` as
    :meth:`MapStore.create_or_open`; the map is then as it was.
    """
    started = time.monotonic()
    named = [str(path) for path in paths]
    rejected: list[RejectedRecord] = []
    duplicates: list[DuplicateRecord] = []
    papers = list(read_sources(named, rejected=rejected.append, duplicate=duplicates.append, stdin=stdin))
    if not papers:
        reasons = "".join(f"\n  {record}" for record in rejected[:10])
        raise SourceError(", ".join(named), f"no paper found; see the README for the formats that are read{reasons}")
    with MapStore.create_or_open(out, base_iri=base_iri) as store:
        reader = extractor()
        known = store.extracted(reader.name)
        before = {paper.id for paper in store.papers()}
        todo = list({digest: p for p in papers if (digest := text_hash(p.abstract)) not in known}.values())
        done = 0
        for batch in _batches(reader.extract(todo), BATCH):
            store.save_extractions(batch)
            done += len(batch)
            progress("reading abstracts", done, len(todo))
        progress("linking", 0, 1)
        store.replace_papers(papers, _source_files(papers), extractor=reader.name)
        graph = store.graph()
        store.store()
        progress("linking", 1, 1)
    return BuildReport(
        papers=len(papers),
        extracted=len(todo),
        unchanged=len(papers) - len(todo),
        removed=len(before - {p.id for p in papers}),
        rejected=tuple(rejected),
        duplicates=tuple(duplicates),
        entities=count_entities(graph),
        links=len(graph.links),
        extractor=reader.name,
        seconds=round(time.monotonic() - started, 2),
    )


def count_entities(graph: KnowledgeGraph) -> dict[str, int]:
    """Count the canonical entities of each type, in the order of the types."""
    counts = Counter(entity.type for entity in graph.entities)
    return {kind: counts[kind] for kind in ENTITY_TYPES}


def extract_papers(papers: Sequence[Paper], extractor: Extractor, progress: Progress = no_progress) -> Iterator[Extraction]:
    """Extract papers one after another, telling the progress."""
    for done, extraction in enumerate(extractor.extract(papers), 1):
        yield extraction
        progress("reading abstracts", done, len(papers))


def _batches(items: Iterator[Extraction], size: int) -> Iterator[list[Extraction]]:
    while batch := list(islice(items, size)):
        yield batch


def _source_files(papers: Sequence[Paper]) -> list[SourceFile]:
    return [SourceFile(path, _digest(Path(path))) for path in sorted({paper.source.path for paper in papers})]


def _digest(file: Path) -> str:
    try:
        if file.is_file():
            with file.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:  # it was there when its papers were read
        return ""
    return ""  # standard input is gone once it is read
