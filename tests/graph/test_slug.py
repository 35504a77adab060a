from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methodmap.graph.slug import slug


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("LoRA", "lora"),
        ("ImageNet-C", "imagenet-c"),
        ("GPT-3.5", "gpt-3.5"),
        ("C++", "c-plus-plus"),
        ("C#", "c-sharp"),
        ("Q*", "q-star"),
        ("pass@k", "pass-at-k"),
        ("ViT-B/16", "vit-b-16"),
        ("Test-time adaptation", "test-time-adaptation"),
        ("知识图谱", "知识图谱"),
        ("Gauß–Markov", "gauss-markov"),
        ('a "quoted" <name>', "a-quoted-name"),
    ],
)
def test_slugs_are_readable(name: str, expected: str) -> None:
    """Letters of all scripts stay, signs that matter are spoken, the rest is a hyphen."""
    assert slug(name) == expected


@given(st.text(max_size=200))
def test_slugs_fit_into_an_iri(name: str) -> None:
    """A slug is never empty, is short, and holds nothing but letters, marks, digits, dots and hyphens."""
    found = slug(name)
    assert 0 < len(found) <= 80
    assert all(c in "-." or unicodedata.category(c)[0] in "LMN" for c in found)
    assert found[0] not in "-." and found[-1] not in "-."
