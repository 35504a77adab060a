"""Text on its way from source to plain: characters, where each stands in the source, and edits that keep the map."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

__all__ = ["Buffer", "Edit", "Markup", "in_order"]

Edit: TypeAlias = tuple[int, int, str]
"""``(start, end, replacement)`` in the offsets of the buffer's text."""

Markup: TypeAlias = tuple[int, int, int, int]
"""``(outer start, outer end, inner start, inner end)`` in the source: the inner part shows, the rest is markup around it."""

_URL: Final = re.compile(r"(?:https?://|www\.)[^\s<>*`\"{}|\\^]+")


@dataclass(slots=True)
class Buffer:
    """One text under way. ``shield`` has a 1 for each character that is settled: no later rule may take it for markup."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    shield: bytearray
    markup: list[Markup] = field(default_factory=list)
    formulas: list[Markup] = field(default_factory=list)
    is_latex: bool = False

    @classmethod
    def unchanged(cls, source: str) -> Buffer:
        """The source as its own text."""
        return cls(source, range(len(source)), range(1, len(source) + 1), bytearray(len(source)))

    def apply(self, edits: list[Edit]) -> None:
        """Carry out edits that are in order and do not overlap; a replacement stands for all that it replaces."""
        if not edits:
            return
        text: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        shield = bytearray()
        done = 0
        for start, end, replacement in [*edits, (len(self.text), len(self.text), "")]:
            text += self.text[done:start], replacement
            starts += self.starts[done:start]
            ends += self.ends[done:start]
            shield += self.shield[done:start]
            if replacement:
                starts += [self.starts[start]] * len(replacement)
                ends += [self.ends[end - 1]] * len(replacement)
                shield += self.shield[start : start + 1] * len(replacement)
            done = end
        self.text, self.starts, self.ends, self.shield = "".join(text), starts, ends, shield

    def lead_through(self, earlier: Buffer) -> None:
        """Let a map into the text of ``earlier`` lead on to the source of ``earlier``. Only when that text is not empty."""
        starts, ends = earlier.starts, [earlier.starts[0], *earlier.ends]
        self.starts = [starts[start] for start in self.starts]
        self.ends = [ends[end] for end in self.ends]
        for spans in (self.markup, self.formulas):
            spans[:] = [(starts[a], ends[b], ends[c], ends[d]) for a, b, c, d in spans]

    def view(self) -> str:
        """The text as rules for markup may see it, equally long: settled characters and addresses are letters without meaning."""
        if "://" in self.text or "www." in self.text:
            for match in _URL.finditer(self.text):
                self.settle(*match.span())
        if 1 not in self.shield:
            return self.text
        return "".join("x" if settled else character for character, settled in zip(self.text, self.shield, strict=True))

    def settle(self, start: int, end: int) -> None:
        """Keep characters from being taken for markup."""
        self.shield[start:end] = b"\x01" * (end - start)

    def mark(self, outer: tuple[int, int], inner: tuple[int, int]) -> None:
        """Keep the place of markup that an edit takes off, given by two non-empty spans of the text."""
        self.markup.append((self.starts[outer[0]], self.ends[outer[1] - 1], self.starts[inner[0]], self.ends[inner[1] - 1]))


def in_order(edits: list[Edit]) -> list[Edit]:
    """The edits sorted, without empty ones and those that overlap an earlier one.

    >>> in_order([(4, 6, ""), (0, 2, "x"), (1, 3, ""), (7, 7, "")])
    [(0, 2, 'x'), (4, 6, '')]
    """
    kept: list[Edit] = []
    for edit in sorted(edits):
        if edit[0] < edit[1] and (not kept or edit[0] >= kept[-1][1]):
            kept.append(edit)
    return kept
