"""Finding by what a person types."""

from __future__ import annotations

from dataclasses import replace

import pytest
from examples import GRAPH, NEO_PAPER

from methodmap.graph.errors import EntityNotFoundError
from methodmap.graph.lookup import lookup
from methodmap.graph.model import KnowledgeGraph


@pytest.mark.parametrize("name", ["LoRA", " lora ", "method/lora", "LoRAs"])
def test_an_entity_has_many_names(name: str) -> None:
    """Its label in any case and number and its id find it."""
    assert lookup(GRAPH, name) == (None, (GRAPH.entities[1],))


def test_papers_whose_ids_look_like_paths() -> None:
    """An id that itself begins with ``paper/`` finds its own paper, and not the one whose id is the rest."""
    papers = tuple(replace(NEO_PAPER, id=id_) for id_ in ("paper/paper/x", "paper/x", "x"))
    graph = KnowledgeGraph(papers=papers)
    for paper in papers:
        assert lookup(graph, paper.id) == (paper, ())
    assert lookup(KnowledgeGraph(papers=papers[2:]), "paper/x") == (papers[2], ())


@pytest.mark.parametrize("name", ["", " ", "TENTT", "paper/", "\x00", "$", "x" * 10_000])
def test_what_is_not_there(name: str) -> None:
    """A name that nothing has ends in an error with it, and with names that come near, if any does."""
    with pytest.raises(EntityNotFoundError) as raised:
        lookup(GRAPH, name)
    assert raised.value.name == name
    assert raised.value.similar == (("TENT",) if name == "TENTT" else ())
