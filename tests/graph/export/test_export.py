"""The one door to all formats: which is chosen, what appears on disk, and what does not."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from examples import GRAPH

from methodmap.graph.errors import ExportError, UnknownFormatError
from methodmap.graph.export import FORMATS, export
from methodmap.graph.model import KnowledgeGraph

GOLDEN = Path(__file__).parents[2] / "golden"


def test_formats_are_those_promised() -> None:
    """Every format of the manual is there, under the ending of its files."""
    assert sorted(FORMATS) == ["csv", "gexf", "graphml", "jsonld", "nq", "nt", "rdf", "trig", "ttl"]


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"csv"}))
def test_the_ending_chooses_the_format(tmp_path: Path, name: str) -> None:
    """A file's ending, in either case, and the format's name lead to the same bytes; the path written is returned."""
    by_ending, by_name = tmp_path / f"map.{name.upper()}", tmp_path / "map.out"
    assert export(GRAPH, by_ending) == (by_ending,)
    assert export(GRAPH, by_name, format=name) == (by_name,)
    assert by_ending.read_bytes() == by_name.read_bytes() != b""


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_an_empty_map_is_a_file_too(tmp_path: Path, name: str) -> None:
    """A map with nothing in it is written in every format."""
    assert all(written.is_file() for written in export(KnowledgeGraph(), tmp_path / f"empty.{name}"))


@pytest.mark.parametrize("name", ["map.gexf", "map.graphml"])
def test_golden_files(tmp_path: Path, name: str) -> None:
    """The toy map is written exactly as the golden file shows it."""
    export(GRAPH, tmp_path / name)
    assert (tmp_path / name).read_text(encoding="utf-8") == (GOLDEN / name).read_text(encoding="utf-8")


def test_golden_csv(tmp_path: Path) -> None:
    """CSV is a pair of files beside the named one, written exactly as the golden files show them."""
    assert export(GRAPH, tmp_path / "map.csv") == (tmp_path / "map-nodes.csv", tmp_path / "map-edges.csv")
    for name in ("map-nodes.csv", "map-edges.csv"):
        assert (tmp_path / name).read_bytes() == (GOLDEN / name).read_bytes()
    assert not (tmp_path / "map.csv").exists()


@pytest.mark.parametrize(("name", "shown"), [("map.docx", "docx"), ("map", "map")])
def test_unknown_endings_name_the_known_ones(tmp_path: Path, name: str, shown: str) -> None:
    """An ending that is no format is refused before anything is written, with the formats there are."""
    with pytest.raises(UnknownFormatError, match="gexf, graphml") as caught:
        export(GRAPH, tmp_path / name)
    assert caught.value.name == shown
    assert list(tmp_path.iterdir()) == []


def test_an_asked_format_beats_the_ending(tmp_path: Path) -> None:
    """The format that is asked for wins over the file's ending."""
    export(GRAPH, tmp_path / "map.gexf", format="ttl")
    assert (tmp_path / "map.gexf").read_text(encoding="utf-8").startswith("@prefix ")


def test_base_begins_the_iris(tmp_path: Path) -> None:
    """RDF formats mint IRIs under the base that is given."""
    export(GRAPH, tmp_path / "map.nt", base="https://example.org/m/")
    assert "<https://example.org/m/method/neo>" in (tmp_path / "map.nt").read_text(encoding="utf-8")


class Broken(Mapping[str, Any]):
    """Positions that fail halfway through a file."""

    def __getitem__(self, key: str) -> Any:
        return (float("nan"), 0.0)

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 1


def test_a_failed_export_leaves_the_old_file(tmp_path: Path) -> None:
    """When writing fails the file is as it was, and nothing is left beside it."""
    (tmp_path / "map.gexf").write_text("old", encoding="utf-8")
    with pytest.raises(ValueError, match="finite"):
        export(GRAPH, tmp_path / "map.gexf", positions=Broken())
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [("map.gexf", "old")]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """A path in a folder that does not exist is refused with what to do."""
    with pytest.raises(ExportError, match=r"there is no folder .*missing.*: make it first") as caught:
        export(GRAPH, tmp_path / "missing" / "map.csv")
    assert caught.value.path == tmp_path / "missing" / "map-nodes.csv"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """A path that is a folder is refused."""
    (tmp_path / "map.gexf").mkdir()
    with pytest.raises(ExportError, match="it is a folder"):
        export(GRAPH, tmp_path / "map.gexf")


def test_names_too_long_for_the_system_are_refused(tmp_path: Path) -> None:
    """What the operating system refuses becomes an ExportError that says so once."""
    with pytest.raises(ExportError, match=r"^cannot write .*: [^:]*$"):
        export(GRAPH, tmp_path / f"{'m' * 300}.csv")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full, a device that is always full")
def test_a_full_device_is_an_error_and_stays_a_device() -> None:
    """A device is written to, never replaced by a file; that it is full is reported."""
    with pytest.raises(ExportError, match="cannot write '/dev/full'"):
        export(GRAPH, Path("/dev/full"), format="nq")
    assert Path("/dev/full").is_char_device()


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_links_are_followed(tmp_path: Path) -> None:
    """Writing to a link changes the file that it leads to, and leaves the link."""
    (tmp_path / "real.nt").touch()
    (tmp_path / "map.nt").symlink_to(tmp_path / "real.nt")
    export(GRAPH, tmp_path / "map.nt")
    assert (tmp_path / "map.nt").is_symlink()
    assert (tmp_path / "real.nt").stat().st_size > 0
