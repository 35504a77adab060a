"""GraphML as networkx, which did not write it, reads it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx
from examples import BEATS, GRAPH

from methodmap.graph.export import export
from methodmap.graph.model import Statement

N = "{http://graphml.graphdrawing.org/xmlns}"
PARALLEL = replace(
    GRAPH,
    statements=(
        Statement("method/neo", "comparedWith", "method/tent", (BEATS,)),
        Statement("method/neo", "outperforms", "method/tent", (BEATS,)),
    ),
)


def test_networkx_reads_it(tmp_path: Path) -> None:
    """Networkx finds every node and edge, parallel ones too, with typed values."""
    graph = nx.read_graphml(export(PARALLEL, tmp_path / "map.graphml")[0], force_multigraph=True)
    assert isinstance(graph, nx.MultiDiGraph)
    assert graph.number_of_nodes() == len(GRAPH.papers) + len(GRAPH.entities)
    assert graph.number_of_edges() == len(GRAPH.links) + 2
    assert graph.nodes["paper/lora-x"] == {
        "label": 'Extending "LoRA" <again>',
        "kind": "Paper",
        "papers": 1,
        "year": 0,
        "venue": "-",
        "baseline": False,
        "proposed_by": 0,
        "aliases": "-",
        "url": "https://example.org/lora-x",
    }
    assert graph.nodes["method/tent"]["baseline"] is True
    assert graph.edges["paper/000-06", "task/test-time-adaptation", "paper/000-06 addressed task/test-time-adaptation"] == {
        "label": "addresses",
        "weight": 2.0,
        "kind": "addresses",
        "role": "addressed",
        "confidence": 0.9,
        "evidence": 2,
        "sentence": "Test-time adaptation (TTA) is hard.",
    }
    assert sorted(graph["method/neo"]["method/tent"]) == ["method/neo comparedWith method/tent", "method/neo outperforms method/tent"]


def test_ids_are_unique(tmp_path: Path) -> None:
    """No two keys and no two edges share an id, as GraphML's schema asks."""
    root = ElementTree.parse(export(PARALLEL, tmp_path / "map.graphml")[0]).getroot()
    for tag in ("key", "node", "edge"):
        ids = [element.get("id") for element in root.iter(f"{N}{tag}")]
        assert len(ids) == len(set(ids)) > 0
