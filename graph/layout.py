"""Where the nodes of a map stand: one pure function from a graph to positions, the same to the byte on every run and machine.

A map is mostly made of things that a single paper names. Such a node is a *petal* of its paper: it stands on a ring around it and takes
no part in the simulation. What is left, papers and what they share, is laid out component by component with the force-directed placement
of Fruchterman and Reingold (1991), every node having the room of its own petals; overlaps are pushed apart, and the components are packed
around the largest.

Only ``+ - * / sqrt``, comparisons and sequential sums touch the coordinates while the simulation runs: IEEE 754 fixes their last bit,
which it does not do for ``sin``, ``exp`` or a matrix product, and a simulation amplifies a last bit.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import NDArray

__all__ = ["node_room", "positions"]

Floats: TypeAlias = NDArray[np.float64]

GAP: Final = 34.0
"""Between neighbouring petals, and between rings; a node and half of the space around it."""
FIRST_RING: Final = 50.0
"""Radius of the innermost ring: leaves the middle to the node that owns the petals."""
SPRING: Final = 6.0
"""Length over which an edge's pull grows by one; small, so that what is linked stands close."""
GRAVITY: Final = 0.15
"""Pull to the middle per unit of distance: keeps chains from trailing away, a quarter of what would flatten all into a disc."""
FILL: Final = 0.6
"""Share of the covered disc that the nodes' rooms cover after the simulation; the rest is air for the edges."""
SEPARATIONS: Final = 150
"""Most rounds of pushing apart; a few dozen are enough in practice."""
LANDSCAPE: Final = 1.35
"""Components, and all of them together, are made this much wider than high: screens are."""
WORK: Final = 2_000_000_000
"""Most pairs of nodes that either phase looks at, about a minute: above 2,600 shared nodes there are fewer rounds."""
FEWEST: Final = 10
"""Rounds that any number of nodes gets, however long they take: with fewer nothing finds its place."""
DIRECTIONS: Final = 72
"""Directions tried when a component is packed."""
BLOCK: Final = 1_000_000
"""Most pairs of nodes looked at at once: bounds the memory to some 40 MB."""
TINY: Final = 1e-6


@dataclass(frozen=True, slots=True)
class _Bodies:
    """What the simulation moves: nodes in sorted order, their room (radius), and their edges as index pairs with weights."""

    keys: list[Hashable]
    room: Floats
    heads: NDArray[np.intp]
    tails: NDArray[np.intp]
    weights: Floats


def positions(g: nx.MultiDiGraph[Any], *, seed: int = 0, iterations: int = 300) -> dict[Any, tuple[float, float]]:
    """The position of each node, rounded to one decimal, y growing downwards; one unit is about a screen pixel at full size.

    ``seed`` chooses among equally good layouts, ``iterations`` is the most simulation steps. Neither the order in which nodes and edges
    were added nor their direction matters. Node attributes ``kind`` and ``papers`` are used where present, so any graph can be given.

    >>> positions(nx.MultiDiGraph([("paper", "method")]))
    {'method': (50.0, 0.0), 'paper': (0.0, 0.0)}
    """
    keys = sorted(g, key=str)
    links = _links(g)
    owner = _owners(g, keys, links)
    petals: dict[Hashable, list[Hashable]] = defaultdict(list)
    for key in keys:
        if key in owner:
            petals[owner[key]].append(key)
    core = [key for key in keys if key not in owner]
    rooms = {key: max(node_room(int(g.nodes[key].get("papers", 0))), _flower_room(len(petals[key]))) for key in core}
    centres = _pack([_settle(bodies, seed, iterations) for bodies in _components(core, rooms, links, owner)])
    placed = dict(centres)
    for key in core:
        for petal, offset in zip(_petal_order(g, petals[key]), _ring_places(len(petals[key])), strict=True):
            placed[petal] = (centres[key][0] + offset[0], centres[key][1] + offset[1])
    # Adding zero turns -0.0, which prints differently, into 0.0.
    return {key: (round(placed[key][0], 1) + 0.0, round(placed[key][1], 1) + 0.0) for key in keys}


def node_room(papers: int) -> float:
    """The radius that a node linked by so many papers keeps free of others; grows as the drawn size does, with the square root.

    >>> node_room(1), node_room(25)
    (23.0, 43.0)
    """
    return 18.0 + 5.0 * math.sqrt(max(papers, 0))


def _links(g: nx.MultiDiGraph[Any]) -> dict[Hashable, Counter[Hashable]]:
    """For each node its neighbours, directions forgotten, with the number of edges between the two."""
    links: dict[Hashable, Counter[Hashable]] = {key: Counter() for key in g}
    for head, tail in g.edges():
        if head != tail:
            links[head][tail] += 1
            links[tail][head] += 1
    return links


def _owners(g: nx.MultiDiGraph[Any], keys: Iterable[Hashable], links: Mapping[Hashable, Counter[Hashable]]) -> dict[Hashable, Hashable]:
    """For each petal the node it belongs to: its only paper, or its only neighbour."""

    def is_paper(key: Hashable) -> bool:
        return g.nodes[key].get("kind") == "Paper"

    owner: dict[Hashable, Hashable] = {}
    owning: set[Hashable] = set()
    for key in keys:
        papers = [other for other in links[key] if is_paper(other)]
        if not is_paper(key) and len(papers) == 1:
            owner[key] = papers[0]
            owning.add(papers[0])
    for key in keys:
        if key in owner or key in owning or is_paper(key) or len(links[key]) != 1:
            continue
        (other,) = links[key]
        if other not in owner:
            owner[key] = other
            owning.add(other)
    # Two nodes that only have each other: the first owns the second, whichever is a paper.
    for key in keys:
        if key not in owner and key not in owning and is_paper(key) and len(links[key]) == 1:
            (other,) = links[key]
            if other not in owner and not is_paper(other):
                owner[key] = other
                owning.add(other)
    return owner


def _rings(count: int) -> list[int]:
    """How many of ``count`` petals stand on each ring, innermost first: as few rings as will do, all equally dense."""
    capacities: list[int] = []
    while sum(capacities) < count:
        capacities.append(int(2 * math.pi * (FIRST_RING + len(capacities) * GAP) / GAP))
    total, rings, taken, seen = sum(capacities), [], 0, 0
    for capacity in capacities:
        seen += capacity
        upto = -(-count * seen // total)
        rings.append(upto - taken)
        taken = upto
    return rings


def _flower_room(count: int) -> float:
    return FIRST_RING + (len(_rings(count)) - 1) * GAP + GAP / 2 if count else 0.0


def _ring_places(count: int) -> list[tuple[float, float]]:
    places: list[tuple[float, float]] = []
    for number, size in enumerate(_rings(count)):
        radius = FIRST_RING + number * GAP
        for k in range(size):
            # Every second ring is turned by half a step, so that petals stand in the gaps of the ring below.
            angle = 2 * math.pi * (k + 0.5 * (number % 2)) / size
            places.append((round(radius * math.cos(angle), 3), round(radius * math.sin(angle), 3)))
    return places


def _petal_order(g: nx.MultiDiGraph[Any], petals: list[Hashable]) -> list[Hashable]:
    """What is proposed innermost, then by kind, so that a flower's colours form arcs rather than confetti."""

    def order(key: Hashable) -> tuple[bool, str, str]:
        attributes = g.nodes[key]
        return (not attributes.get("proposed_by", 0), str(attributes.get("kind", "")), str(key))

    return sorted(petals, key=order)


def _components(
    core: list[Hashable],
    rooms: Mapping[Hashable, float],
    links: Mapping[Hashable, Counter[Hashable]],
    owner: Mapping[Hashable, Hashable],
) -> list[_Bodies]:
    """The components of the graph in which every petal has been merged into its owner, those that need most room first."""
    weights: Counter[tuple[Hashable, Hashable]] = Counter()
    for key, others in links.items():
        for other, count in others.items():
            head, tail = owner.get(key, key), owner.get(other, other)
            if str(head) < str(tail):
                weights[head, tail] += count
    merged: nx.Graph[Any] = nx.Graph()
    merged.add_nodes_from(core)
    merged.add_edges_from(sorted(weights, key=lambda pair: (str(pair[0]), str(pair[1]))))
    found: list[_Bodies] = []
    for members in nx.connected_components(merged):
        keys = sorted(members, key=str)
        index = {key: position for position, key in enumerate(keys)}
        edges = sorted((index[a], index[b], weights[a, b]) for a, b in merged.subgraph(keys).edges() for a, b in [sorted((a, b), key=str)])
        table = np.array(edges, dtype=np.float64).reshape(-1, 3)
        room = np.array([rooms[key] for key in keys])
        found.append(_Bodies(keys, room, table[:, 0].astype(np.intp), table[:, 1].astype(np.intp), np.sqrt(table[:, 2])))
    return sorted(found, key=lambda bodies: (-math.fsum(bodies.room**2), str(bodies.keys[0])))


def _settle(bodies: _Bodies, seed: int, iterations: int) -> tuple[_Bodies, Floats, Floats]:
    """One component's coordinates, its middle at the origin."""
    count = len(bodies.keys)
    random = Random(seed)
    reach = math.sqrt(math.fsum(bodies.room**2) / FILL)
    start = [(random.uniform(-reach, reach), random.uniform(-reach, reach)) for _ in range(count)]
    x, y = np.array([p[0] for p in start]), np.array([p[1] for p in start])
    if count > 1:
        iterations = _affordable(iterations, count)
        for step in range(iterations):
            fx, fy = _forces(bodies, x, y)
            force = np.sqrt(fx * fx + fy * fy) + TINY
            limit = reach * 0.12 * (1.0 - step / iterations)
            scale = np.minimum(1.0, limit / force)
            x, y = x + fx * scale, y + fy * scale
        x, y = x - (x.min() + x.max()) / 2, y - (y.min() + y.max()) / 2
        # An evenly filled disc's mean square distance is half of its radius squared; by the mean, stragglers don't count.
        shrink = min(1.0, reach / math.sqrt(2.0 * math.fsum(x * x + y * y) / count))
        widen = math.sqrt(LANDSCAPE)
        if y.max() - y.min() > x.max() - x.min():
            x, y = y, x
        x, y = _separate(x * shrink * widen, y * shrink / widen, bodies.room)
    return bodies, x - (x.min() + x.max()) / 2, y - (y.min() + y.max()) / 2


def _affordable(rounds: int, count: int) -> int:
    """How many of the rounds over all pairs of so many nodes are run.

    >>> _affordable(300, 1_000), _affordable(300, 5_000), _affordable(300, 50_000)
    (300, 80, 10)
    """
    return min(rounds, max(FEWEST, WORK // count**2))


def _forces(bodies: _Bodies, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Repulsion between all, pull along edges beyond the two nodes' rooms, gravity."""
    weight = GRAVITY * bodies.room / bodies.room.max()
    fx, fy = -weight * x, -weight * y
    step = max(1, BLOCK // len(x))
    for low in range(0, len(x), step):
        rows = slice(low, low + step)
        dx, dy = x[None, :] - x[rows, None], y[None, :] - y[rows, None]
        push = bodies.room[rows, None] * bodies.room[None, :] / (dx * dx + dy * dy + 1.0)
        fx += (push * dx).sum(axis=0)
        fy += (push * dy).sum(axis=0)
    heads, tails = bodies.heads, bodies.tails
    dx, dy = x[tails] - x[heads], y[tails] - y[heads]
    distance = np.sqrt(dx * dx + dy * dy) + TINY
    pull = bodies.weights * np.maximum(0.0, distance - bodies.room[heads] - bodies.room[tails]) / SPRING / distance
    count = len(x)
    fx += np.bincount(heads, pull * dx, count) - np.bincount(tails, pull * dx, count)
    fy += np.bincount(heads, pull * dy, count) - np.bincount(tails, pull * dy, count)
    return fx, fy


def _separate(x: Floats, y: Floats, room: Floats) -> tuple[Floats, Floats]:
    """Push overlapping circles apart, each pair by half of its overlap, until none overlaps."""
    step = max(1, BLOCK // len(x))
    for _ in range(_affordable(SEPARATIONS, len(x))):
        sx, sy = np.zeros_like(x), np.zeros_like(y)
        worst = 0.0
        for low in range(0, len(x), step):
            rows = slice(low, low + step)
            dx, dy = x[None, :] - x[rows, None], y[None, :] - y[rows, None]
            distance = np.sqrt(dx * dx + dy * dy)
            overlap = np.maximum(0.0, room[rows, None] + room[None, :] - distance)
            overlap[np.arange(overlap.shape[0]), np.arange(low, low + overlap.shape[0])] = 0.0
            worst = max(worst, float(overlap.max()))
            share = 0.5 * overlap / np.maximum(distance, TINY)
            sx += (share * dx).sum(axis=0)
            sy += (share * dy).sum(axis=0)
        if worst < 1.0:
            break
        x, y = x + sx, y + sy
    return x, y


def _pack(settled: list[tuple[_Bodies, Floats, Floats]]) -> dict[Hashable, tuple[float, float]]:
    """Put the components, largest first, as near to the middle as those already there allow."""
    turns = [2 * math.pi * k / DIRECTIONS for k in range(DIRECTIONS)]
    ux = np.array([round(math.cos(turn), 9) for turn in turns])[:, None]
    uy = np.array([round(math.sin(turn), 9) for turn in turns])[:, None]
    # How far a step in each direction leads in the ellipse that is being filled.
    stretch = np.sqrt((ux / LANDSCAPE) ** 2 + uy**2)[:, 0]
    taken_x, taken_y, taken_room = np.empty(0), np.empty(0), np.empty(0)
    placed: dict[Hashable, tuple[float, float]] = {}
    for bodies, x, y in settled:
        if len(taken_x):
            radius = float((np.sqrt(x * x + y * y) + bodies.room).max()) + GAP / 2
            clear = (radius + taken_room)[None, :]
            along = ux * taken_x[None, :] + uy * taken_y[None, :]
            aside = ux * taken_y[None, :] - uy * taken_x[None, :]
            beyond = np.where(np.abs(aside) < clear, along + np.sqrt(np.maximum(0.0, clear * clear - aside * aside)), 0.0)
            needed = np.maximum(0.0, beyond.max(axis=1))
            best = int(np.argmin(needed * stretch))
            x, y = x + needed[best] * ux[best, 0], y + needed[best] * uy[best, 0]
        taken_x, taken_y = np.concatenate([taken_x, x]), np.concatenate([taken_y, y])
        taken_room = np.concatenate([taken_room, bodies.room])
        placed.update({key: (float(px), float(py)) for key, px, py in zip(bodies.keys, x, y, strict=True)})
    return placed
