"""A text file's lines as blocks: headings, and the paragraphs or list items between them, each with its place.

Only the look of single lines and paragraphs is judged here; what a heading is a heading of, the whole file decides
(:mod:`methodmap.graph.sources.textlist`). Markup after CommonMark, as far as lists of abstracts use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from methodmap.graph.sources.decode import LINE_END

__all__ = ["PLAIN", "Block", "is_abstract_like", "is_names", "is_short", "is_title_like", "read_blocks"]

MAX_TITLE_WORDS: Final = 30
MAX_TITLE_CHARACTERS: Final = 250
"""The longest titles of 10,791 conference papers have 23 words and 170 characters, the shortest abstracts 49 and 368."""

MIN_SENTENCE_WORDS: Final = 8
"""A sentence of fewer words is too little for an abstract."""

MAX_HEADING_LINE: Final = 1000
"""Characters of a line that is looked at as a heading: room for a linked title, and a bound on the work that a hostile line can cause."""

MAX_FRONT_LINES: Final = 3
"""Lines (title, authors, affiliation) that may stand before an ``Abstract:`` label in one paragraph."""

BOLD: Final = 7
PLAIN: Final = 8
"""Levels of headings that are bold lines, and lines told by a label or a place; those with number signs have 1 to 6."""

_BLANK: Final = " \t\v\f\x1c\x1d\x1e\x1f\x85\xa0\u2028\u2029\u200b\ufeff"
_RULE: Final = re.compile(r"\s{0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|={3,}\s*|(?:`{3,}|~{3,})\s*\w*\s*)")
_UNDERLINE: Final = re.compile(r"\s{0,3}(?:=+|-{2,})\s*")
_MARKER: Final = re.compile(r"(?P<indent>\s*)(?:(?P<bullet>[-*+•‣▪])|[(\[]?(?P<number>\d{1,4})[.)\]])\s+(?=\S)")
_QUOTE: Final = re.compile(r"\s{0,3}>[ \t]*(?=\S)")
_COUNTER: Final = re.compile(r"\W*(?:(?:abstract|no|nr|page|paper)\W*)?\d{1,5}(?:\s*(?:of|/)\s*\d{1,5})?\W*", re.IGNORECASE)
"""A line that only counts papers or pages ("3.", "Paper 12", "Page 1 of 3"): neither abstract nor title."""

_NUMBER_SIGNS: Final = re.compile(r"\s{0,3}(?P<signs>#{1,6})\s+(?P<title>.*?)\s*#*\s*")
_BOLD_LINE: Final = re.compile(
    r"\s*(?P<marks>\*{2,3}|__)(?P<title>(?:\*\*(?:(?!\*\*).)+\*\*)?(?![\s*_])(?:(?!\*\*|__).)+?)(?P=marks)[:.]?\s*"
)
_LINK: Final = re.compile(r"\[(?P<text>[^\[\]]+)\]\((?P<url>https?://[^\s()]+)\)")
_NUMBERED_TITLE: Final = re.compile(r"(?:\d{1,4}[.)]|\[\d{1,4}\])\s+")
_ABSTRACT_LABEL: Final = re.compile(
    r"\s*(?P<open>[*_]{0,3})(?:abstract|summary|摘要)"
    r"(?:(?P=open)(?:\s*[:：]|\.(?=\s)|\s?[—–]|\s*$|(?<=[*_])\s)|(?:\s*[:：]|\.|\s?[—–])(?P=open))\s*",
    re.IGNORECASE,
)
_TITLE_LABEL: Final = re.compile(
    r"\s*(?P<open>[*_]{0,3})title(?:(?P=open)\s*[:：]|\s*[:：]\s*(?P=open))\s*(?P<title>\S.*?)\s*", re.IGNORECASE
)
_ABOUT: Final = re.compile(
    r"\W*(?:(?:authors?|affiliations?|key ?words|(?:primary|subject) areas?|tl;?dr|venue)[*_]{0,3}\s*[:：]"
    r"|(?:arxiv|code|doi|link|openreview|paper|pdf|project page|url|website)[*_]{0,3}\s*[:：]\W*(?:https?://|www\.|10\.\d|arxiv:|\d{4}\.))",
    re.IGNORECASE,
)
"""A line about a paper that is not its abstract. "LINK: Learning …" is a title, so labels of addresses need an address behind them."""
_BETWEEN_NAMES: Final = re.compile(r"\s*(?:[,;&]\s*and\s|[,;&]|\sand\s)\s*")
_NAME: Final = re.compile(r"[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){1,4}[*†‡\d]*")
_SENTENCE_END: Final = re.compile(r"[.!?。！？][\"'”’)*_$]*\s*$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end: its number from 1 and the place of its first character in the file."""

    number: int
    start: int
    text: str

    def cut(self, count: int) -> Line:
        """The line without its first characters."""
        return Line(self.number, self.start + count, self.text[count:])


@dataclass(frozen=True, slots=True)
class Block:
    """A heading (``level`` from 1, ``title`` set) or a paragraph or list item (``level`` 0); ``text`` is ``file[start:end]``.

    ``labelled``: the file itself calls it the abstract. ``marker``: characters of the bullet or number before ``start``, 0 without one.
    """

    line: int
    start: int
    end: int
    text: str
    level: int = 0
    title: str = ""
    url: str | None = None
    several_lines: bool = False
    labelled: bool = False
    marker: int = 0


def is_short(text: str) -> bool:
    """Whether a paragraph is one line and no longer than titles are."""
    return len(text) <= MAX_TITLE_CHARACTERS and len(text.split()) <= MAX_TITLE_WORDS and LINE_END.search(text) is None


def is_title_like(text: str) -> bool:
    r"""Whether a paragraph could be a title: one line, few words, and not the end of a sentence.

    >>> is_title_like("Is Attention All You Need?"), is_title_like("We extend LoRA."), is_title_like("one\ntwo")
    (True, False, False)
    """
    return is_short(text) and not text.rstrip(" *_").endswith((".", "。", ";", ":", ","))


def is_abstract_like(text: str) -> bool:
    """Whether a paragraph is longer than titles are, or as short but ends as a sentence does and has words for one.

    >>> is_abstract_like("We extend LoRA to vision and find that it helps."), is_abstract_like("LoRA for Vision")
    (True, False)
    """
    return not is_short(text) or (len(text.split()) >= MIN_SENTENCE_WORDS and _SENTENCE_END.search(text) is not None)


def is_names(text: str) -> bool:
    """Whether a line is a list of at least two persons.

    >>> is_names("A. Smith, B. Jones and C. Müller"), is_names("Robust, Fast and Private Learning")
    (True, False)
    """
    names = _BETWEEN_NAMES.split(text.strip(" *_"))
    return is_short(text) and len(names) > 1 and all(_NAME.fullmatch(name) for name in names)


def read_blocks(text: str, *, markdown: bool) -> list[Block]:
    """Every heading and paragraph of a file, in order. Rules (``---``) and code fences part paragraphs as blank lines do.

    In markdown, number signs begin a heading anywhere; in plain text only where a paragraph begins, as a wrapped line may begin with
    "# of parameters".
    """
    return [block for paragraph in _paragraphs(_lines(text)) for item in _items(paragraph, markdown) for block in _blocks(text, item)]


def _lines(text: str) -> Iterator[Line]:
    number, start = 1, 0
    for end in LINE_END.finditer(text):
        yield Line(number, start, text[start : end.start()])
        number, start = number + 1, end.end()
    yield Line(number, start, text[start:])


def _paragraphs(lines: Iterator[Line]) -> Iterator[list[Line]]:
    paragraph: list[Line] = []
    for line in lines:
        underlined = len(paragraph) == 1 and _UNDERLINE.fullmatch(line.text) and is_title_like(paragraph[0].text)
        if underlined:
            (title,) = paragraph
            signs = "# " if "=" in line.text else "## "
            # A heading by underline goes on as one by number signs; the shifted start keeps the title's place in the file.
            paragraph = [Line(title.number, title.start - len(signs), signs + title.text.lstrip())]
        if underlined or not line.text.strip(_BLANK) or _RULE.fullmatch(line.text):
            if paragraph:
                yield paragraph
            paragraph = []
        else:
            paragraph.append(line)
    if paragraph:
        yield paragraph


def _items(paragraph: list[Line], markdown: bool) -> Iterator[list[Line]]:
    """Part a tight list into its items, and a paragraph where a heading begins inside it."""
    item: list[Line] = []
    first = _MARKER.match(paragraph[0].text)
    last = int(first["number"]) if first and first["number"] else 0
    bold = _matches(_BOLD_LINE, paragraph[0])
    for line in paragraph:
        marker = _MARKER.match(line.text) if first else None
        begins = False
        if item and first and marker and len(marker["indent"]) <= len(first["indent"]):
            if first["bullet"]:
                begins = marker["bullet"] == first["bullet"]
            elif marker["number"]:
                # A wrapped line may begin with "92. We", so only the next number counts, or 1 again, as markdown allows.
                begins = int(marker["number"]) in ((last + 1, 1) if last == 1 else (last + 1,))
        if item and not begins:
            begins = (markdown and _matches(_NUMBER_SIGNS, line)) or (
                bold and _matches(_BOLD_LINE, line) and _SENTENCE_END.search(item[-1].text) is not None
            )
        if begins:
            yield item
            item = []
            last = int(marker["number"]) if marker and marker["number"] else last
        item.append(line)
    yield item


def _blocks(text: str, item: list[Line]) -> Iterator[Block]:
    lines = [item[0].cut(len(item[0].text) - len(item[0].text.lstrip(_BLANK))), *item[1:]]
    marker = _MARKER.match(lines[0].text)
    begin = lines[0].start + len(marker["indent"]) if marker else -1
    number = lines[0].number
    if marker:
        lines[0] = lines[0].cut(marker.end())
    labelled = False
    quote = _QUOTE.match(lines[0].text)
    if quote:
        lines[0] = lines[0].cut(quote.end())
    if _is_counter(lines[0].text):
        lines = lines[1:]
    headings = list(takewhile(lambda found: found is not None, map(_heading, lines)))
    yield from (found for found in headings if found and found.title)
    lines = lines[len(headings) :]
    label = next((i for i, line in enumerate(lines[: MAX_FRONT_LINES + 1]) if _ABSTRACT_LABEL.match(line.text)), None)
    if label is not None and (label == 0 or all(is_title_like(line.text) for line in lines[:label])):
        if label and not _ABOUT.match(lines[0].text):
            yield _plain_heading(lines[0])
        match = _ABSTRACT_LABEL.match(lines[label].text)
        labelled = True
        lines = [lines[label].cut(match.end() if match else 0), *lines[label + 1 :]]
        if not lines[0].text.strip(_BLANK):
            lines = lines[1:]
    elif len(lines) == 1 and _ABOUT.match(lines[0].text) and len(lines[0].text.split()) <= 2 * MAX_TITLE_WORDS:
        return
    if lines:
        first = lines[0].cut(len(lines[0].text) - len(lines[0].text.lstrip(_BLANK)))
        end = lines[-1].start + len(lines[-1].text.rstrip(_BLANK))
        cut = first.start - begin if marker and first.number == number and not labelled else 0
        yield Block(first.number, first.start, end, text[first.start : end], several_lines=len(lines) > 1, labelled=labelled, marker=cut)


def _matches(pattern: re.Pattern[str], line: Line) -> bool:
    return len(line.text) <= MAX_HEADING_LINE and pattern.fullmatch(line.text) is not None


def _is_counter(text: str) -> bool:
    return len(text) <= MAX_TITLE_CHARACTERS and _COUNTER.fullmatch(text) is not None


def _heading(line: Line) -> Block | None:
    """The heading that a line is by its markup, or by a ``Title:`` label; one without a title where it only says "Abstract" or counts."""
    if len(line.text) > MAX_HEADING_LINE:
        return None
    for pattern in (_NUMBER_SIGNS, _BOLD_LINE, _TITLE_LABEL):
        found = pattern.fullmatch(line.text)
        if found is None:
            continue
        title, level = found["title"], len(found["signs"]) if pattern is _NUMBER_SIGNS else BOLD
        if level >= BOLD and len(title.split()) > MAX_TITLE_WORDS:
            return None
        nameless = _ABSTRACT_LABEL.fullmatch(title) or _is_counter(title)
        return _titled(line, "" if nameless else title, level)
    return None


def _plain_heading(line: Line) -> Block:
    return _titled(line, line.text, PLAIN)


def _titled(line: Line, title: str, level: int) -> Block:
    numbered = _NUMBERED_TITLE.match(title)
    title = title[numbered.end() if numbered else 0 :].strip()
    bold = _BOLD_LINE.fullmatch(title)
    title = bold["title"] if bold else title
    link = _LINK.search(title)
    url = link["url"] if link else None
    title = _LINK.sub(lambda found: found["text"], title)
    return Block(line.number, line.start, line.start + len(line.text), line.text, level, " ".join(title.split()), url)
