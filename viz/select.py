"""Choosing what to draw of a map that is too large, or when only a part is asked for. Pure: each function returns a new graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import networkx as nx

__all__ = ["around", "top"]


def around(g: nx.MultiDiGraph[Any], keys: Iterable[Hashable], *, hops: int = 1) -> nx.MultiDiGraph[Any]:
    """What lies within ``hops`` edges of any of ``keys``, in either direction, with all edges among it.

    Raises ``KeyError`` for a key that the graph does not have, ``ValueError`` for negative ``hops``.

    >>> sorted(around(nx.MultiDiGraph([("a", "b"), ("b", "c"), ("c", "d")]), ["b"], hops=1))
    ['a', 'b', 'c']
    """
    if hops < 0:
        raise ValueError(f"hops is a number of edges, 0 or more, not {hops!r}")
    kept: set[Hashable] = set()
    frontier = set(keys)
    for key in frontier:
        if key not in g:
            raise KeyError(key)
    for _ in range(hops + 1):
        kept |= frontier
        frontier = {other for key in frontier for other in (*g.successors(key), *g.predecessors(key))} - kept
    return _part(g, kept)


def top(g: nx.MultiDiGraph[Any], count: int) -> nx.MultiDiGraph[Any]:
    """The ``count`` entities that most papers link to (ties: by key), with every paper that links to one of them.

    Raises ``ValueError`` for a negative ``count``.
    """
    if count < 0:
        raise ValueError(f"the number of entities to draw is 0 or more, not {count!r}")
    entities = [key for key, attributes in g.nodes(data=True) if attributes.get("kind") != "Paper"]
    entities.sort(key=lambda key: (-int(g.nodes[key].get("papers", 0)), str(key)))
    kept = set(entities[:count])
    papers = {other for key in kept for other in g.predecessors(key) if g.nodes[other].get("kind") == "Paper"}
    return _part(g, kept | papers)


def _part(g: nx.MultiDiGraph[Any], kept: set[Hashable]) -> nx.MultiDiGraph[Any]:
    """A copy with the nodes kept, in the order of the whole graph, which a set does not have."""
    part: nx.MultiDiGraph[Any] = nx.MultiDiGraph(**g.graph)
    part.add_nodes_from((key, attributes) for key, attributes in g.nodes(data=True) if key in kept)
    for head, tail, key, attributes in g.edges(keys=True, data=True):
        if head in kept and tail in kept:
            part.add_edge(head, tail, key, **attributes)
    return part
