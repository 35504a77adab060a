from __future__ import annotations

from dataclasses import replace

from examples import GRAPH, LORA, LORA_PAPER, NEO, NEO_PAPER

from methodmap.graph.labels import paper_labels
from methodmap.graph.model import CanonicalEntity, KnowledgeGraph, Link

DATASET = CanonicalEntity("dataset/neobench", "Dataset", "NEOBench")
METHOD = CanonicalEntity("method/neo", "Method", "NEO")


def test_titles_come_first() -> None:
    """A paper with a title goes by it; one without goes by what it proposes."""
    assert paper_labels(GRAPH) == {"000-06": "NEO", "lora-x": 'Extending "LoRA" <again>'}


def test_expansion_is_shown() -> None:
    """A proposal whose paper spells its name out is shown with the expansion."""
    links = (Link("000-06", "method/neo", "proposed", 0.9, (NEO, replace(NEO, text="Nested Entropy Optimisation"))),)
    assert paper_labels(KnowledgeGraph((NEO_PAPER,), (METHOD,), links))[NEO_PAPER.id] == "NEO: Nested Entropy Optimisation"


def test_methods_before_datasets() -> None:
    """A paper that proposes both goes by its method, however sure the dataset is."""
    links = (Link("000-06", "dataset/neobench", "proposed", 0.99, ()), Link("000-06", "method/neo", "proposed", 0.5, (NEO,)))
    assert paper_labels(KnowledgeGraph((NEO_PAPER,), (DATASET, METHOD), links))[NEO_PAPER.id] == "NEO"


def test_first_words_without_markup() -> None:
    """A paper without title and proposal goes by its first words as a reader sees them, cut between words."""
    paper = replace(NEO_PAPER, abstract="We study \\textbf{why} deep networks\nforget what they have learned before, and when.")
    links = (Link("000-06", "method/neo", "used", 0.5, (LORA,)),)
    assert paper_labels(KnowledgeGraph((paper,), (METHOD,), links))[paper.id] == "We study why deep networks forget what they have learned…"
    short = replace(LORA_PAPER, title=None)
    assert paper_labels(KnowledgeGraph((short,)))[short.id] == "We may extend LoRA & test <it> on ImageNet-C."


def test_a_paper_without_words_goes_by_its_id() -> None:
    """No label is ever empty."""
    paper = replace(LORA_PAPER, title="", abstract="  ")
    assert paper_labels(KnowledgeGraph((paper,))) == {"lora-x": "lora-x"}
