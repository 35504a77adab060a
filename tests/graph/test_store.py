"""A map folder keeps what a build committed, gives it back exactly, and is refused with a reason where it cannot be read."""

from __future__ import annotations

import io
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pyoxigraph
import pytest
from examples import EXTRACTOR, GRAPH, LORA_EXTRACTION, LORA_PAPER, NEO_EXTRACTION, NEO_PAPER
from hypothesis import given
from hypothesis import strategies as st

from methodmap.graph import records_json
from methodmap.graph.errors import MapFormatError, MapLockedError, MapNotFoundError, MapWriteError
from methodmap.graph.model import Paper
from methodmap.graph.query import Rows, run
from methodmap.graph.store import MapStore, SourceFile

SOURCES = (SourceFile("more.jsonl", "b" * 64), SourceFile("seeds/toy.txt", "a" * 64))
IDS = "SELECT ?id { ?p a mm:Paper ; dcterms:identifier ?id } ORDER BY ?id"
IRIS = "SELECT ?p { ?p a mm:Paper } ORDER BY ?p"


def make(folder: Path, *papers: Paper) -> Path:
    """A finished map of these papers, of both toy papers if none is given."""
    with MapStore.create_or_open(folder) as store:
        store.save_extractions([NEO_EXTRACTION, LORA_EXTRACTION])
        store.replace_papers(papers or (LORA_PAPER, NEO_PAPER), SOURCES, extractor=EXTRACTOR)
        store.rebuild_store()
    return folder


def ids(store: MapStore | pyoxigraph.Store, query: str = IDS) -> list[str]:
    """The papers that a map's database, or one that was opened before, answers with."""
    answer = run(store.store() if isinstance(store, MapStore) else store, query)
    assert isinstance(answer, Rows)
    return [str(row[0]) for row in answer.rows]


def test_a_map_gives_back_what_was_put_in(tmp_path: Path) -> None:
    """Papers, sources, extractions and the graph made of them come back equal, sorted, after the map was closed."""
    with MapStore.open(make(tmp_path / "map")) as store:
        assert store.papers() == (NEO_PAPER, LORA_PAPER)
        assert store.sources() == SOURCES
        assert store.extractions() == (NEO_EXTRACTION, LORA_EXTRACTION)
        assert (store.extractor, store.base_iri) == (EXTRACTOR, "https://w3id.org/methodmap/")
        assert store.graph().papers == GRAPH.papers
        assert [(link.paper, link.role) for link in store.graph().links] == [(link.paper, link.role) for link in GRAPH.links]
        assert ids(store) == ["000-06", "lora-x"]


@given(st.floats(0, 1), st.decimals(allow_nan=False, allow_infinity=False), st.text(st.characters(codec="utf-8")))
def test_records_survive_json_exactly(confidence: float, value: Decimal, text: str) -> None:
    """Floats, decimals (their digits included) and any text come back as they were."""
    entity = replace(NEO_EXTRACTION.entities[0], confidence=confidence, name=text)
    result = replace(NEO_EXTRACTION.results[0], value=value, unit=text)
    extraction = replace(NEO_EXTRACTION, entities=(entity,), results=(result,))
    again = records_json.load_extraction(records_json.dump_extraction(extraction))
    assert again == extraction
    assert str(again.results[0].value) == str(value)
    paper = replace(NEO_PAPER, abstract=text, title=text)
    assert records_json.load_paper(records_json.dump_paper(paper)) == paper


def test_unchanged_texts_are_known(tmp_path: Path) -> None:
    """A build learns which texts the same extractor has done; another version of it has done none."""
    with MapStore.create_or_open(tmp_path / "map") as store:
        store.save_extractions([NEO_EXTRACTION])
        assert store.extracted(EXTRACTOR) == {NEO_EXTRACTION.text_hash}
        assert store.extracted("toy/2") == frozenset()
        assert store.papers() == ()


def test_another_methodmap_reads_texts_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an upgrade nothing in a map is left from the version before it, so that the map is that of a clean build."""
    folder = make(tmp_path / "map")
    monkeypatch.setattr("importlib.metadata.version", lambda _: "99.0")
    with MapStore.create_or_open(folder) as store:
        assert store.extracted(EXTRACTOR) == frozenset()
        store.save_extractions([NEO_EXTRACTION])
        store.replace_papers([NEO_PAPER], SOURCES, extractor=EXTRACTOR)
        assert store.extractions() == (NEO_EXTRACTION,)


def test_an_extraction_serves_another_paper_of_the_same_text(tmp_path: Path) -> None:
    """A paper whose id changed takes over its text's extraction, with every piece of evidence naming the new id."""
    with MapStore.open(make(tmp_path / "map", replace(NEO_PAPER, id="new"))) as store:
        (extraction,) = store.extractions()
        assert extraction.paper == "new"
        assert {m.evidence.paper for e in extraction.entities for m in e.mentions} == {"new"}
        assert {relation.evidence.paper for relation in extraction.relations} == {"new"}
        assert {result.evidence.paper for result in extraction.results} == {"new"}
        assert replace(extraction, entities=(), relations=(), results=()) == replace(
            NEO_EXTRACTION, paper="new", entities=(), relations=(), results=()
        )
        assert records_json.rebind(extraction, "000-06") == NEO_EXTRACTION


def test_papers_are_replaced_as_a_whole(tmp_path: Path) -> None:
    """Papers whose source is gone go, with their extractions; the database and the graph follow, and equal those of a clean build."""
    folder = make(tmp_path / "map")
    with MapStore.create_or_open(folder) as store:
        assert ids(store) == ["000-06", "lora-x"]
        store.replace_papers([LORA_PAPER], SOURCES[:1], extractor=EXTRACTOR)
        assert store.papers() == (LORA_PAPER,)
        assert store.sources() == SOURCES[:1]
        assert store.extracted(EXTRACTOR) == {LORA_EXTRACTION.text_hash}
        assert ids(store) == ["lora-x"]
        with MapStore.open(make(tmp_path / "clean", LORA_PAPER)) as clean:
            assert store.graph() == clean.graph()
            assert set(store.store()) == set(clean.store())


@pytest.mark.parametrize(
    ("papers", "message"),
    [
        ([NEO_PAPER, replace(LORA_PAPER, abstract="New text.")], r"without an extraction by 'toy/1': \['lora-x'\]"),
        ([NEO_PAPER, replace(LORA_PAPER, id="000-06")], r"two papers have one id: \['000-06'\]"),
    ],
)
def test_wrong_papers_change_nothing(tmp_path: Path, papers: list[Paper], message: str) -> None:
    """Papers without an extraction, or with one id, are refused, and the map is as before."""
    with MapStore.create_or_open(make(tmp_path / "map", NEO_PAPER)) as store:
        store.save_extractions([LORA_EXTRACTION])
        with pytest.raises(ValueError, match=message):
            store.replace_papers(papers, (), extractor=EXTRACTOR)
        assert store.papers() == (NEO_PAPER,)
        assert store.sources() == SOURCES


def test_a_batch_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    """A batch that fails half way leaves nothing of itself behind, and the batches before it stay."""
    with MapStore.create_or_open(tmp_path / "map") as store:
        store.save_extractions([NEO_EXTRACTION])
        with pytest.raises(sqlite3.Error):
            store.save_extractions([LORA_EXTRACTION, replace(LORA_EXTRACTION, text_hash=None)])  # type: ignore[arg-type]  # on purpose
        assert store.extracted(EXTRACTOR) == {NEO_EXTRACTION.text_hash}


def test_a_killed_build_goes_on(tmp_path: Path) -> None:
    """Of a process that dies without a goodbye, every committed batch is there for the next build, and its lock is gone."""
    folder = tmp_path / "map"
    code = (
        "import os, sys; from pathlib import Path; from examples import *; from methodmap.graph.store import MapStore\n"
        "store = MapStore.create_or_open(Path(sys.argv[1])); store.save_extractions([NEO_EXTRACTION])\n"
        "store._connection.execute('BEGIN IMMEDIATE'); store._connection.execute('DELETE FROM extractions'); os._exit(9)"
    )
    tests = str(Path(__file__).parents[1])
    assert subprocess.run([sys.executable, "-c", code, str(folder)], cwd=tests, check=False).returncode == 9
    with MapStore.create_or_open(folder) as store:
        assert store.extracted(EXTRACTOR) == {NEO_EXTRACTION.text_hash}


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    """A second writer is told so at once; readers are not in the way, and see a finished build while their old answers stay good."""
    folder = make(tmp_path / "map", NEO_PAPER)
    with MapStore.open(folder) as reader, MapStore.create_or_open(folder) as writer:
        with pytest.raises(MapLockedError, match="another build is writing"):
            MapStore.create_or_open(folder)
        old = reader.store()
        writer.save_extractions([LORA_EXTRACTION])
        assert ids(reader) == ["000-06"]
        writer.replace_papers([NEO_PAPER, LORA_PAPER], SOURCES, extractor=EXTRACTOR)
        writer.rebuild_store()
        writer.rebuild_store()
        assert ids(old) == ["000-06"]
        assert ids(reader) == ["000-06", "lora-x"]
        assert len(reader.graph().papers) == 2
    with MapStore.create_or_open(folder) as store:
        assert ids(store) == ["000-06", "lora-x"]


def test_the_database_is_derived_again_where_it_is_missing(tmp_path: Path) -> None:
    """Without its ``store`` folder, or with a damaged one, a map answers all the same: a reader writes nothing, a writer puts it back."""
    folder = make(tmp_path / "map")
    shutil.rmtree(folder / "store")
    with MapStore.open(folder) as store:
        assert ids(store) == ["000-06", "lora-x"]
    assert not (folder / "store").exists()
    with MapStore.create_or_open(folder) as store:
        assert ids(store) == ["000-06", "lora-x"]
    (built,) = (folder / "store").iterdir()
    for file in built.iterdir():
        file.write_bytes(b"")
    with MapStore.create_or_open(folder) as store:
        assert ids(store) == ["000-06", "lora-x"]


def test_a_database_that_lost_its_files_is_derived_again(tmp_path: Path) -> None:
    """Where the list of its files is cut short, as by a power cut, a database holds nothing, and that is not taken for an answer."""
    folder = make(tmp_path / "map")
    (manifest,) = (folder / "store").glob("*/MANIFEST-*")
    content = manifest.read_bytes()
    manifest.write_bytes(content[: len(content) // 2])
    with MapStore.open(folder) as store:
        assert ids(store) == ["000-06", "lora-x"]


def test_leftovers_of_a_crash_are_cleaned_up(tmp_path: Path) -> None:
    """What a killed build left under ``store`` goes with the next rebuild; one database remains."""
    folder = make(tmp_path / "map")
    (folder / "store" / "half-made").mkdir()
    with MapStore.create_or_open(folder) as store:
        store.rebuild_store()
        assert ids(store) == ["000-06", "lora-x"]
    assert len(list((folder / "store").iterdir())) == 1


def test_a_base_iri_is_kept_until_another_is_given(tmp_path: Path) -> None:
    """Every resource's IRI begins with the map's base; an update without one keeps it, another one moves the database over."""
    with MapStore.create_or_open(tmp_path / "map", base_iri="https://example.org/"):
        pass
    with MapStore.open(make(tmp_path / "map")) as store:
        assert store.base_iri == "https://example.org/"
        assert ids(store, IRIS) == ["https://example.org/paper/000-06", "https://example.org/paper/lora-x"]
    with MapStore.create_or_open(tmp_path / "map", base_iri="https://example.com/") as store:
        assert ids(store, IRIS) == ["https://example.com/paper/000-06", "https://example.com/paper/lora-x"]


def test_reading_does_not_write(tmp_path: Path) -> None:
    """A map that is open for reading refuses to be written to."""
    with MapStore.open(make(tmp_path / "map")) as store:
        with pytest.raises(io.UnsupportedOperation, match="open for reading"):
            store.save_extractions([NEO_EXTRACTION])
        with pytest.raises(io.UnsupportedOperation, match="open for reading"):
            store.rebuild_store()


def test_there_is_no_map(tmp_path: Path) -> None:
    """Opening a folder that is missing or has no map says how to make one."""
    for folder in (tmp_path / "missing", tmp_path):
        with pytest.raises(MapNotFoundError, match="methodmap build"):
            MapStore.open(folder)


def test_foreign_folders_are_left_alone(tmp_path: Path) -> None:
    """No map is made in a folder that holds other things, nor in the place of a file."""
    (tmp_path / "thesis.tex").write_text("precious", encoding="utf-8")
    with pytest.raises(MapFormatError, match=r"holds other things \('thesis.tex'\)"):
        MapStore.create_or_open(tmp_path)
    with pytest.raises(MapFormatError, match="it is a file"):
        MapStore.create_or_open(tmp_path / "thesis.tex")
    assert [child.name for child in tmp_path.iterdir()] == ["thesis.tex"]


def test_what_is_no_map_is_refused(tmp_path: Path) -> None:
    """Text, another program's SQLite file, a newer version's map and one without tables are each refused with the reason, unchanged."""
    file = tmp_path / "map.sqlite"
    file.write_text("no SQLite file at all, " * 50, encoding="utf-8")
    for attempt in (MapStore.open, MapStore.create_or_open):
        with pytest.raises(MapFormatError, match="no SQLite file"):
            attempt(tmp_path)
    file.unlink()
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE meta (key TEXT, value TEXT)")
    connection.close()
    for attempt in (MapStore.open, MapStore.create_or_open):
        with pytest.raises(MapFormatError, match="something else"):
            attempt(tmp_path)
    with sqlite3.connect(file) as connection:
        connection.execute("INSERT INTO meta VALUES ('schema', '99')")
    connection.close()
    for attempt in (MapStore.open, MapStore.create_or_open):
        with pytest.raises(MapFormatError, match=r"newer version of methodmap \(tables of version 99; this one reads 1\)"):
            attempt(tmp_path)
    file.write_bytes(b"")
    with pytest.raises(MapFormatError, match="run it again"):
        MapStore.open(tmp_path)
    with MapStore.create_or_open(tmp_path) as store:  # a build that was killed at once is begun again
        assert store.papers() == ()


def test_a_damaged_map_is_named(tmp_path: Path) -> None:
    """A record that cannot be read ends in an error that names the folder and says what to do."""
    folder = make(tmp_path / "map")
    connection = sqlite3.connect(folder / "map.sqlite")
    with connection:
        connection.execute("UPDATE papers SET body = '{}' WHERE id = 'lora-x'")
    connection.close()
    with MapStore.open(folder) as store, pytest.raises(MapFormatError, match="is damaged"):
        store.graph()


@pytest.mark.parametrize(
    ("damage", "use"),
    [
        ("papers SET body", MapStore.papers),
        ("extractions SET body", MapStore.graph),
        ("extractions SET text_hash", lambda store: store.extracted(EXTRACTOR)),
        ("sources SET sha256", MapStore.sources),
        ("meta SET value", lambda store: store.base_iri),
    ],
)
def test_bytes_that_are_no_text_are_damage(tmp_path: Path, damage: str, use: Callable[[MapStore], object]) -> None:
    """Whatever column holds what cannot be decoded, the error is about the map and says what to do."""
    folder = make(tmp_path / "map")
    connection = sqlite3.connect(folder / "map.sqlite")
    with connection:
        connection.execute(f"UPDATE OR IGNORE {damage} = CAST(x'61ff' AS TEXT)" + (" WHERE key = 'base_iri'" if "meta" in damage else ""))
    connection.close()
    with MapStore.open(folder) as store, pytest.raises(MapFormatError, match=r"is damaged .* remove the folder and build it again"):
        use(store)


def test_a_full_disk_is_said_and_loses_nothing(tmp_path: Path) -> None:
    """A batch that finds no room ends in an error that tells what to do; what was there before can be read, and written to again."""
    folder = make(tmp_path / "map", NEO_PAPER)
    with MapStore.create_or_open(folder) as store:
        store._connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(MapWriteError, match="the disk has room"):
            store.save_extractions(replace(NEO_EXTRACTION, text_hash=f"{i:064d}") for i in range(100))
        store._connection.execute("PRAGMA max_page_count = 1000000")
        assert ids(store) == ["000-06"]
        store.save_extractions([LORA_EXTRACTION])
        assert len(store.extracted(EXTRACTOR)) == 2


def test_what_the_system_refuses_is_no_other_build(tmp_path: Path) -> None:
    """Where the lock cannot be opened, nobody is told to wait for a build that is not there."""
    (tmp_path / "map" / "lock.sqlite").mkdir(parents=True)
    with pytest.raises(MapWriteError, match="cannot write the map"):
        MapStore.create_or_open(tmp_path / "map")


def test_a_map_knows_its_own_files(tmp_path: Path) -> None:
    """What would overwrite a part of the map can be told from what lies beside it or, under another name, in it."""
    with MapStore.open(make(tmp_path / "map")) as store:
        own = [
            tmp_path / "map" / "map.sqlite",
            tmp_path / "x" / ".." / "map" / "map.sqlite-wal",
            tmp_path / "map" / "lock.sqlite",
            tmp_path / "map" / "store" / "a" / "b",
        ]
        other = [tmp_path / "map.sqlite", tmp_path / "map", tmp_path / "map" / "view.html", tmp_path / "map-nodes.csv"]
        assert [store.owns(path) for path in own] == [True] * 4
        assert [store.owns(path) for path in other] == [False] * 4


def test_a_map_that_no_build_has_finished(tmp_path: Path) -> None:
    """A first build that runs, or was stopped, has no map to show yet: an empty answer would be a wrong one."""
    with MapStore.create_or_open(tmp_path / "map") as store:
        store.save_extractions([NEO_EXTRACTION])
        with pytest.raises(MapFormatError, match="no build of it has ended yet"):
            MapStore.open(tmp_path / "map")
    with MapStore.open(make(tmp_path / "map")) as store:
        assert len(store.papers()) == 2
