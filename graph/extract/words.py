"""Words and their shapes: what the tagger's spans are made of, in training and in use alike."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["SHAPES", "shape", "word_spans"]

_WORD: Final = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*|\S")

SHAPES: Final[tuple[str, ...]] = (
    "none",  # special tokens and padding
    "lower",
    "first capital, first word of a sentence",
    "first capital",
    "capitals",
    "inner capitals",
    "digits",
    "letters and digits",
    "one capital",
    "punctuation",
)
"""The encoder reads lower-cased text; these classes give back what case and digits say about names."""


def word_spans(text: str) -> list[tuple[int, int]]:
    """Cut plain text into words: runs of letters and digits (with inner points and apostrophes), every other visible character alone.

    >>> text = "Qwen2.5-7B's k-NN"
    >>> [text[a:b] for a, b in word_spans(text)]
    ['Qwen2.5', '-', "7B's", 'k', '-', 'NN']
    """
    return [match.span() for match in _WORD.finditer(text)]


def shape(word: str, *, opens_sentence: bool = False) -> int:
    """Return the index into :data:`SHAPES` of a word's shape.

    >>> [SHAPES[shape(w)] for w in ("lora", "Adam", "GRPO", "LoRA", "64", "ViT2", "K", ",")]
    ['lower', 'first capital', 'capitals', 'inner capitals', 'digits', 'letters and digits', 'one capital', 'punctuation']
    >>> SHAPES[shape("The", opens_sentence=True)]
    'first capital, first word of a sentence'
    """
    if not word[0].isalnum():
        return 9
    if word.isdigit():
        return 6
    if any(c.isdigit() for c in word):
        return 7
    if not word[0].isupper() and word == word.lower():
        return 1
    if len(word) == 1:
        return 8
    if word.isupper():
        return 4
    if word[0].isupper() and word[1:] == word[1:].lower():
        return 2 if opens_sentence else 3
    return 5
