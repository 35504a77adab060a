from __future__ import annotations

from dataclasses import replace

import networkx as nx
import pytest
from examples import GRAPH, LORA_ABSTRACT, NEO_ABSTRACT, NEO_PAPER, NEO_SENTENCE

from methodmap.graph.model import CanonicalEntity, Evidence, KnowledgeGraph, Link, Mention, Paper, Source, text_hash
from methodmap.graph.network import to_network
from methodmap.viz.page_data import panel_tables, sorted_edges
from methodmap.viz.select import around

MAP = to_network(GRAPH)
KEYS = sorted(MAP)


def test_tables_of_the_toy() -> None:
    """Every table of the toy map, written out: each abstract and each sentence is there once."""
    assert KEYS == [
        "dataset/imagenet-c",
        "method/lora",
        "method/neo",
        "method/tent",
        "metric/accuracy",
        "paper/000-06",
        "paper/lora-x",
        "task/test-time-adaptation",
    ]
    assert [edge[:3] for edge in sorted_edges(MAP)] == [
        ("method/neo", "dataset/imagenet-c", "evaluatedOn"),
        ("method/neo", "method/tent", "outperforms"),
        ("paper/000-06", "dataset/imagenet-c", "evaluated_on"),
        ("paper/000-06", "method/neo", "proposed"),
        ("paper/000-06", "method/tent", "baseline"),
        ("paper/000-06", "metric/accuracy", "reported"),
        ("paper/000-06", "task/test-time-adaptation", "addressed"),
        ("paper/lora-x", "dataset/imagenet-c", "used"),
        ("paper/lora-x", "method/lora", "used"),
    ]
    assert panel_tables(MAP, KEYS) == {
        "facts": [
            {"papers": 2, "proposed": 0},
            {"papers": 1, "proposed": 0},
            {"papers": 1, "proposed": 1},
            {"papers": 1, "proposed": 0, "baseline": True},
            {"papers": 1, "proposed": 0},
            {"id": "000-06", "venue": "ICLR 2026", "year": 2026, "source": "seeds/toy.txt:3", "text": 0},
            {
                "id": "lora-x",
                "title": 'Extending "LoRA" <again>',
                "url": "https://example.org/lora-x",
                "source": "more.jsonl:1",
                "text": 1,
            },
            {"aliases": ["TTA"], "papers": 1, "proposed": 0},
        ],
        "evidence": [
            [[0, 0, 76, 0.75, 1]],
            [[0, 0, 76, 0.6, 0]],
            [[0, 33, 43, 0.9, 0]],
            [[0, 8, 11, 0.95, 0]],
            [[0, 25, 29, 0.9, 0]],
            [[0, 67, 75, 0.8, 0]],
            [[1, 0, 20, 0.9, 0], [1, 22, 25, 0.85, 0]],
            [[2, 34, 44, 0.7, 0]],
            [[2, 14, 18, 0.9, 0]],
        ],
        "confidence": [0.75, 0.6, 0.9, 0.95, 0.9, 0.8, 0.9, 0.7, 0.9],
        "results": [
            {
                "paper": 5,
                "method": [2, "method/neo"],
                "dataset": [0, "dataset/imagenet-c"],
                "metric": [4, "metric/accuracy"],
                "comparator": [3, "method/tent"],
                "value": "59.2",
                "unit": "%",
                "reference": "55.6",
                "relative": False,
                "evidence": [[0, 45, 66, 0.8, 0]],
            }
        ],
        "sentences": [[0, 36, 36 + len(NEO_SENTENCE)], [0, 0, 35], [1, 0, 45]],
        "texts": [[5, "000-06", NEO_ABSTRACT], [6, "lora-x", LORA_ABSTRACT]],
    }


def test_evidence_of_a_paper_that_is_not_drawn() -> None:
    """A relation keeps its sentence, and the paper's id, where the paper itself was left out of the picture."""
    part = MAP.subgraph(["method/neo", "method/tent"])
    tables = panel_tables(nx.MultiDiGraph(part), ["method/neo", "method/tent"])
    assert tables["texts"] == [[-1, "000-06", NEO_SENTENCE]]
    assert tables["sentences"] == [[0, 0, len(NEO_SENTENCE)]]
    assert tables["results"][0]["dataset"] == [-1, "dataset/imagenet-c"]  # type: ignore[index,call-overload]  # a list of dicts here


def test_results_without_any_drawn_entity_are_left_out() -> None:
    """A part of the map does not carry the figures of the rest."""
    part = around(MAP, ["method/lora"], hops=1)
    assert panel_tables(part, sorted(part))["results"] == []


@pytest.mark.parametrize(
    ("before", "sentence", "quote", "marks"),
    [
        ("Hi. ", "We use LoRA.", "LoRA", [7, 11]),
        ("😀 yes. ", "We use LoRA.", "LoRA", [7, 11]),
        ("Hi. ", "𝛼𝛽-Net beats 𝛾.", "𝛼𝛽-Net", [0, 8]),
        ("Hi. ", "It beats 𝛾Net.", "𝛾Net", [9, 14]),
    ],
)
def test_offsets_count_as_browsers_do(before: str, sentence: str, quote: str, marks: list[int]) -> None:
    """Characters beyond the basic plane count twice, in sentences and in what stands before them."""
    abstract = before + sentence
    start = abstract.index(quote)
    found = Evidence("p", text_hash(abstract), start, start + len(quote), quote, len(before), len(abstract), sentence, 0.5, "toy/1")
    graph = KnowledgeGraph(
        papers=(Paper("p", abstract, Source("a.txt", 1, 0)),),
        entities=(CanonicalEntity("method/x", "Method", quote),),
        links=(Link("p", "method/x", "used", 0.5, (Mention(quote, found),)),),
    )
    tables = panel_tables(to_network(graph), ["method/x", "paper/p"])
    assert tables["evidence"] == [[[0, *marks, 0.5, 0]]]
    units = len(before.encode("utf-16-le")) // 2
    assert tables["sentences"] == [[0, units, units + len(sentence.encode("utf-16-le")) // 2]]


def test_stale_offsets_do_not_move_marks() -> None:
    """Where an abstract no longer holds the sentence at its place, the sentence itself is shown, marked as it was."""
    changed = replace(NEO_PAPER, abstract="Rewritten. " + NEO_ABSTRACT)
    tables = panel_tables(to_network(replace(GRAPH, papers=(changed, GRAPH.papers[1]))), KEYS)
    assert [5, "000-06", NEO_SENTENCE] in tables["texts"]  # type: ignore[operator]  # a list here
    assert tables["evidence"][3] == [[0, 8, 11, 0.95, 0]]  # type: ignore[index]  # a list of lists here
