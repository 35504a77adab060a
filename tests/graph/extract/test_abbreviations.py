from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methodmap.graph.extract.abbreviations import find


def pairs(text: str) -> list[tuple[str, str]]:
    """The short and long forms found in a text."""
    return [(text[a.short_start : a.short_end], text[a.long_start : a.long_end]) for a in find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use Direct Preference Optimization (DPO).", [("DPO", "Direct Preference Optimization")]),
        ("We use DPO (Direct Preference Optimization).", [("DPO", "Direct Preference Optimization")]),
        ("Recent test-time adaptation [TTA] fails.", [("TTA", "test-time adaptation")]),
        ("the novel large language models (LLMs) are", [("LLMs", "large language models")]),
        ("large language models (LLMs; Brown 2020)", [("LLMs", "large language models")]),
        ("proximal policy optimization (PPO, Schulman 2017)", [("PPO", "proximal policy optimization")]),
        ("mean intersection over union (mIoU)", [("mIoU", "mean intersection over union")]),
        ("a k-nearest neighbour (k-NN) search", [("k-NN", "k-nearest neighbour")]),
        ("Low-Rank Adaptation (LoRA) and a Vision Transformer (ViT)", [("LoRA", "Low-Rank Adaptation"), ("ViT", "Vision Transformer")]),
        ("DPH-RL (Diversity-Preserving Hybrid RL) works", [("DPH-RL", "Diversity-Preserving Hybrid RL")]),
        ("a mixture of experts (MoE) model", [("MoE", "mixture of experts")]),
        ("reinforcement learning from human feedback (RLHF)", [("RLHF", "reinforcement learning from human feedback")]),
        ("advantage actor critic (A2C)", [("A2C", "advantage actor critic")]),
        ("a sequence-to-sequence (S2S) model", [("S2S", "sequence-to-sequence")]),
        ("In-context learning (ICL) is", [("ICL", "In-context learning")]),
        ("Collaborative filtering (CF)", [("CF", "Collaborative filtering")]),
        (
            "TRACER (Trajectory-Robust Anchoring for Contrastive Encoder Regularization)",
            [("TRACER", "Trajectory-Robust Anchoring for Contrastive Encoder Regularization")],
        ),
        ("We propose RNG, short for Ring Network Graphs.", [("RNG", "Ring Network Graphs")]),
        ("Noise-Erasing Optimization, or NEO, is", [("NEO", "Noise-Erasing Optimization")]),
    ],
)
def test_explained_abbreviations_are_found(text: str, expected: list[tuple[str, str]]) -> None:
    """Both orders, both brackets, plurals, digits and hyphens; the long form without determiner and foreign adjectives."""
    assert pairs(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "noise (i.e., nothing) in images (e.g., ImageNet)",
        "published in (2020) and [12]",
        "as shown (Fig. 2), (see Section 3), (Table 1), (left), (right)",
        "our optimal unsupervised representation scheme (ours) beats it",
        "code is at (https://example.org/HSG-12M)",
        "workflow-level (global) prompt optimization",
        "the model (GPT-4) is large",
        "accuracy (59.2%) and recall (A)",
        "()",
        "reinforcement learning (LLM)",
    ],
)
def test_other_brackets_explain_nothing(text: str) -> None:
    """Citations, figures, remarks and names that their neighbours do not spell make no pair."""
    assert pairs(text) == []


@given(st.text(alphabet="abAB12 ()[]-,;:.'s", max_size=80))
def test_offsets_are_of_two_spans_apart(text: str) -> None:
    """Whatever the text, each pair is two spans of it that do not overlap, in the order of the short forms."""
    found = find(text)
    assert [a.short_start for a in found] == sorted({a.short_start for a in found})
    for a in found:
        assert 0 <= a.short_start < a.short_end <= len(text)
        assert 0 <= a.long_start < a.long_end <= len(text)
        assert a.long_end <= a.short_start or a.short_end <= a.long_start


def test_a_long_form_lies_near_its_short_form() -> None:
    """What follows an explanation is looked at for a few words only, and never cut inside a word."""
    near = "NEO stands for Noise-Erasing Optimization"
    assert pairs(near + " and more" * 40) == [("NEO", "Noise-Erasing Optimization")]
    assert pairs("NEO stands for Noise" + "e" * 200 + " Erasing Optimization") == []
