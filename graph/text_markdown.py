"""Markdown and HTML: which characters are markup, as edits that take them off.

Small rules for what abstracts hold, not a parser of documents: code, links, addresses in angle brackets, headings, tags, and emphasis after
the delimiter runs of CommonMark 0.31 (section 6.2), kept from signs that are no markup (``A*``, ``2*3``, ``snake_case``, ``p < 0.05``).
"""

from __future__ import annotations

import re
from typing import Final

from methodmap.graph.text_buffer import Buffer, Edit, in_order

__all__ = ["code_and_links", "emphasis", "tags"]

_CODE: Final = re.compile(r"(?<!`)(`{1,3})(?![`\s])([^`]{1,300})(?<!\s)\1(?!`)")
_LINK: Final = re.compile(r"!?\[([^\[\]]{1,300})\]\((?=\S)[^()\s]{0,500}(?:\s\"[^\"]{0,200}\")?\)")
_AUTOLINK: Final = re.compile(r"<((?:https?://|mailto:)[^\s<>]{1,500})>")
_HEADING: Final = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+", re.MULTILINE)
_TAG: Final = re.compile(
    r"</?(b|i|u|em|strong|sub|sup|br|p|hr|span|div|tt|code|small|ul|ol|li|a|font|italic|bold|sc|jats:[a-z-]{1,20})(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_BREAKING_TAGS: Final = frozenset(["br", "p", "hr", "div", "li", "jats:p", "jats:title", "jats:sec"])
_RUN: Final = re.compile(r"\*+|_+|\n[ \t\r]*\n")

_MAX_EMPHASIS: Final = 500  # characters; stars further apart than this are footnote signs, not emphasis
_MAX_OPENERS: Final = 8  # how far down a closing run looks for its opener; keeps hostile input linear


def code_and_links(buffer: Buffer) -> list[Edit]:
    """The signs around code, links, addresses and before headings. What stands in code is settled."""
    if not any(sign in buffer.text for sign in "`[<#"):
        return []
    view = buffer.view()
    edits: list[Edit] = [(m.start(), m.end(), "") for m in _HEADING.finditer(view)]
    # An address inside a link is already settled, hence the text itself; a link that begins in code or a formula is none.
    for pattern, group, text in ((_CODE, 2, view), (_AUTOLINK, 1, buffer.text), (_LINK, 1, buffer.text)):
        for match in pattern.finditer(text):
            start, end = match.span()
            if buffer.shield[start]:
                continue
            inner = match.span(group)
            edits += [(start, inner[0], ""), (inner[1], end, "")]
            buffer.mark((start, end), inner)
            if pattern is _CODE:
                buffer.settle(*inner)
    return in_order(edits)


def tags(buffer: Buffer) -> list[Edit]:
    """HTML tags: those that break lines become spaces, others go if they come in pairs."""
    if "<" not in buffer.text:
        return []
    edits: list[Edit] = []
    opened: dict[str, list[tuple[int, int]]] = {}
    for match in _TAG.finditer(buffer.view()):
        name = match[1].lower()
        if name in _BREAKING_TAGS:
            edits.append((match.start(), match.end(), " "))
        elif not match[0].startswith("</"):
            opened.setdefault(name, []).append(match.span())
        elif opened.get(name):
            start, end = opened[name].pop()
            edits += [(start, end, ""), (match.start(), match.end(), "")]
            if end < match.start():
                buffer.mark((start, match.end()), (end, match.start()))
    return in_order(edits)


def emphasis(buffer: Buffer) -> list[Edit]:
    """Stars and underscores that pair up."""
    if "*" not in buffer.text and "_" not in buffer.text:
        return []
    view = buffer.view()
    edits: list[Edit] = []
    openers: dict[str, list[list[int]]] = {"*": [], "_": []}
    for match in _RUN.finditer(view):
        sign, (start, end) = match[0][0], match.span()
        if sign == "\n":
            openers = {"*": [], "_": []}
            continue
        opens, closes = _flanks(view, start, end)
        waiting = openers[sign]
        while closes and start < end:
            found = _opener(waiting, start, end - start, mixed=end - match.start() > 2)
            if found is None:
                break
            opener = waiting[found]
            width = min(2, opener[1] - opener[0], end - start)
            edits += [(opener[1] - width, opener[1], ""), (start, start + width, "")]
            buffer.mark((opener[1] - width, start + width), (opener[1], start))
            opener[1] -= width
            start += width
            del waiting[found + (opener[0] < opener[1]) :]
        if opens and start < end:
            waiting.append([start, end])
    return in_order(edits)


def _flanks(view: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether a run of signs may open, and may close, emphasis."""
    before, after = view[start - 1 : start] or " ", view[end : end + 1] or " "
    opens = not after.isspace() and (after.isalnum() or not before.isalnum())
    closes = not before.isspace() and (before.isalnum() or not after.isalnum())
    if view[start] == "_" or before.isdigit():
        opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
    elif end - start == 1:
        opens = opens and not before.isalnum()
    return opens, closes


def _opener(waiting: list[list[int]], start: int, width: int, *, mixed: bool) -> int | None:
    """The nearest run that ``width`` signs at ``start`` can close.

    One sign closes no two, or the star of ``**A* search**`` would; only a ``mixed`` run, of more than two, is used up in parts.
    """
    for i in range(len(waiting) - 1, max(-1, len(waiting) - 1 - _MAX_OPENERS), -1):
        opener_start, opener_end = waiting[i]
        if start - opener_end > _MAX_EMPHASIS:
            return None
        opener_width = opener_end - opener_start
        if opener_end < start and (mixed or min(width, opener_width) >= 2 or (width % 2 == opener_width % 2 == 1)):
            return i
    return None
