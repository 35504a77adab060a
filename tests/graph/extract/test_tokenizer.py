"""Tokens: spaCy's own, but for runs of characters that it would take minutes for."""

from __future__ import annotations

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from methodmap.graph.extract.tokenizer import LONGEST, BoundedTokenizer

ENGLISH = spacy.blank("en")
BOUNDED = BoundedTokenizer(ENGLISH.vocab, ENGLISH.tokenizer)


def test_prose_is_cut_as_spacy_does() -> None:
    """Where no run is long, tokens are spaCy's: abbreviations keep their points."""
    text = "It isn't GPT-3.5, e.g. on  ImageNet-C (val.)."
    assert [t.text for t in BOUNDED(text)] == [t.text for t in ENGLISH.tokenizer(text)]


def test_long_runs_never_reach_the_other_tokenizer() -> None:
    """What it is given holds no run of more than ``LONGEST`` characters, however long the text's own are."""
    given: list[str] = []

    def spy(text: str) -> Doc:
        given.append(text)
        return ENGLISH.tokenizer(text)

    doc = BoundedTokenizer(ENGLISH.vocab, spy)(f"We use {'$' * 5000} for e.g. {'{a' * 3000}. It ends.")
    assert given == ["We use ", "for e.g. ", "It ends."]
    assert len(doc) == 2 + 5000 + 2 + 6001 + 3


@pytest.mark.parametrize("space", ["", " ", "  ", "\n", " \n ", "\u00a0"])
@pytest.mark.parametrize("length", [LONGEST, LONGEST + 1])
def test_no_character_is_lost(space: str, length: int) -> None:
    """The document's text is the text, whatever stands around a long run."""
    for text in (f"a{space}{'-' * length}{space}b", f"{space}{'x' * length}{space}", f"{'$x' * length}{space}{'é.' * length}"):
        assert BOUNDED(text).text == text


@given(st.lists(st.sampled_from(["x" * 200, "$" * 130, " ", "  ", "\n", "\t", "word", ".", "e.g.", "\u3000", "。" * 150]), max_size=12))
def test_any_text_comes_back(parts: list[str]) -> None:
    """Offsets into the document are offsets into the text."""
    text = "".join(parts)
    assert BOUNDED(text).text == text
