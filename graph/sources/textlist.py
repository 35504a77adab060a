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
from methodmap.graph.sources.venues import KNOWN_VENUES, venue_from_file_name, venue_from_heading
from methodmap.graph.text import to_plain

__all__ = ["MAX_ABSTRACT_CHARACTERS", "read_textlist"]

MIN_ABSTRACT_WORDS: Final = 8
MIN_ABSTRACT_CHARACTERS: Final = 40
"""A paragraph must reach both: the shortest of 10,791 conference abstracts has 49 words; notes and page numbers fall below.
Chinese and Japanese write no spaces, so there the characters alone decide."""

MAX_ABSTRACT_CHARACTERS: Final = 100_000
"""A longer "abstract" is a whole paper, or a file that is no list of abstracts; the longest of 10,791 has 4,966 characters."""

MAX_HEADING_WORDS: Final = 12
MAX_HEADING_CHARACTERS: Final = 120
"""Long enough for "Accepted papers of the Conference on Robot Learning 2024, oral session"."""

TITLED_SHARE: Final = 0.8
"""Headings of one look are titles where at least this share of them has exactly one abstract below: a slip or two are forgiven, a list
whose sections hold several abstracts each is not taken for titles."""

LONG_LINE_CHARACTERS: Final = 300
MIN_LONG_LINES: Final = 4
"""Nobody wraps at 300 characters, and nearly all abstracts are longer; one abstract of so many paragraphs as long as that is as good as
unknown, so these lines are abstracts, not paragraphs of one."""

WRAP_RATIO: Final = 2
"""No line of wrapped text is this much longer than the one before it, so a line that is follows a title."""

_SENTENCE: Final = re.compile(r"[.!?。！？](?:\s|$)")
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_SECTION: Final = re.compile(
    r"(?i)(?:(?<![\w-])(?:abstracts?|accepted|awards?|bibliography|day|orals?|overview|papers?|part|posters?|reading list|session"
    r"|spotlights?|tracks?|workshops?)(?![\w-])|论文)"
)
_VENUE_BEHIND: Final = re.compile(r"(?<=\S)\s*[(\[][^()\[\]]*[)\]]\s*$")
"""A paper's venue behind its title, as in "FlashSort (NeurIPS 2023)"."""
MAX_SECTION_WORDS: Final = 5
"""A heading this short that says "papers", "oral", "session" … names a section, not a paper."""


@dataclass(slots=True)
class _Section:
    heading: Block | None
    texts: list[Block] = field(default_factory=list)

    def abstract(self) -> list[Block]:
        """The paragraphs without authors and the like, which stand between a title and the one abstract below it."""
        labelled = [i for i, block in enumerate(self.texts) if block.labelled]
        if len(labelled) == 1 and all(is_short(block.text) for block in self.texts[: labelled[0]]):
            return self.texts[labelled[0] :]
        *before, last = self.texts
        about = not is_short(last.text) and all(is_title_like(block.text) and not block.marker for block in before)
        return [last] if about else self.texts

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
        blocks = _mark_plain_titles(blocks)
    heading, blocks = _split_heading(text, blocks)
    blocks = _mark_labelled(_part_first_lines(text, _part_long_lines(text, _mark_sections(blocks))))
    if not markdown or not any(block.level in range(1, PLAIN) for block in blocks):
        blocks = _mark_plain_titles(blocks)
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
        if alone or not rest or rest[0].level or _names_list(first.title):
            return first.title, rest
        return None, blocks
    head = LINE_END.split(first.text, maxsplit=1)[0]
    if first.several_lines and len(head.split()) <= MAX_SECTION_WORDS and _names_list(head):
        # The heading stands on the first paragraph's first line, without a blank line below.
        start = first.end - len(first.text[len(head) :].lstrip())
        line = first.line + count_line_ends(text, first.start, start)
        return head, [Block(line, start, first.end, text[start : first.end]), *rest]
    short = not first.several_lines and len(first.text.split()) <= MAX_HEADING_WORDS and len(first.text) <= MAX_HEADING_CHARACTERS
    if short and not _SENTENCE.search(first.text) and (_names_list(first.text) or not _plain_titles(blocks)):
        return first.text, rest
    return None, blocks


def _mark_sections(blocks: list[Block]) -> list[Block]:
    """Make headings of the short lines that name a section or repeat the list's heading ("Oral papers", "ICLR 2026")."""
    return [
        replace(block, level=PLAIN, title=block.text)
        if not block.level and not block.labelled and is_title_like(block.text) and _names_list(block.text)
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
    for start, end in spans:
        line = whole.text[start:end]
        start, end = start + len(line) - len(line.lstrip()), start + len(line.rstrip())
        number = whole.line + count_line_ends(whole.text, 0, start)
        lines.append(Block(number, whole.start + start, whole.start + end, text[whole.start + start : whole.start + end]))
    return [*(block for block in blocks if block.level), *lines]


def _part_first_lines(text: str, blocks: list[Block]) -> list[Block]:
    """Make headings of first lines that stand for titles: nearly every paragraph is a short line and a much longer one."""
    parted: list[Block] = []
    likely = 0
    for block in blocks:
        first, *rest = LINE_END.split(block.text)
        front = 2 if len(rest) > 1 and is_names(rest[0]) else 1
        below = rest[front - 1 :]
        title_like = is_title_like(first) and not is_names(first)
        if block.level or len(below) != 1 or not title_like or not is_abstract_like(below[0]) or len(below[0]) < WRAP_RATIO * len(first):
            parted.append(block)
            continue
        likely += 1
        start = block.end - len(below[0].lstrip())
        parted.append(Block(block.line, block.start, block.start + len(first), first, PLAIN, " ".join(first.split())))
        parted.append(Block(block.line + front, start, block.end, text[start : block.end]))
    habit = likely > 1 and likely >= TITLED_SHARE * sum(not block.level for block in blocks)
    return parted if habit else blocks


def _mark_labelled(blocks: list[Block]) -> list[Block]:
    """Make headings of lone title lines right above what the file itself calls the abstract; lines below a heading are authors."""
    marked = list(blocks)
    for i, block in enumerate(blocks[:-1]):
        alone = i == 0 or (not blocks[i - 1].level and is_abstract_like(blocks[i - 1].text))
        if alone and blocks[i + 1].labelled and not block.level and not block.labelled and is_title_like(block.text):
            marked[i] = block if is_names(block.text) else _as_title(block)
    return marked


def _mark_plain_titles(blocks: list[Block]) -> list[Block]:
    """Make headings of lines that are titles by their place, where most papers have such and fewer a marked heading."""
    candidates: list[Block] = []
    marked = abstracts = 0
    heads_file = False
    inside, below = False, True
    for block, after in pairwise([*blocks, Block(0, 0, 0, "")]):
        if _names_list(block.title or block.text):
            inside, below = False, True
        elif block.level:
            # The first line below a heading names authors, and the first paragraph is the heading's own.
            inside, below = True, False
            marked += block.level < PLAIN
        else:
            if below and _is_title_of(block, after):
                candidates.append(block)
                heads_file = heads_file or not inside
            abstracts += below and _is_abstract(block)
            below = below or block.marker > 0 or is_abstract_like(block.text)
    habit = heads_file and len(candidates) > max(1, marked) and len(candidates) >= TITLED_SHARE * abstracts
    starts = {block.start for block in candidates} if habit and any(block.level for block in blocks) else set()
    return [_as_title(block) if not block.level and block.start in starts else block for block in blocks]


def _is_title_of(block: Block, after: Block) -> bool:
    return (
        not block.marker and not block.labelled and not is_abstract_like(block.text) and is_title_like(block.text) and _is_abstract(after)
    )


def _is_abstract(block: Block) -> bool:
    return not block.level and not block.marker and is_abstract_like(block.text)


def _as_title(block: Block) -> Block:
    return replace(block, level=PLAIN, title=" ".join(block.text.split()), marker=0)


def _names_list(heading: str) -> bool:
    """Whether a heading names a list or a section rather than one paper.

    >>> [_names_list(x) for x in ("ICLR 2026", "Oral papers", "Poster Papers 2025", "ImageNet in 2012: a look back at ten years")]
    [True, True, True, False]
    """
    words = heading.split()
    venue, year = venue_from_heading(_VENUE_BEHIND.sub("", heading))
    known = venue is not None and venue.split()[0] in KNOWN_VENUES
    return (known and year is not None and len(words) <= MAX_HEADING_WORDS) or (
        len(words) <= MAX_SECTION_WORDS and _SECTION.search(heading) is not None
    )


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
        if section.heading and section.texts and section.heading.level in titles and not _names_list(section.heading.title):
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
        if section.heading and section.texts and not _names_list(section.heading.title):
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
