"""A build is what its sources are now, whatever was there before and however often it was stopped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from methodmap.graph.build import build
from methodmap.graph.errors import SourceError
from methodmap.graph.export import export
from methodmap.graph.model import Entity, Evidence, Extraction, Mention, Paper, text_hash
from methodmap.graph.query import Rows, run
from methodmap.graph.store import MapStore, SourceFile

NAMES = re.compile(r"\b(?:NEO|TENT|LoRA|GLUE)\b")


class Capitals:
    """An extractor that takes four names for methods, and stops in the middle where it is told to."""

    def __init__(self, name: str = "capitals/1", stop_after: int | None = None) -> None:
        self.name = name
        self.stop_after = stop_after
        self.read: list[str] = []

    def __call__(self) -> Capitals:
        """Be one's own factory."""
        return self

    def extract(self, papers: Iterable[Paper]) -> Iterator[Extraction]:
        """One extraction a paper."""
        for paper in papers:
            if len(self.read) == self.stop_after:
                raise KeyboardInterrupt
            self.read.append(paper.id)
            yield Extraction(paper.id, text_hash(paper.abstract), self.name, tuple(self._entities(paper)))

    def _entities(self, paper: Paper) -> Iterator[Entity]:
        text = paper.abstract
        for name in sorted(set(NAMES.findall(text))):
            start, end = text.index(name), text.index(name) + len(name)
            evidence = Evidence(paper.id, text_hash(text), start, end, name, 0, len(text), text, 0.9, self.name)
            yield Entity(name, "Method", "used", (Mention(name, evidence),), 0.9)


def record(number: int, abstract: str = "We compare NEO with TENT, once more.", **fields: object) -> dict[str, object]:
    """A record of a JSONL file."""
    return {"id": f"p{number:03d}", "title": f"Paper {number}", "abstract": f"{abstract} Part {number}.", **fields}


def write(path: Path, records: Iterable[dict[str, object]]) -> None:
    """Write a JSONL file."""
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")


def content(folder: Path) -> list[bytes]:
    """All that a map exports, as bytes, and how many papers its database knows."""
    with MapStore.open(folder) as store:
        files = [file for ending in ("nq", "gexf", "csv") for file in export(store.graph(), folder.parent / f"out.{ending}")]
        answer = run(store.store(), "SELECT (COUNT(*) AS ?n) { ?p a mm:Paper }")
        assert isinstance(answer, Rows)
        return [*(file.read_bytes() for file in files), repr((answer.rows, store.sources())).encode()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_update_gives_the_bytes_of_a_clean_build(folder: Path) -> None:
    """Papers that came, went, changed their text or only their title, or share a text: nothing tells how the map came about."""
    write(folder / "a.jsonl", map(record, range(20)))
    build(["a.jsonl"], "map", extractor=Capitals())
    changed = [record(2), record(3, "We tune LoRA on GLUE instead of this."), record(4, title="Another title"), *map(record, range(9, 30))]
    write(folder / "a.jsonl", [*changed, {**record(9), "id": "copy"}])
    report = build(["a.jsonl"], "map", extractor=Capitals())
    assert (report.papers, report.extracted, report.unchanged, report.removed) == (25, 11, 14, 6)
    build(["a.jsonl"], "clean", extractor=Capitals())
    assert content(folder / "map") == content(folder / "clean")


def test_a_build_that_was_stopped_goes_on(folder: Path) -> None:
    """What was read before a Ctrl-C is not read again, the map is as it was until a build ends, and then as if none had been stopped."""
    write(folder / "a.jsonl", map(record, range(3)))
    build(["a.jsonl"], "map", extractor=Capitals())
    before = content(folder / "map")
    write(folder / "a.jsonl", map(record, range(200)))
    with pytest.raises(KeyboardInterrupt):
        build(["a.jsonl"], "map", extractor=Capitals(stop_after=150))
    assert content(folder / "map") == before
    second = Capitals()
    build(["a.jsonl"], "map", extractor=second)
    assert 0 < len(second.read) < 197
    build(["a.jsonl"], "clean", extractor=Capitals())
    assert content(folder / "map") == content(folder / "clean")


def test_another_extractor_reads_all_anew(folder: Path) -> None:
    """Nothing that an older model found stays in the map beside what a newer one finds."""
    write(folder / "a.jsonl", map(record, range(3)))
    build(["a.jsonl"], "map", extractor=Capitals())
    newer = Capitals("capitals/2")
    build(["a.jsonl"], "map", extractor=newer)
    assert newer.read == ["p000", "p001", "p002"]
    with MapStore.open("map") as store:
        assert {extraction.extractor for extraction in store.extractions()} == {"capitals/2"}


def test_the_order_of_records_says_nothing(folder: Path) -> None:
    """Files that hold the same papers in another order give the same map, but for the lines that they stand on."""
    write(folder / "a.jsonl", map(record, range(20)))
    build(["a.jsonl"], "map", extractor=Capitals())
    write(folder / "a.jsonl", map(record, reversed(range(20))))
    build(["a.jsonl"], "other", extractor=Capitals())
    with MapStore.open("map") as one, MapStore.open("other") as other:
        assert one.graph().links == other.graph().links
        assert [replace(p, source=one.papers()[0].source) for p in one.papers()] == [
            replace(p, source=one.papers()[0].source) for p in other.papers()
        ]


def test_no_paper_leaves_the_map_as_it_was(folder: Path) -> None:
    """Sources that hold nothing are a mistake, not a wish to empty the map."""
    write(folder / "a.jsonl", map(record, range(3)))
    build(["a.jsonl"], "map", extractor=Capitals())
    before = content(folder / "map")
    (folder / "a.jsonl").write_bytes(b"")
    with pytest.raises(SourceError, match="the file is empty"):
        build(["a.jsonl"], "map", extractor=Capitals())
    assert content(folder / "map") == before


def test_a_source_that_vanishes(folder: Path) -> None:
    """A file that is removed while its abstracts are read costs its checksum and nothing else."""
    write(folder / "a.jsonl", map(record, range(3)))

    def remove() -> Capitals:
        (folder / "a.jsonl").unlink()
        return Capitals()

    assert build(["a.jsonl"], "map", extractor=remove).papers == 3
    with MapStore.open("map") as store:
        assert store.sources() == (SourceFile("a.jsonl", ""),)


def test_nothing_named_anywhere(folder: Path) -> None:
    """Papers that name nothing are a map too: it exports, and its database answers."""
    write(folder / "a.jsonl", [record(1, "We think about nothing in particular here.")])
    assert build(["a.jsonl"], "map", extractor=Capitals()).entities == {"Method": 0, "Dataset": 0, "Task": 0, "Metric": 0, "Concept": 0}
    assert b"p001" in content(folder / "map")[0]
