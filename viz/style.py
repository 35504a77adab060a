"""Every colour, shape and size of a drawn map, in one place: the HTML view and the Gephi export both read it.

The six kinds' colours start from Okabe and Ito's (2008), shifted until all of them stay well apart (25 units of CIE 1976 Lab and more) also
for eyes without red or green cones; shapes differ as well, so that no kind is told by its colour alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import networkx as nx

__all__ = [
    "BASELINE_COLOUR",
    "EDGES",
    "FADED",
    "KINDS",
    "MARK_COLOUR",
    "OTHER_EDGE",
    "OTHER_KIND",
    "Appearance",
    "EdgeStyle",
    "KindStyle",
    "appearance",
    "edge_style",
    "node_size",
]


@dataclass(frozen=True, slots=True)
class KindStyle:
    """How a kind of node looks. ``shape`` is one of vis-network's that carry no text inside."""

    colour: str
    shape: str
    plural: str
    scale: float = 1.0
    """Evens out the shapes: a triangle of a square's size looks smaller."""


@dataclass(frozen=True, slots=True)
class EdgeStyle:
    """How a kind of edge looks. ``label`` reads from the edge's start to its end; ``inverse`` from the end to the start."""

    colour: str
    label: str
    inverse: str
    width: float = 1.4
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Appearance:
    """How one node looks, for any exporter: colour as ``#rrggbb``, size as a radius in pixels at full size."""

    colour: str
    size: float
    shape: str


KINDS: Final[dict[str, KindStyle]] = {
    "Paper": KindStyle("#3d4550", "square", "Papers", 0.9),
    "Method": KindStyle("#0b62c4", "dot", "Methods"),
    "Dataset": KindStyle("#b83b00", "diamond", "Datasets", 1.25),
    "Task": KindStyle("#00895f", "triangle", "Tasks", 1.15),
    "Metric": KindStyle("#c9a100", "triangleDown", "Metrics", 1.15),
    "Concept": KindStyle("#d272b0", "hexagon", "Concepts", 1.05),
}
"""In the order of the legend."""
OTHER_KIND: Final = KindStyle("#8c959f", "dot", "Other")

EDGES: Final[dict[str, EdgeStyle]] = {
    "proposes": EdgeStyle("#0b3d91", "proposes", "proposed by", 2.6),
    "comparesWith": EdgeStyle("#c2410c", "compares with", "baseline in", 1.8),
    "evaluatesOn": EdgeStyle("#d58a4a", "evaluates on", "evaluated on by"),
    "addresses": EdgeStyle("#3fa588", "addresses", "addressed by"),
    "reports": EdgeStyle("#c9a24a", "reports", "reported by"),
    "uses": EdgeStyle("#7fa8c9", "uses", "used by"),
    "mentions": EdgeStyle("#b6bec7", "mentions", "mentioned by"),
    "discusses": EdgeStyle("#c795b3", "discusses", "discussed by"),
    "outperforms": EdgeStyle("#9b1c1c", "outperforms", "outperformed by", 2.2),
    "comparedWith": EdgeStyle("#c2410c", "compared with", "compared with", 1.4, dashed=True),
    "extends": EdgeStyle("#5b3a9e", "extends", "extended by", 2.0),
    "evaluatedOn": EdgeStyle("#d58a4a", "evaluated on", "evaluates", 1.4, dashed=True),
    "appliedTo": EdgeStyle("#3fa588", "applied to", "served by", 1.4, dashed=True),
    "trainedOn": EdgeStyle("#a8763e", "trained on", "trains", 1.4, dashed=True),
    "measuredBy": EdgeStyle("#c9a24a", "measured by", "measures", 1.4, dashed=True),
    "supportsTask": EdgeStyle("#6fa58f", "supports task", "supported by", 1.4, dashed=True),
    "subClassOf": EdgeStyle("#6b7280", "is a kind of", "has the kind", 1.4, dashed=True),
    "partOf": EdgeStyle("#6b7280", "is part of", "has the part", 1.4, dashed=True),
}
"""First what papers say of entities, then relations between entities; relations of everyday use are dashed, those of descent are not."""
OTHER_EDGE: Final = EdgeStyle("#b6bec7", "linked to", "linked to")

MARK_COLOUR: Final = "#1b2430"
"""Rim of what some paper of the map proposes."""
BASELINE_COLOUR: Final = "#e3a008"
"""Ring around what some paper compares with."""
FADED: Final = 0.1
"""Opacity of what is not in focus: still there, out of the way."""

PAPER_SIZE: Final = 12.0
SMALLEST: Final = 8.0
GROWTH: Final = 4.2
LARGEST: Final = 46.0


def node_size(kind: str, papers: int) -> float:
    """The radius in pixels of a node linked by so many papers: its area grows with their number, up to a limit.

    >>> node_size("Method", 1), node_size("Method", 9), node_size("Paper", 0)
    (8.0, 16.4, 10.8)
    """
    scale = KINDS.get(kind, OTHER_KIND).scale
    size = PAPER_SIZE if kind == "Paper" else min(LARGEST, SMALLEST + GROWTH * (math.sqrt(max(papers, 1)) - 1.0))
    return round(size * scale, 1)


def appearance(g: nx.MultiDiGraph[Any]) -> dict[Any, Appearance]:
    """How each node of a map looks, by its attributes ``kind`` and ``papers``; unknown kinds are grey dots."""
    looks: dict[Any, Appearance] = {}
    for key, attributes in g.nodes(data=True):
        kind = str(attributes.get("kind", ""))
        style = KINDS.get(kind, OTHER_KIND)
        looks[key] = Appearance(style.colour, node_size(kind, int(attributes.get("papers", 0))), style.shape)
    return looks


def edge_style(kind: str) -> EdgeStyle:
    """How an edge of this kind looks; unknown kinds are plain grey."""
    return EDGES.get(kind, OTHER_EDGE)
