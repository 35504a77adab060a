from __future__ import annotations

import pytest
from examples import GRAPH

from methodmap.graph.network import to_network
from methodmap.viz.select import around, top

MAP = to_network(GRAPH)


@pytest.mark.parametrize(
    ("hops", "kept"),
    [
        (0, ["method/lora"]),
        (1, ["method/lora", "paper/lora-x"]),
        (2, ["dataset/imagenet-c", "method/lora", "paper/lora-x"]),
        (3, ["dataset/imagenet-c", "method/lora", "method/neo", "paper/000-06", "paper/lora-x"]),
    ],
)
def test_around(hops: int, kept: list[str]) -> None:
    """Hops are counted in both directions, and the edges among what is kept are all there, attributes included."""
    part = around(MAP, ["method/lora"], hops=hops)
    assert sorted(part) == kept
    assert list(part.edges(keys=True, data=True)) == list(MAP.subgraph(kept).edges(keys=True, data=True))
    assert part.graph == MAP.graph


def test_around_nothing_known() -> None:
    """A key that the map lacks is an error, not an empty picture."""
    with pytest.raises(KeyError, match="method/none"):
        around(MAP, ["method/none"])
    with pytest.raises(ValueError, match="-1"):
        around(MAP, ["method/neo"], hops=-1)


def test_top() -> None:
    """The entities of most papers, ties by key, with the papers that name them and the relations among them."""
    assert sorted(top(MAP, 0)) == []
    assert sorted(top(MAP, 1)) == ["dataset/imagenet-c", "paper/000-06", "paper/lora-x"]
    assert sorted(top(MAP, 2)) == ["dataset/imagenet-c", "method/lora", "paper/000-06", "paper/lora-x"]
    assert sorted(top(MAP, 99)) == sorted(MAP)
    with pytest.raises(ValueError, match="-3"):
        top(MAP, -3)


def test_order_is_the_maps() -> None:
    """Nodes keep the order of the whole map, so that the same choice is written the same every time."""
    assert list(around(MAP, ["method/neo"], hops=9)) == list(MAP)
