"""Texts become windows of subwords without losing or joining a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from methodmap.graph.extract.encode import windows
from methodmap.graph.extract.words import word_spans


def _tokenizer() -> Tokenizer:
    vocabulary = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "lo": 3, "##ra": 4, "beats": 5, "adam": 6, ".": 7}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


TOKENIZER = _tokenizer()


def test_one_window() -> None:
    """A short text is one window: special tokens at both ends, each word's first and last subword, and the shapes of its words."""
    (window,) = windows("LoRA beats Adam.", TOKENIZER)
    assert window.ids == [1, 3, 4, 5, 6, 7, 2]
    assert window.first == [1, 3, 4, 5]
    assert window.last == [2, 3, 4, 5]
    assert window.words == [(0, 4), (5, 10), (11, 15), (15, 16)]
    assert window.shapes == [0, 5, 5, 1, 3, 9, 0]
    assert window.start == 0


def test_no_words() -> None:
    """A text of white space has no window."""
    assert windows(" \n ", TOKENIZER) == []


def test_a_word_the_tokenizer_drops() -> None:
    """A word of which the normaliser leaves nothing still has a subword, so that words and subwords never get out of step."""
    (window,) = windows("a \u200b b", TOKENIZER)
    assert len(window.first) == len(window.words) == 3


def test_overlapping_windows() -> None:
    """A long text is cut into windows of at most the size, each sharing words with the one before it, together covering every word."""
    found = windows("beats " * 10, TOKENIZER, size=4, overlap=2)
    assert [(w.start, len(w.words)) for w in found] == [(0, 4), (2, 4), (4, 4), (6, 4)]


@given(st.text(max_size=200), st.integers(1, 20))
def test_every_word_is_in_a_window(text: str, size: int) -> None:
    """Whatever the text and the size, windows cover all words in order and end."""
    found = windows(text, TOKENIZER, size=size, overlap=size // 2)
    covered = sorted({w.start + i for w in found for i in range(len(w.words))})
    assert covered == list(range(len(word_spans(text))))


def test_a_tokenizer_of_another_kind() -> None:
    """A tokenizer without BERT's special tokens is refused by name, not by a wrong answer."""
    with pytest.raises(ValueError, match=r"has no \[CLS\]"):
        windows("a", Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]")))
