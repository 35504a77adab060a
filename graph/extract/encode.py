"""Plain text -> what the tagger's network reads: subword ids, shapes and the words that they make up, in overlapping windows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tokenizers import Tokenizer

from methodmap.graph.extract.words import shape, word_spans

__all__ = ["WINDOW", "Window", "windows"]

WINDOW: Final = 510
"""Subwords a window may hold beside its two special tokens: the encoder has 512 positions."""

_OVERLAP: Final = 128
"""Subwords that neighbouring windows share, so that each span is somewhere seen with its context on both sides."""

_LONG_WORD: Final = 64
"""Characters after which a word is cut for the tokenizer: no name is longer, and WordPiece is quadratic in a word's length."""

_SENTENCE_END: Final = frozenset(".?!")


@dataclass(frozen=True, slots=True)
class Window:
    """A run of words with their subwords.

    ``ids`` and ``shapes`` have one number a subword, the special tokens at both ends included; ``first`` and ``last`` give the place in
    ``ids`` of each word's first and last subword; ``words`` are the words' spans in the plain text, and ``start`` is the index in the whole
    text of the first of them.
    """

    ids: list[int]
    shapes: list[int]
    first: list[int]
    last: list[int]
    words: list[tuple[int, int]]
    start: int


def windows(text: str, tokenizer: Tokenizer, *, size: int = WINDOW, overlap: int = _OVERLAP) -> list[Window]:
    """Encode a text of any length; one window when it fits, none when it holds no word.

    Words are tokenized one by one (BERT's pre-tokenizer never joins them), so that every word has subwords of its own.
    """
    spans = word_spans(text)
    if not spans:
        return []
    words = [text[a:b] for a, b in spans]
    pieces = [_pieces(tokenizer, word[:_LONG_WORD]) for word in words]
    shapes = [shape(word, opens_sentence=i == 0 or words[i - 1][-1] in _SENTENCE_END) for i, word in enumerate(words)]
    out: list[Window] = []
    begin = 0
    while True:
        end, total = begin, 0
        while end < len(words) and (total + len(pieces[end]) <= size or end == begin):
            total += len(pieces[end])
            end += 1
        out.append(_window(pieces[begin:end], shapes[begin:end], spans[begin:end], begin, tokenizer))
        if end == len(words):
            return out
        back, total = end, 0
        while back > begin + 1 and total + len(pieces[back - 1]) <= overlap:
            back -= 1
            total += len(pieces[back])
        begin = back


@lru_cache(maxsize=1 << 17)
def _pieces(tokenizer: Tokenizer, word: str) -> tuple[int, ...]:
    # Two words in three of an abstract stood in an earlier one.
    return tuple(tokenizer.encode(word, add_special_tokens=False).ids) or (_special(tokenizer, "[UNK]"),)


def _special(tokenizer: Tokenizer, token: str) -> int:
    number = tokenizer.token_to_id(token)
    if number is None:
        raise ValueError(f"the tokenizer has no {token}: the tagger needs that of a BERT model")
    return number


def _window(pieces: list[tuple[int, ...]], shapes: list[int], spans: list[tuple[int, int]], start: int, tokenizer: Tokenizer) -> Window:
    ids, marks = [_special(tokenizer, "[CLS]")], [0]
    first, last = [], []
    for piece, mark in zip(pieces, shapes, strict=True):
        first.append(len(ids))
        ids += piece
        marks += [mark] * len(piece)
        last.append(len(ids) - 1)
    return Window([*ids, _special(tokenizer, "[SEP]")], [*marks, 0], first, last, spans, start)
