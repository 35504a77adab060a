"""A tokenizer whose work grows with the length of the text and no faster.

spaCy's own looks through the rest of a word for each sign that it takes off its ends, so that a few thousand signs without a space, as
broken formulas and rules of dashes have them, would take minutes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from spacy.tokens import Doc
from spacy.vocab import Vocab

from methodmap.graph.extract.words import word_spans

__all__ = ["LONGEST", "BoundedTokenizer"]

LONGEST: Final = 128
"""Characters without white space that are left to spaCy: a hundredth of a second of work at most. In prose only addresses are longer."""

_LONG: Final = re.compile(rf"\S{{{LONGEST + 1},}}")


class BoundedTokenizer:
    """Cuts text as another tokenizer does, but for runs of characters that would take it too long: those become plain words and signs."""

    def __init__(self, vocab: Vocab, tokenizer: Callable[[str], Doc]) -> None:
        self.vocab = vocab
        self.tokenizer = tokenizer

    def __call__(self, text: str) -> Doc:
        """Tokenize one text; nothing of it is lost."""
        runs = [match.span() for match in _LONG.finditer(text)]
        if not runs:
            return self.tokenizer(text)
        words: list[str] = []
        spaces: list[bool] = []
        for word, space in self._tokens(text, runs):
            words.append(word)
            spaces.append(space)
        return Doc(self.vocab, words=words, spaces=spaces)

    def _tokens(self, text: str, runs: list[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
        """Every token, and whether a space that is none of its own follows it."""
        done = 0
        for start, end in [*runs, (len(text), len(text))]:
            if done < start:
                yield from ((token.text, bool(token.whitespace_)) for token in self.tokenizer(text[done:start]))
            if start == end:
                return
            spans = [(start + a, start + b) for a, b in word_spans(text[start:end])]
            done = end + (text[end : end + 1] == " ")
            yield from ((text[a:b], False) for a, b in spans[:-1])
            last, stop = spans[-1]
            yield text[last:stop], done > end
