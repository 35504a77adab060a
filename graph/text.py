"""LaTeX, markdown and HTML to plain text, with a map that leads every plain character back to its place in the source.

The work goes in stages over one buffer: commands and formulas, then what markdown and HTML take off, then single characters, then white
space. Each stage gives edits, which are applied with their map.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from methodmap.graph.text_buffer import Buffer, Edit, Markup, in_order
from methodmap.graph.text_latex import render_latex
from methodmap.graph.text_markdown import code_and_links, emphasis, tags

__all__ = ["Mark", "PlainText", "to_plain"]

_QUOTES: Final = re.compile(r"(?<!`)``(?!`)[^`]{1,200}?(''|\"|”|’’)")
_OPEN_QUOTES: Final = re.compile(r"(?<!`)``(?=[^\W_])")
_QUOTE: Final = re.compile(r"(?<![\w`])`(?![`\s])[^`'\n]{1,100}(['’])(?![\w'])")
_TIE: Final = re.compile(r"(?:(?<=[^\W\d_]{2})|(?<=[.,:;)\]”’]))~(?=[\w(“—–])|(?<=\d)~(?=[^\W\d_]{2})")
_DASHES: Final = re.compile(r"(?<!-)-{2,3}(?!-)")
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
_JOINERS: Final = re.compile("(?<=[ -~])[\u200c\u200d]|[\u200c\u200d](?=[ -~])")
"""Joiners carry meaning in Persian, Indic scripts and emoji, and none beside Latin letters."""
_SPACE: Final = re.compile(r"(?: (?=\s)|[^\S ])\s*|\A | \Z")
"""White space that is not one space between words."""


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """Markup that was taken off: what it encloses in the plain text, and where it stands, itself included, in the source.

    ``binds``: what it encloses cannot be read without it, as the ``^`` of ``$R^2$``.
    """

    start: int
    end: int
    source_start: int
    source_end: int
    binds: bool = False


@dataclass(frozen=True, slots=True)
class PlainText:
    """Plain text and where each of its characters stands in the source. All offsets are code points.

    ``starts[i]`` and ``ends[i]`` (exclusive) bound what plain character ``i`` stands for; both never decrease. ``marks`` are sorted.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    marks: tuple[Mark, ...] = ()

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        r"""The source span of a plain one: without the markup around the words, with all of the markup that splits them.

        A span that is empty or outside the text gives an empty one.

        >>> source = r"\textbf{ReLIFT} and \textbf{Ra}LoRA"
        >>> plain = to_plain(source)
        >>> [source[slice(*plain.source_span(*span))] for span in ((0, 6), (11, 17))]
        ['ReLIFT', '\\textbf{Ra}LoRA']
        """
        start, end = max(0, start), min(end, len(self.text))
        if start >= end:
            place = self.starts[start] if start < len(self.text) else (self.ends[-1] if self.text else 0)
            return place, place
        first, last = self.starts[start], self.ends[end - 1]
        for i in range(bisect_left(self.marks, start, key=_start), len(self.marks)):
            mark = self.marks[i]
            if mark.start >= end:
                break
            if mark.end <= end and (mark.binds or (mark.start, mark.end) != (start, end)):
                first, last = min(first, mark.source_start), max(last, mark.source_end)
        return first, last

    def plain_span(self, start: int, end: int) -> tuple[int, int] | None:
        r"""What a source span shows, as a plain span; None if nothing of it is seen.

        >>> to_plain(r"a \textbf{b}").plain_span(2, 11)
        (2, 3)
        """
        first, last = bisect_right(self.ends, start), bisect_left(self.starts, end)
        return (first, last) if first < last else None


def to_plain(source: str) -> PlainText:
    r"""The plain text of an abstract as its source gives it. Never raises; text without markup comes back as it is.

    >>> to_plain("***LEXam***  beats `Ratchet' by 5–10$\\times$").text
    'LEXam beats ‘Ratchet’ by 5–10×'
    """
    buffer = render_latex(source)
    for stage in (code_and_links, tags, emphasis, _characters, _invisible, _white_space):
        buffer.apply(stage(buffer))
    return PlainText(buffer.text, _frozen(buffer.starts), _frozen(buffer.ends), _marks(buffer))


def _start(mark: Mark) -> int:
    return mark.start


def _frozen(offsets: Sequence[int]) -> Sequence[int]:
    return offsets if isinstance(offsets, range) else tuple(offsets)


def _marks(buffer: Buffer) -> tuple[Mark, ...]:
    marks = _shown(buffer, buffer.markup)
    # A formula that is one command around words, $\texttt{EQUAL}$, can be read without its dollars.
    wrapped = {(mark.start, mark.end) for mark in marks}
    binding = [replace(mark, binds=(mark.start, mark.end) not in wrapped) for mark in _shown(buffer, buffer.formulas)]
    return tuple(sorted({*marks, *binding}))


def _shown(buffer: Buffer, markup: list[Markup]) -> list[Mark]:
    """The marks of the markup that encloses something visible."""
    marks = []
    for source_start, source_end, inner_start, inner_end in markup:
        start, end = bisect_right(buffer.ends, inner_start), bisect_left(buffer.starts, inner_end)
        if start < end:
            marks.append(Mark(start, end, source_start, source_end))
    return marks


def _characters(buffer: Buffer) -> list[Edit]:
    """Quotes, ties and dashes of LaTeX; entities of HTML."""
    edits: list[Edit] = []
    text = buffer.text
    if "`" in text:
        view = buffer.view()
        for match in _QUOTES.finditer(view):
            edits += [(match.start(), match.start() + 2, "“"), (*match.span(1), "”")]
        for match in _QUOTE.finditer(view):
            edits += [(match.start(), match.start() + 1, "‘"), (*match.span(1), "’")]
        edits += [(m.start(), m.end(), "“") for m in _OPEN_QUOTES.finditer(view)]
    if "&" in text:
        edits += [(m.start(), m.end(), c) for m in _ENTITY.finditer(text) if (c := html.unescape(m[0])) != m[0]]
    if "~" in text:
        edits += [(m.start(), m.end(), " ") for m in _TIE.finditer(buffer.view())]
    if buffer.is_latex and "--" in text:
        edits += [(m.start(), m.end(), "–" if len(m[0]) == 2 else "—") for m in _DASHES.finditer(buffer.view()) if not _is_option(text, m)]
    return in_order(edits)


def _is_option(text: str, match: re.Match[str]) -> bool:
    """Whether the dashes begin a word, as in ``--verbose``."""
    return text[match.start() - 1 : match.start()].isspace() and not text[match.end() : match.end() + 1].isspace()


def _invisible(buffer: Buffer) -> list[Edit]:
    return in_order([(m.start(), m.end(), "") for pattern in (_INVISIBLE, _JOINERS) for m in pattern.finditer(buffer.text)])


def _white_space(buffer: Buffer) -> list[Edit]:
    """One space for every run of white space, none at the ends."""
    last = len(buffer.text)
    return [(m.start(), m.end(), "" if m.start() == 0 or m.end() == last else " ") for m in _SPACE.finditer(buffer.text)]
