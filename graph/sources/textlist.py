"""Lists of abstracts in plain text or markdown: paragraphs, with or without a heading, titles, bullets and numbers.

Titles are taken only where the file gives one to each abstract, never guessed for one paragraph alone, and no abstract is dropped without
a word: what is too short for one is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from methodmap.graph.errors import RejectedRecord
from methodmap.graph.identify import paper_id
from methodmap.graph.model import Paper, Source
from methodmap.graph.sources.blocks import PLAIN, Block, is_abstract_like, is_names, is_short, is_title_like, read_blocks
from methodmap.graph.sources.decode import LINE_END, bad_character, count_line_ends
from methodmap.graph.sources.titles import (
    MAX_HEADING_CHARACTERS,
    MAX_HEADING_WORDS,
    MAX_SECTION_WORDS,
    TITLED_SHARE,
    mark_labelled,
    mark_plain_titles,
    names_list,
    part_first_lines,
)
from methodmap.graph.sources.venues import venue_from_file_name, venue_from_heading
from methodmap.graph.text import to_plain

__all__ = ["MAX_ABSTRACT_CHARACTERS", "read_textlist"]

MIN_ABSTRACT_WORDS: Final = 8
MIN_ABSTRACT_CHARACTERS: Final = 40
"""A paragraph must reach both: the shortest of 10,791 conference abstracts has 49 words; notes and page numbers fall below.
Chinese and Japanese write no spaces, so there the characters alone decide."""

MAX_ABSTRACT_CHARACTERS: Final = 100_000
"""A longer "abstract" is a whole paper, or a file that is no list of abstracts; the longest of 10,791 has 4,966 characters."""

LONG_LINE_CHARACTERS: Final = 300
MIN_LONG_LINES: Final = 4
"""Nobody wraps at 300 characters, and nearly all abstracts are longer; one abstract of so many paragraphs as long as that is as good as
unknown, so these lines are abstracts, not paragraphs of one."""

_SENTENCE: Final = re.compile(r"[.!?。！？](?:\s|$)")
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


@dataclass(slots=True)
class _Section:
    heading: Block | None
    texts: list[Block] = field(default_factory=list)

    def abstract(self) -> list[Block]:
        """The paragraphs without authors and the like, which stand between a title and the one abstract below it."""
        labelled = [i for i, block in enumerate(self.texts) if block.labelled]
        if len(labelled) == 1 and not any(is_abstract_like(block.text) for block in self.texts[: labelled[0]]):
            return self.texts[labelled[0] :]
        texts = self.texts[1:] if len(self.texts) > 1 and is_names(self.texts[0].text) else self.texts
        *before, last = texts
        about = not is_short(last.text) and all(is_title_like(block.text) and not block.marker for block in before)
        return [last] if about else texts

    def count(self) -> int:
        """How many abstracts these may be. Short list items are parts of one; only a list of long ones may hold an abstract each."""
        items = [block for block in self.abstract() if block.marker]
        return 1 if any(is_short(block.text) for block in items) else len(self.abstract())


def read_textlist(text: str, path: str, *, markdown: bool, rejected: Callable[[RejectedRecord], None]) -> Iterator[Paper]:
    """The papers of one file, in its order. ``path`` goes into their sources, and its name may give venue and year.

    ``text`` is the file decoded with its line ends and byte order mark, so that ``text[offset:offset + len(abstract)] == abstract``.
    """
    blocks = read_blocks(text, markdown=markdown)
    if not markdown:
        blocks = mark_plain_titles(part_first_lines(text, blocks))
    heading, blocks = _split_heading(text, blocks)
    blocks = mark_labelled(part_first_lines(text, _part_long_lines(text, _mark_sections(blocks))))
    if not markdown or not any(block.level in range(1, PLAIN) for block in blocks):
        blocks = mark_plain_titles(blocks)
    venue, year = venue_from_heading(heading) if heading else (None, None)
    file_venue, file_year = venue_from_file_name(path.rpartition("/")[2])
    if venue is None or year is None:
        venue, year = file_venue or venue, year or file_year
    found = False
    for title, block in _pair_titles(text, blocks):
        found = True
        reason = _why_no_abstract(block, title)
        if reason is None:
            name, url = (to_plain(title.title).text.strip() or title.title, title.url) if title else (None, None)
            yield Paper(paper_id(block.text), block.text, Source(path, block.line, block.start), name, venue, year, url)
        else:
            rejected(RejectedRecord(path, *reason))
    if not found:
        what = "the file holds no abstract" if text.strip("\ufeff \t\r\n") else "the file is empty"
        rejected(RejectedRecord(path, 1, f"{what}: abstracts are paragraphs with blank lines between them"))


def _split_heading(text: str, blocks: list[Block]) -> tuple[str | None, list[Block]]:
    """The list's own heading, and the blocks without it."""
    if not blocks:
        return None, blocks
    first, rest = blocks[0], blocks[1:]
    if first.level:
        papers = [block for block in rest if not block.level]
        same = [block for block in rest if block.level == first.level]
        alone = not same and len(papers) > 1
        if alone or not rest or rest[0].level or names_list(first.title):
            return first.title, rest
        return None, blocks
    head = LINE_END.split(first.text, maxsplit=1)[0]
    if first.several_lines and len(head.split()) <= MAX_SECTION_WORDS and names_list(head):
        # The heading stands on the first paragraph's first line, without a blank line below.
        start = first.end - len(first.text[len(head) :].lstrip())
        line = first.line + count_line_ends(text, first.start, start)
        return head, [Block(line, start, first.end, text[start : first.end]), *rest]
    short = not first.several_lines and len(first.text.split()) <= MAX_HEADING_WORDS and len(first.text) <= MAX_HEADING_CHARACTERS
    if short and not _SENTENCE.search(first.text) and (names_list(first.text) or not _plain_titles(blocks)):
        return first.text, rest
    return None, blocks


def _mark_sections(blocks: list[Block]) -> list[Block]:
    """Make headings of the short lines that name a section or repeat the list's heading ("Oral papers", "ICLR 2026")."""
    return [
        replace(block, level=PLAIN, title=block.text)
        if not block.level and not block.labelled and is_title_like(block.text) and names_list(block.text)
        else block
        for block in blocks
    ]


def _part_long_lines(text: str, blocks: list[Block]) -> list[Block]:
    """An abstract a line, where the file has no blank line between many lines that are all too long for wrapped ones."""
    texts = [block for block in blocks if not block.level]
    if len(texts) != 1:
        return blocks
    (whole,) = texts
    spans = [(found.start(), found.end()) for found in re.finditer(r"[^\r\n]+", whole.text)]
    if len(spans) < MIN_LONG_LINES or any(end - start < LONG_LINE_CHARACTERS for start, end in spans):
        return blocks
    lines = []
    number, counted = whole.line, 0
    for start, end in spans:
        line = whole.text[start:end]
        start, end = start + len(line) - len(line.lstrip()), start + len(line.rstrip())
        number, counted = number + count_line_ends(whole.text, counted, start), start
        lines.append(Block(number, whole.start + start, whole.start + end, text[whole.start + start : whole.start + end]))
    return [*(block for block in blocks if block.level), *lines]


def _pair_titles(text: str, blocks: list[Block]) -> Iterator[tuple[Block | None, Block]]:
    """Every paragraph that may be an abstract with its title, if the file's habit shows that it has one."""
    sections = [_Section(None)]
    for block in blocks:
        if block.level:
            sections.append(_Section(block))
        else:
            sections[-1].texts.append(block)
    titles = _title_levels(sections)
    if not titles:
        plain = _plain_titles([block for section in sections for block in section.texts])
        for section in sections:
            yield from _with_plain_titles(section.texts, plain)
        return
    for section in sections:
        if section.heading and section.texts and section.heading.level in titles and not names_list(section.heading.title):
            first, *rest = section.abstract()
            listed = any(block.marker for block in [first, *rest])
            if (section.heading.level == PLAIN and not listed) or any(block.labelled for block in rest):
                yield section.heading, first
                yield from ((None, block) for block in rest)
            else:
                yield section.heading, _merge(text, [first, *rest])
        else:
            yield from ((None, block) for block in section.texts)


def _title_levels(sections: list[_Section]) -> frozenset[int]:
    counts: dict[int, list[int]] = {}
    for section in sections:
        if section.heading and section.texts and not names_list(section.heading.title):
            counts.setdefault(section.heading.level, []).append(section.count())
    return frozenset(level for level, sizes in counts.items() if sum(size == 1 for size in sizes) >= TITLED_SHARE * len(sizes))


def _merge(text: str, blocks: list[Block]) -> Block:
    """One abstract of several paragraphs, as the file has it."""
    first, last = blocks[0], blocks[-1]
    start = first.start - first.marker if len(blocks) > 1 else first.start
    return Block(first.line, start, last.end, text[start : last.end])


def _plain_titles(texts: list[Block]) -> frozenset[int]:
    """The first characters of paragraphs that are titles by their place: nearly every abstract of the file has one before it."""
    before = [block for block, after in pairwise(texts) if not is_abstract_like(block.text) and is_abstract_like(after.text)]
    titles = sum(is_title_like(block.text) for block in before)
    habit = (
        titles > 1
        and titles >= TITLED_SHARE * sum(is_abstract_like(block.text) for block in texts)
        and not any(block.level or block.labelled for block in before)
    )
    return frozenset(block.start for block in before) if habit else frozenset()


def _with_plain_titles(texts: list[Block], titles: frozenset[int]) -> Iterator[tuple[Block | None, Block]]:
    title: Block | None = None
    for block in texts:
        if block.start in titles:
            title = Block(block.line, block.start, block.end, block.text, PLAIN, " ".join(block.text.split()))
        else:
            yield title, block
            title = None


def _why_no_abstract(block: Block, title: Block | None) -> tuple[int, str] | None:
    """The line and the reason where a paragraph cannot be an abstract."""
    bad = bad_character(block.text) or bad_character(title.title if title else "")
    if bad:
        return block.line + count_line_ends(block.text, 0, bad[0]), bad[1]
    if block.text.startswith("|"):
        return block.line, "a table: write each abstract as a paragraph of its own, or export the table as JSONL"
    words, characters = len(block.text.split()), len(block.text)
    if characters > MAX_ABSTRACT_CHARACTERS:
        return (
            block.line,
            f"too long for an abstract ({characters:,} characters, at most {MAX_ABSTRACT_CHARACTERS:,}): part papers by blank lines",
        )
    if characters < MIN_ABSTRACT_CHARACTERS or (words < MIN_ABSTRACT_WORDS and not _UNSPACED.search(block.text)):
        return block.line, f"too short for an abstract ({words} {'word' if words == 1 else 'words'}): {block.text!r}"
    return None
