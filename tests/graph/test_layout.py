"""Places are the same on every machine, apart, and near what they belong to."""

from __future__ import annotations

import math
from itertools import combinations

import networkx as nx
from examples import GRAPH
from hypothesis import given, settings
from hypothesis import strategies as st

from methodmap.graph.layout import node_room, positions
from methodmap.graph.network import to_network


def _pile(papers: int) -> nx.MultiDiGraph[str]:
    """Papers that each name twelve things of their own, one of their neighbour's, and one that all name."""
    g: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    g.add_node("task/all", kind="Task", papers=papers)
    for number in range(papers):
        paper = f"paper/{number:03}"
        g.add_node(paper, kind="Paper", papers=0)
        for own in range(12):
            g.add_node(f"method/{number:03}-{own:02}", kind="Method", papers=1, proposed_by=int(own == 5))
            g.add_edge(paper, f"method/{number:03}-{own:02}", key="used")
        g.add_node(f"dataset/{number:03}", kind="Dataset", papers=2)
        g.add_edge(paper, f"dataset/{number:03}", key="used")
        g.add_edge(paper, f"dataset/{(number + 1) % papers:03}", key="used")
        g.add_edge(paper, "task/all", key="addressed")
    return g


def test_written_out() -> None:
    """The toy map's layout, to the digit: the simulation uses only operations that IEEE 754 fixes, so every machine must agree."""
    assert positions(to_network(GRAPH)) == {
        "dataset/imagenet-c": (-3.7, 13.6),
        "method/lora": (175.8, -13.6),
        "method/neo": (-75.8, -6.9),
        "method/tent": (-125.8, 43.1),
        "metric/accuracy": (-175.8, -6.9),
        "paper/000-06": (-125.8, -6.9),
        "paper/lora-x": (125.8, -13.6),
        "task/test-time-adaptation": (-125.8, -56.9),
    }


def test_order_of_nodes_and_edges_does_not_matter() -> None:
    """A graph built backwards, with every edge turned around, is laid out the same."""
    g = _pile(9)
    backwards: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    backwards.add_nodes_from(reversed(list(g.nodes(data=True))))
    backwards.add_edges_from((tail, head, key) for head, tail, key in reversed(list(g.edges(keys=True))))
    assert positions(backwards) == positions(g)
    assert list(positions(backwards)) == sorted(g)


def test_seed_chooses_the_layout() -> None:
    """Another seed gives another layout of the same nodes."""
    g = _pile(9)
    assert positions(g, seed=1) != positions(g, seed=0)
    assert positions(g, seed=1).keys() == positions(g, seed=0).keys()


def test_nodes_keep_their_distance() -> None:
    """No two nodes stand closer than the drawn radius of a small node each, and shared ones keep the room of their size."""
    g = _pile(20)
    places = positions(g)
    assert min(math.dist(places[a], places[b]) for a, b in combinations(g, 2)) > 16
    shared = [key for key in g if g.nodes[key]["papers"] > 1]
    for a, b in combinations(shared, 2):
        assert math.dist(places[a], places[b]) >= node_room(g.nodes[a]["papers"]) + node_room(g.nodes[b]["papers"]) - 1.5


def test_what_one_paper_names_stands_around_it() -> None:
    """A paper's own entities are nearer to it than to any other paper, and what it proposes is in the innermost ring."""
    g = _pile(20)
    places = positions(g)
    papers = [key for key in g if key.startswith("paper/")]
    for paper in papers:
        number = paper.removeprefix("paper/")
        own = [f"method/{number}-{k:02}" for k in range(12)]
        for key in own:
            assert min(papers, key=lambda other: math.dist(places[key], places[other])) == paper
        distances = [math.dist(places[key], places[paper]) for key in own]
        assert distances[5] < min(distances) + 0.2


def test_components_are_packed() -> None:
    """Parts without a link between them do not overlap, nor drift apart: a hundred pairs fit into a compact, wider than high area."""
    g: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for number in range(100):
        g.add_edge(f"paper/{number}", f"method/{number}", key="used")
        g.nodes[f"paper/{number}"]["kind"] = "Paper"
    places = positions(g)
    assert min(math.dist(places[a], places[b]) for a, b in combinations(g, 2)) > 30
    width = max(x for x, _ in places.values()) - min(x for x, _ in places.values())
    height = max(y for _, y in places.values()) - min(y for _, y in places.values())
    assert height < width < 3500


def test_empty_graph_and_loop() -> None:
    """Nothing gives nothing; a node linked only to itself has a place."""
    assert positions(nx.MultiDiGraph()) == {}
    assert positions(nx.MultiDiGraph([("a", "a")])) == {"a": (0.0, 0.0)}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=40), st.sets(st.integers(0, 14)))
def test_any_graph_gets_finite_distinct_places(edges: list[tuple[int, int]], papers: set[int]) -> None:
    """Whatever is linked to whatever, every node has a place of its own, with one decimal."""
    g: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    g.add_nodes_from(range(15))
    g.add_edges_from(edges)
    for number in papers:
        g.nodes[number]["kind"] = "Paper"
    places = positions(g, iterations=20)
    assert set(places) == set(range(15))
    assert len(set(places.values())) == 15
    assert all(math.isfinite(v) and round(v, 1) == v for place in places.values() for v in place)
