"""Text on its way from source to plain: characters, where each stands in the source, and edits that keep the map."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

__all__ = ["Buffer", "Edit", "Markup", "Writer", "in_order"]

Edit: TypeAlias = tuple[int, int, str]
"""``(start, end, replacement)`` in the offsets of the buffer's text."""

Markup: TypeAlias = tuple[int, int, int, int]
"""``(outer start, outer end, inner start, inner end)`` in the source: the inner part shows, the rest is markup around it."""

_BINDING_SIGN: Final = re.compile(r"[\\^_]")
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


class Writer:
    """Writes a buffer piece by piece, in the order of the source."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.pieces: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.shield = bytearray()
        self.markup: list[Markup] = []
        self.formulas: list[Markup] = []

    def buffer(self, *, is_latex: bool) -> Buffer:
        """What was written."""
        return Buffer("".join(self.pieces), self.starts, self.ends, self.shield, self.markup, self.formulas, is_latex)

    def state(self) -> tuple[int, int, int, int]:
        """What :meth:`undo` needs to come back to this point."""
        return len(self.pieces), len(self.starts), len(self.markup), len(self.formulas)

    def undo(self, state: tuple[int, int, int, int]) -> None:
        """Forget what was written since; not for use across :meth:`take_back_space`."""
        pieces, length, markup, formulas = state
        del self.pieces[pieces:], self.starts[length:], self.ends[length:], self.shield[length:]
        del self.markup[markup:], self.formulas[formulas:]

    def raw(self, start: int, end: int, *, settled: bool = False) -> None:
        """Show the source's own characters."""
        self._write(self.source[start:end], range(start, end), range(start + 1, end + 1), settled)

    def show(self, text: str, start: int, end: int) -> None:
        """Show characters that stand for the whole of ``source[start:end]``."""
        self._write(text, [start] * len(text), [end] * len(text), True)

    def _write(self, text: str, starts: Sequence[int], ends: Sequence[int], settled: bool) -> None:
        self.pieces.append(text)
        self.starts.extend(starts)
        self.ends.extend(ends)
        self.shield.extend((b"\x01" if settled else b"\x00") * len(text))

    def mark(self, start: int, end: int, inner_start: int, inner_end: int) -> None:
        """Keep the place of markup, given in the source."""
        self.markup.append((start, end, inner_start, inner_end))

    def mark_formula(self, start: int, end: int, inner_start: int, inner_end: int) -> tuple[int, int]:
        """Mark a formula's signs; return the span of its content, which has no white space around it."""
        content = self.source[inner_start:inner_end]
        inner = inner_start + len(content) - len(content.lstrip()), inner_end - len(content) + len(content.rstrip())
        (self.formulas if _BINDING_SIGN.search(content) else self.markup).append((start, end, *inner))
        return inner

    def take_back_space(self) -> None:
        """Remove the space before something that shows nothing."""
        if self.pieces:
            kept = self.pieces[-1].rstrip(" ~\n")
            length = len(self.starts) - len(self.pieces[-1]) + len(kept)
            self.pieces[-1] = kept
            del self.starts[length:], self.ends[length:], self.shield[length:]


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
