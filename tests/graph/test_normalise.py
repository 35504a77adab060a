from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methodmap.graph.normalise import is_name, normalise, singular

WORDS = (
    "pre",
    "the",
    "method",
    "multi",
    "A-",
    "s",
    "LLMs",
    "fine",
    "tuning",
    "optimisation",
    "Res",
    "Net",
    "a",
    "k",
    "@",
    "3.5",
    "STARS",
    "data",
    "sets",
    "behaviours",
    "(x)",
    "B/16",
)


@pytest.mark.parametrize(
    "forms",
    [
        ("large language model", "Large Language Models", "large-language models", "LARGE LANGUAGE MODELS"),
        ("fine-tuning", "Fine tuning", "finetuning", "fine\u2011tuning", "\ufb01ne-tuning"),
        ("multi-modal", "multimodal", "multi modal"),
        ("optimisation", "optimization"),
        ("regularised models", "regularized model"),
        ("neighbourhood modelling", "neighborhood modeling"),
        ("GPT-4", "GPT4", "GPT 4"),
        ("GPT-J-6B", "GPT-J (6B)"),
        ("Newton's method", "Newton method"),
        ("kernel methods", "the kernel approach"),
        ("Mixture of Experts", "mixture-of-experts"),
        ("k-NN", "kNN", "K-NN"),
        ("Pass@1", "pass @ 1"),
        ("analyses", "analysis"),
        ("LoRA", "LoRAs", "lora"),
        ("DALL·E 2", "DALL-E 2"),
        ("R^2", "R²"),
    ],
)
def test_forms_of_one_name_are_equal(forms: tuple[str, ...]) -> None:
    """Case, hyphens, spelling, number and generic tails do not make another name."""
    assert len({normalise(form) for form in forms}) == 1, [normalise(form) for form in forms]


@pytest.mark.parametrize(
    "forms",
    [
        ("GPT-3.5", "GPT-35", "GPT-3"),
        ("C", "C++", "C#"),
        ("ViT-B/16", "ViT-B/32", "ViT-L/16"),
        ("LLaMA-3.1-8B", "LLaMA-3-18B", "LLaMA-31-8B"),
        ("mAP", "mAP@0.5", "mAP@0.75"),
        ("pass@1", "pass@10", "pass@k"),
        ("ImageNet", "ImageNet-C", "ImageNet-R", "ImageNet-S"),
        ("CIFAR-10", "CIFAR-100", "CIFAR-10-C"),
        ("Q", "Q*"),
        ("STAR", "STARS"),
        ("GEM", "A-GEM"),
        ("π0", "π0.5"),
        ("language model", "large language model"),
        ("noise", "noize"),
    ],
)
def test_names_with_meaning_in_their_punctuation_stay_apart(forms: tuple[str, ...]) -> None:
    """Signs, digits and letters that tell systems apart survive."""
    assert len({normalise(form) for form in forms}) == len(forms), [normalise(form) for form in forms]


@pytest.mark.parametrize(
    "word", ["bias", "analysis", "adams", "bayes", "dynamics", "series", "loss", "corpus", "means", "7bs", "gloves", "lens"]
)
def test_words_that_only_end_in_s_are_no_plurals(word: str) -> None:
    """An s that is part of the word stays."""
    assert singular(word) == word


def test_british_rule_leaves_words_alone_that_are_spelt_so_everywhere() -> None:
    """Only the suffix -ise becomes -ize."""
    assert [normalise(w) for w in ("precise", "supervised", "pairwise", "noise", "exercise", "Ising")] == [
        "precise",
        "supervised",
        "pairwise",
        "noise",
        "exercise",
        "ising",
    ]


@given(
    st.one_of(
        st.text(max_size=20),
        st.text(alphabet="aAsS -.'/*@()39ePprR·^_&+", max_size=14),
        st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join),
    )
)
def test_key_of_a_key_is_itself(name: str) -> None:
    """Normalising twice is normalising once, and no name but a blank one has an empty key."""
    key = normalise(name)
    assert normalise(key) == key
    assert key or not name.strip()


def test_names_are_told_from_words() -> None:
    """Coined and abbreviated names have capitals inside, digits, or signs; spelt-out ones do not."""
    assert [f for f in ("LoRA", "GPT-4o-mini", "ResNet-50", "pass@k", "Adam", "Deep Learning", "LLM-based", "3D", "2") if is_name(f)] == [
        "LoRA",
        "GPT-4o-mini",
        "ResNet-50",
        "pass@k",
        "3D",
    ]
