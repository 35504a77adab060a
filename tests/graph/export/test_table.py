"""The rows that GEXF, GraphML and CSV share."""

from __future__ import annotations

from dataclasses import replace

from examples import BEATS, GRAPH, LORA_PAPER, NEO_PAPER, RUNS_ON

from methodmap.graph.export.table import EDGE_COLUMNS, NODE_COLUMNS, EdgeRow, NodeRow, to_table
from methodmap.graph.model import CanonicalEntity, KnowledgeGraph, Link, Statement
from methodmap.graph.network import to_network


def test_a_node_and_an_edge_in_full() -> None:
    """Rows hold the columns' values in the columns' order, None where the map knows nothing."""
    table = to_table(to_network(GRAPH))
    assert [column.name for column in NODE_COLUMNS] == ["kind", "papers", "year", "venue", "baseline", "proposed_by", "aliases", "url"]
    assert table.nodes[1] == NodeRow("method/lora", "method/lora", "LoRA", ("Method", 1, None, None, False, 0, None, None))
    assert [column.name for column in EDGE_COLUMNS] == ["kind", "role", "confidence", "evidence", "sentence"]
    assert table.edges[-1] == EdgeRow(
        "paper/lora-x used method/lora",
        "paper/lora-x",
        "method/lora",
        "uses",
        1.0,
        ("uses", "used", 0.9, 1, "We may extend LoRA & test <it> on ImageNet-C."),
    )


def test_an_entity_has_its_first_papers_year() -> None:
    """The year of an entity is that of the earliest paper that names it; papers without a year do not count."""
    papers = tuple(replace(NEO_PAPER, id=name, year=year) for name, year in (("a", 2024), ("b", 2021), ("c", None)))
    graph = KnowledgeGraph(
        papers=papers,
        entities=(CanonicalEntity("method/x", "Method", "X"), CanonicalEntity("method/y", "Method", "Y")),
        links=(*(Link(paper.id, "method/x", "used", 0.5, ()) for paper in papers), Link("c", "method/y", "used", 0.5, ())),
    )
    year = [column.name for column in NODE_COLUMNS].index("year")
    assert [(node.id, node.values[year]) for node in to_table(to_network(graph)).nodes] == [
        ("method/x", 2021),
        ("method/y", None),
        ("paper/a", 2024),
        ("paper/b", 2021),
        ("paper/c", None),
    ]


def test_an_edge_shows_its_surest_sentence() -> None:
    """Of several pieces of evidence the sentence with the highest confidence is shown, and all are counted as the weight."""
    surest = replace(RUNS_ON, confidence=0.123456789, sentence="It\n holds. ")
    statement = Statement("method/neo", "outperforms", "method/tent", (replace(BEATS, confidence=0.1), surest))
    edge = to_table(to_network(replace(GRAPH, links=(), statements=(statement,)))).edges[0]
    assert (edge.weight, edge.values) == (2.0, ("outperforms", None, 0.1235, 2, "It holds."))


def test_ids_that_files_cannot_tell_apart_get_numbers() -> None:
    """Two papers whose ids differ only in characters that no file can hold stay two nodes."""
    graph = KnowledgeGraph(papers=tuple(replace(LORA_PAPER, id=name) for name in ("a", "a\x00", "a\x01")))
    assert [(node.key, node.id) for node in to_table(to_network(graph)).nodes] == [
        ("paper/a", "paper/a"),
        ("paper/a\x00", "paper/a (2)"),
        ("paper/a\x01", "paper/a (3)"),
    ]


def test_aliases_are_joined_by_bars() -> None:
    """Several aliases are one string, since readers disagree about lists."""
    graph = KnowledgeGraph(entities=(CanonicalEntity("method/x", "Method", "X", ("Ex", "Iks")),))
    aliases = [column.name for column in NODE_COLUMNS].index("aliases")
    assert to_table(to_network(graph)).nodes[0].values[aliases] == "Ex|Iks"
