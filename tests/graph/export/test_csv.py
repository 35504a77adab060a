"""CSV as Python's own reader, and a spreadsheet's user, meet it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from examples import NEO_PAPER

from methodmap.graph.export import export
from methodmap.graph.model import CanonicalEntity, KnowledgeGraph

ODD_LABELS = ['say "hi", again', "=SUM(A1)", "+MoE", "-", "@K", "C++ | Rust", "ímport 🙂 עברית", "two\r\nlines"]


@pytest.mark.parametrize("label", ODD_LABELS)
def test_cells_come_back_as_they_were(tmp_path: Path, label: str) -> None:
    """Quotes, commas and what spreadsheets take for formulas are data and come back unchanged; line ends become spaces."""
    graph = KnowledgeGraph(papers=(NEO_PAPER,), entities=(CanonicalEntity("method/odd", "Method", label),))
    nodes, _ = export(graph, tmp_path / "map.csv")
    with nodes.open(encoding="utf-8", newline="") as stream:
        rows = {row["Id"]: row for row in csv.DictReader(stream)}
    assert rows["method/odd"] == {
        "Id": "method/odd",
        "Label": label.replace("\r\n", " "),
        "kind": "Method",
        "papers": "0",
        "year": "",
        "venue": "",
        "baseline": "false",
        "proposed_by": "0",
        "aliases": "",
        "url": "",
    }


def test_no_byte_order_mark_and_one_line_a_row(tmp_path: Path) -> None:
    """The files begin with the header's first letter and hold one line a row, ended by a line feed."""
    graph = KnowledgeGraph(papers=(NEO_PAPER,), entities=(CanonicalEntity("method/odd", "Method", "a\nb\rc"),))
    nodes, edges = (path.read_bytes() for path in export(graph, tmp_path / "map.csv"))
    assert nodes.startswith(b"Id,Label,")
    assert edges.startswith(b"Source,Target,Type,Kind,Id,Label,Weight,")
    assert (nodes.count(b"\n"), nodes.count(b"\r"), edges.count(b"\n")) == (3, 0, 1)
