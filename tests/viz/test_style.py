from __future__ import annotations

import math
import re
from itertools import combinations

import networkx as nx
import pytest
from examples import GRAPH

from methodmap.graph.layout import node_room
from methodmap.graph.model import ENTITY_TYPES, RELATION_TYPES
from methodmap.graph.network import to_network
from methodmap.viz.style import EDGES, KINDS, OTHER_EDGE, Appearance, appearance, edge_style, node_size

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB.
SIGHT = {
    "full": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    "without red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "without green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
}
XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


def test_appearance_of_the_toy() -> None:
    """Colour, size and shape of every node, written out."""
    assert appearance(to_network(GRAPH)) == {
        "paper/000-06": Appearance("#3d4550", 10.8, "square"),
        "paper/lora-x": Appearance("#3d4550", 10.8, "square"),
        "dataset/imagenet-c": Appearance("#b83b00", 12.2, "diamond"),
        "method/lora": Appearance("#0b62c4", 8.0, "dot"),
        "method/neo": Appearance("#0b62c4", 8.0, "dot"),
        "method/tent": Appearance("#0b62c4", 8.0, "dot"),
        "metric/accuracy": Appearance("#c9a100", 9.2, "triangleDown"),
        "task/test-time-adaptation": Appearance("#00895f", 9.2, "triangle"),
    }


def test_every_kind_and_relation_has_a_style() -> None:
    """No type, relation or role property of the model falls back to the plain style."""
    assert set(KINDS) == {"Paper", *ENTITY_TYPES}
    said = {"proposes", "comparesWith", "evaluatesOn", "addresses", "reports", "uses", "mentions", "discusses"}
    assert set(EDGES) == said | set(RELATION_TYPES)
    assert edge_style("unheard of") is OTHER_EDGE
    assert {attributes["kind"] for _, _, attributes in to_network(GRAPH).edges(data=True)} <= set(EDGES)


@pytest.mark.parametrize("sight", sorted(SIGHT))
def test_kinds_differ_in_colour_for_every_sight(sight: str) -> None:
    """Any two kinds' colours stay apart, also for people who lack the cones for red or green (10 is told at a glance)."""
    seen = {kind: _lab(look.colour, SIGHT[sight]) for kind, look in KINDS.items()}
    assert min(math.dist(seen[one], seen[other]) for one, other in combinations(KINDS, 2)) > 25


def test_kinds_differ_in_shape() -> None:
    """No two kinds are told apart by colour alone; colours are #rrggbb, which GEXF and CSS both take."""
    assert len({look.shape for look in KINDS.values()}) == len(KINDS)
    assert all(re.fullmatch("#[0-9a-f]{6}", look.colour) for looks in (KINDS, EDGES) for look in looks.values())


def test_size_grows_with_papers_and_fits_its_room() -> None:
    """More papers never draw a smaller node, and no node outgrows the room that the layout keeps for it."""
    for kind in KINDS:
        sizes = [node_size(kind, papers) for papers in range(2000)]
        assert sizes == sorted(sizes)
        assert all(size < node_room(papers) for papers, size in enumerate(sizes))


def test_graph_without_attributes() -> None:
    """A node of no kind is a grey dot."""
    assert appearance(nx.MultiDiGraph([("a", "b")]))["a"] == Appearance("#8c959f", 8.0, "dot")


def _lab(colour: str, sight: list[list[float]]) -> list[float]:
    """A colour's coordinates in CIE 1976 Lab (D65), as the given sight sees it."""
    linear = [(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))]
    seen = [min(1.0, max(0.0, value)) for value in _times(sight, linear)]
    white = (0.9505, 1.0, 1.089)
    x, y, z = (value / whole for value, whole in zip(_times(XYZ, seen), white, strict=True))
    fx, fy, fz = (math.cbrt(value) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z))
    return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)]


def _times(matrix: list[list[float]], vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
