from __future__ import annotations

from dataclasses import replace

import networkx as nx
import pytest
from examples import ACCURACY, BEATS, GRAPH, IMAGENET_C, IMAGENET_C_AGAIN, LORA, LORA_PAPER, NEO, NEO_PAPER, RUNS_ON, TENT, TTA, TTA_SHORT

from methodmap.graph.errors import GraphDataError
from methodmap.graph.model import KnowledgeGraph, Link
from methodmap.graph.network import from_network, paper_node, to_network

NODES = [
    (
        "paper/000-06",
        {"kind": "Paper", "label": "NEO", "papers": 1, "title": None, "venue": "ICLR 2026", "year": 2026, "record": NEO_PAPER},
    ),
    (
        "paper/lora-x",
        {
            "kind": "Paper",
            "label": 'Extending "LoRA" <again>',
            "papers": 1,
            "title": 'Extending "LoRA" <again>',
            "venue": None,
            "year": None,
            "record": LORA_PAPER,
        },
    ),
    (
        "dataset/imagenet-c",
        {"kind": "Dataset", "label": "ImageNet-C", "papers": 2, "aliases": (), "baseline": False, "proposed_by": 0},
    ),
    ("method/lora", {"kind": "Method", "label": "LoRA", "papers": 1, "aliases": (), "baseline": False, "proposed_by": 0}),
    ("method/neo", {"kind": "Method", "label": "NEO", "papers": 1, "aliases": (), "baseline": False, "proposed_by": 1}),
    ("method/tent", {"kind": "Method", "label": "TENT", "papers": 1, "aliases": (), "baseline": True, "proposed_by": 0}),
    ("metric/accuracy", {"kind": "Metric", "label": "accuracy", "papers": 1, "aliases": (), "baseline": False, "proposed_by": 0}),
    (
        "task/test-time-adaptation",
        {"kind": "Task", "label": "Test-time adaptation", "papers": 1, "aliases": ("TTA",), "baseline": False, "proposed_by": 0},
    ),
]
EDGES = [
    (
        "paper/000-06",
        "dataset/imagenet-c",
        "evaluated_on",
        {"kind": "evaluatesOn", "role": "evaluated_on", "confidence": 0.9, "mentions": (IMAGENET_C,)},
    ),
    ("paper/000-06", "method/neo", "proposed", {"kind": "proposes", "role": "proposed", "confidence": 0.95, "mentions": (NEO,)}),
    ("paper/000-06", "method/tent", "baseline", {"kind": "comparesWith", "role": "baseline", "confidence": 0.9, "mentions": (TENT,)}),
    ("paper/000-06", "metric/accuracy", "reported", {"kind": "reports", "role": "reported", "confidence": 0.8, "mentions": (ACCURACY,)}),
    (
        "paper/000-06",
        "task/test-time-adaptation",
        "addressed",
        {"kind": "addresses", "role": "addressed", "confidence": 0.9, "mentions": (TTA, TTA_SHORT)},
    ),
    ("paper/lora-x", "dataset/imagenet-c", "used", {"kind": "uses", "role": "used", "confidence": 0.7, "mentions": (IMAGENET_C_AGAIN,)}),
    ("paper/lora-x", "method/lora", "used", {"kind": "uses", "role": "used", "confidence": 0.9, "mentions": (LORA,)}),
    ("method/neo", "dataset/imagenet-c", "evaluatedOn", {"kind": "evaluatedOn", "confidence": 0.75, "evidence": (RUNS_ON,)}),
    ("method/neo", "method/tent", "outperforms", {"kind": "outperforms", "confidence": 0.6, "evidence": (BEATS,)}),
]


def test_network_in_full() -> None:
    """The toy map's network has these nodes and edges in this order, with these attributes and no others."""
    network = to_network(GRAPH)
    assert [(node, network.nodes[node]) for node in network] == NODES
    assert list(network.edges(keys=True, data=True)) == EDGES
    assert network.graph == {"results": GRAPH.results}


def test_there_and_back() -> None:
    """The toy map, and a map of nothing, come back equal."""
    assert from_network(to_network(GRAPH)) == GRAPH
    assert from_network(to_network(KnowledgeGraph())) == KnowledgeGraph()


def test_order_of_a_network_does_not_matter() -> None:
    """A network whose nodes were added in another order is the same map."""
    network = to_network(GRAPH)
    shuffled: nx.MultiDiGraph[str] = nx.MultiDiGraph(**network.graph)
    for node in reversed(list(network)):
        shuffled.add_node(node, **network.nodes[node])
    for tail, head, key, data in reversed(list(network.edges(keys=True, data=True))):
        shuffled.add_edge(tail, head, key=key, **data)
    assert from_network(shuffled) == GRAPH


def test_a_subgraph_is_a_smaller_map() -> None:
    """What a user cuts out with networkx reads back as that part of the map."""
    part = to_network(GRAPH).subgraph([paper_node("lora-x"), "method/lora"])
    assert from_network(part.copy()) == KnowledgeGraph((LORA_PAPER,), GRAPH.entities[1:2], GRAPH.links[-1:], (), GRAPH.results)


def test_two_relations_between_the_same_two() -> None:
    """Parallel edges keep apart what is said twice in different ways."""
    graph = replace(GRAPH, statements=(replace(GRAPH.statements[1], type="extends"), GRAPH.statements[1]))
    network = to_network(graph)
    assert sorted(network["method/neo"]["method/tent"]) == ["extends", "outperforms"]
    assert from_network(network) == graph


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (replace(GRAPH, entities=GRAPH.entities[1:]), "'dataset/imagenet-c': a link or statement of the map names it"),
        (replace(GRAPH, papers=(NEO_PAPER,)), "'paper/lora-x': a link or statement of the map names it"),
        (replace(GRAPH, links=(Link("000-06", "method/neo", "discussed", 0.9, (NEO,)),)), "a Method cannot have the role 'discussed'"),
    ],
)
def test_contradictory_maps_are_refused(graph: KnowledgeGraph, message: str) -> None:
    """No bare node is made up for what the map lacks; the error names it."""
    with pytest.raises(GraphDataError, match=message):
        to_network(graph)


def test_a_foreign_network_is_refused() -> None:
    """A network without methodmap's attributes names the node and the attribute."""
    network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    network.add_node("a")
    with pytest.raises(GraphDataError, match="'a': it lacks the attribute 'kind'"):
        from_network(network)
