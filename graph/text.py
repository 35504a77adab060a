"""LaTeX, markdown and HTML to plain text, with a map that leads every plain character back to its place in the source.

The work goes in stages over one buffer: commands and formulas first (:mod:`methodmap.graph.text_latex`), then what markdown and HTML take
off, then single characters, then white space. Each stage is a list of edits ``(start, end, replacement)``, applied with their map.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from methodmap.graph.text_latex import Rendering, render_latex

__all__ = ["PlainText", "to_plain"]

_Edit: TypeAlias = tuple[int, int, str]

_URL: Final = re.compile(r"(?:https?://|www\.)[^\s<>*`\"{}|\\^]+")
_CODE: Final = re.compile(r"(?<!`)(`{1,3})(?![`\s])([^`]{1,300})(?<!\s)\1(?!`)")
_LINK: Final = re.compile(r"!?\[([^\[\]]{1,300})\]\((?=\S)[^()\s]{0,500}(?:\s\"[^\"]{0,200}\")?\)")
_AUTOLINK: Final = re.compile(r"<((?:https?://|mailto:)[^\s<>]{1,500})>")
_HEADER: Final = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+", re.MULTILINE)
_TAG: Final = re.compile(
    r"</?(b|i|u|em|strong|sub|sup|br|p|hr|span|div|tt|code|small|ul|ol|li|a|font|italic|bold|jats:[a-z-]{1,20}|sc)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_LATEX_QUOTES: Final = re.compile(r"(?<!`)``(?!`)[^`]{1,200}?(''|\")")
_LATEX_QUOTE: Final = re.compile(r"(?<![\w`])`(?![`\s])[^`'\n]{1,100}'(?![\w'])")
_DELIMITER: Final = re.compile(r"\*+|_+|\n[ \t\r]*\n")
_TIE: Final = re.compile(r"(?:(?<=[^\W\d_]{2})|(?<=[.,:;)\]”’]))~(?=[\w(“])")
_DASHES: Final = re.compile(r"(?<!-)-{2,3}(?!-)")
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
    "|(?<=[ -~])[\u200c\u200d]|[\u200c\u200d](?=[ -~])"
)
_SPACE: Final = re.compile(r"\s+")
_SPACES_THAT_BREAK: Final = frozenset(["br", "p", "hr", "div", "li", "jats:p"])
_MAX_EMPHASIS: Final = 500  # characters; stars further apart than this are footnote signs, not emphasis


@dataclass(frozen=True, slots=True)
class PlainText:
    """Plain text and where each of its characters stands in the source. All offsets are code points.

    ``starts[i]`` and ``ends[i]`` (exclusive) bound what plain character ``i`` stands for; both never decrease. ``marks`` are the pieces of
    markup that were taken off, as ``(plain start, plain end, source start, source end)``: what they enclose, and where they stand.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    marks: tuple[tuple[int, int, int, int], ...] = ()

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        r"""The source span of a plain one: without the markup around the words, with all of the markup that splits them.

        An empty span gives an empty one.

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
        for i in range(bisect_left(self.marks, (start,)), len(self.marks)):
            inner_start, inner_end, outer_start, outer_end = self.marks[i]
            if inner_start >= end:
                break
            if inner_end <= end and (inner_start, inner_end) != (start, end):
                first, last = min(first, outer_start), max(last, outer_end)
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
    for stage in (_code_and_links, _tags, _emphasis, _characters, _invisible, _white_space):
        edits = stage(buffer)
        if edits:
            buffer = _apply(buffer, edits)
    return PlainText(buffer.text, _frozen(buffer.starts), _frozen(buffer.ends), _plain_marks(buffer))


def _frozen(offsets: Sequence[int]) -> Sequence[int]:
    return offsets if isinstance(offsets, range) else tuple(offsets)


def _plain_marks(buffer: Rendering) -> tuple[tuple[int, int, int, int], ...]:
    found = set()
    for outer_start, outer_end, inner_start, inner_end in buffer.marks:
        first, last = bisect_right(buffer.ends, inner_start), bisect_left(buffer.starts, inner_end)
        if first < last:
            found.add((first, last, outer_start, outer_end))
    return tuple(sorted(found))


def _apply(buffer: Rendering, edits: list[_Edit]) -> Rendering:
    """Carry out edits that are in order and do not overlap; a replacement stands for all that it replaces."""
    text, shield = [], bytearray()
    starts: list[int] = []
    ends: list[int] = []
    old = buffer.shield or bytearray(len(buffer.text))
    done = 0
    for start, end, replacement in [*edits, (len(buffer.text), len(buffer.text), "")]:
        text += [buffer.text[done:start], replacement]
        starts += buffer.starts[done:start]
        ends += buffer.ends[done:start]
        shield += old[done:start]
        if replacement:
            starts += [buffer.starts[start]] * len(replacement)
            ends += [buffer.ends[end - 1]] * len(replacement)
            shield += old[start : start + 1] * len(replacement)
        done = end
    return Rendering("".join(text), starts, ends, shield, buffer.marks, buffer.is_latex)


def _view(buffer: Rendering) -> str:
    """The text as markdown may see it: what LaTeX has settled, and addresses, are letters without meaning."""
    text = buffer.text
    if "://" in text or "www." in text:
        shield = buffer.shield or bytearray(len(text))
        for match in _URL.finditer(text):
            shield[match.start() : match.end()] = b"\x01" * len(match[0])
        buffer.shield = shield
    if buffer.shield and 1 in buffer.shield:
        return "".join("x" if shielded else character for character, shielded in zip(text, buffer.shield, strict=True))
    return text


def _mark(buffer: Rendering, outer: tuple[int, int], inner: tuple[int, int]) -> None:
    """Keep the place of markup, given by spans of the buffer."""
    (start, end), (inner_start, inner_end) = outer, inner
    buffer.marks.append((buffer.starts[start], buffer.ends[end - 1], buffer.starts[inner_start], buffer.ends[inner_end - 1]))


def _code_and_links(buffer: Rendering) -> list[_Edit]:
    if not any(sign in buffer.text for sign in "`[<#"):
        return []
    view = _view(buffer)
    edits: list[_Edit] = []
    taken: list[tuple[int, int]] = []
    for pattern, group in ((_CODE, 2), (_AUTOLINK, 1), (_LINK, 1)):
        for match in pattern.finditer(view if pattern is _CODE else buffer.text):
            start, end = match.span()
            if pattern is not _CODE and buffer.shield and buffer.shield[start]:
                continue
            inner_start, inner_end = match.span(group)
            taken.append((start, end))
            edits += [(start, inner_start, ""), (inner_end, end, "")]
            _mark(buffer, (start, end), (inner_start, inner_end))
            if pattern is _CODE:
                buffer.shield = buffer.shield or bytearray(len(view))
                buffer.shield[inner_start:inner_end] = b"\x01" * (inner_end - inner_start)
    edits += [(m.start(), m.end(), "") for m in _HEADER.finditer(view)]
    return _disjoint(edits)


def _disjoint(edits: list[_Edit]) -> list[_Edit]:
    """In order, without those that overlap an earlier one."""
    kept: list[_Edit] = []
    for edit in sorted(edits):
        if edit[0] < edit[1] and (not kept or edit[0] >= kept[-1][1]):
            kept.append(edit)
    return kept


def _tags(buffer: Rendering) -> list[_Edit]:
    if "<" not in buffer.text:
        return []
    edits: list[_Edit] = []
    opened: dict[str, list[re.Match[str]]] = {}
    for match in _TAG.finditer(_view(buffer)):
        name = match[1].lower()
        if name in _SPACES_THAT_BREAK:
            edits.append((match.start(), match.end(), " "))
        elif not match[0].startswith("</"):
            opened.setdefault(name, []).append(match)
        elif opened.get(name):
            opener = opened[name].pop()
            edits += [(opener.start(), opener.end(), ""), (match.start(), match.end(), "")]
            if opener.end() < match.start():
                _mark(buffer, (opener.start(), match.end()), (opener.end(), match.start()))
    return _disjoint(edits)


def _emphasis(buffer: Rendering) -> list[_Edit]:
    """Stars and underscores in pairs, found as CommonMark finds them (left- and right-flanking runs), with a stack, in linear time."""
    if "*" not in buffer.text and "_" not in buffer.text:
        return []
    view = _view(buffer)
    edits: list[_Edit] = []
    stack: list[tuple[str, int, int]] = []
    waiting: dict[str, list[int]] = {}
    for match in _DELIMITER.finditer(view):
        run, (start, end) = match[0], match.span()
        if run[0] == "\n" or len(run) > 3:
            stack.clear()
            waiting.clear()
            continue
        opens, closes = _flanks(view, run, start, end)
        places = waiting.get(run, [])
        if closes and places and start - stack[places[-1]][1] <= _MAX_EMPHASIS and stack[places[-1]][2] < start:
            _, opener_start, opener_end = stack[places[-1]]
            for key, _, _ in reversed(stack[places[-1] :]):
                waiting[key].pop() if key != run else None
            del stack[places.pop() :]
            waiting[run] = [place for place in places if place < len(stack)]
            edits += [(opener_start, opener_end, ""), (start, end, "")]
            _mark(buffer, (opener_start, end), (opener_end, start))
        elif opens:
            waiting.setdefault(run, []).append(len(stack))
            stack.append((run, start, end))
    return _disjoint(edits)


def _flanks(view: str, run: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether a run may open and may close emphasis."""
    before, after = view[start - 1 : start] or " ", view[end : end + 1] or " "
    opens = not after.isspace() and (after.isalnum() or not before.isalnum())
    closes = not before.isspace() and (before.isalnum() or not after.isalnum())
    if run[0] == "_" or (len(run) == 1 and before.isdigit()):
        opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
    elif len(run) == 1:
        opens = opens and not before.isalnum()
    return opens, closes


def _characters(buffer: Rendering) -> list[_Edit]:
    edits: list[_Edit] = []
    text = buffer.text
    if "`" in text:
        view = _view(buffer)
        for match in _LATEX_QUOTES.finditer(view):
            edits += [(match.start(), match.start() + 2, "“"), (match.start(1), match.end(1), "”")]
        for match in _LATEX_QUOTE.finditer(view):
            edits += [(match.start(), match.start() + 1, "‘"), (match.end() - 1, match.end(), "’")]
    if "&" in text:
        edits += [(m.start(), m.end(), c) for m in _ENTITY.finditer(text) if (c := html.unescape(m[0])) != m[0]]
    if "~" in text:
        edits += [(m.start(), m.end(), " ") for m in _TIE.finditer(_view(buffer))]
    if buffer.is_latex and "--" in text:
        edits += [(m.start(), m.end(), "–" if len(m[0]) == 2 else "—") for m in _DASHES.finditer(_view(buffer)) if not _is_option(text, m)]
    return _disjoint(edits)


def _is_option(text: str, match: re.Match[str]) -> bool:
    """Whether the dashes begin a word, as in ``--verbose``."""
    return text[match.start() - 1 : match.start()].isspace() and not text[match.end() : match.end() + 1].isspace()


def _invisible(buffer: Rendering) -> list[_Edit]:
    return [(m.start(), m.end(), "") for m in _INVISIBLE.finditer(buffer.text)]


def _white_space(buffer: Rendering) -> list[_Edit]:
    text = buffer.text
    last = len(text)
    return [
        (m.start(), m.end(), "" if m.start() == 0 or m.end() == last else " ")
        for m in _SPACE.finditer(text)
        if m[0] != " " or m.start() == 0 or m.end() == last
    ]
