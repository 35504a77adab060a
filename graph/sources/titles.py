"""Lines of a text file that stand for titles by their place, told by the habit of the whole file or by what stands below them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Final

from methodmap.graph.sources.blocks import PLAIN, Block, is_abstract_like, is_names, is_title_like
from methodmap.graph.sources.decode import LINE_END
from methodmap.graph.sources.venues import KNOWN_VENUES, venue_from_heading

__all__ = [
    "MAX_HEADING_CHARACTERS",
    "MAX_HEADING_WORDS",
    "MAX_SECTION_WORDS",
    "TITLED_SHARE",
    "mark_labelled",
    "mark_plain_titles",
    "names_list",
    "part_first_lines",
]

MAX_HEADING_WORDS: Final = 12
MAX_HEADING_CHARACTERS: Final = 120
"""Long enough for "Accepted papers of the Conference on Robot Learning 2024, oral session"."""

TITLED_SHARE: Final = 0.8
"""Headings of one look are titles where at least this share of them has exactly one abstract below: a slip or two are forgiven, a list
whose sections hold several abstracts each is not taken for titles."""

WRAP_RATIO: Final = 2
"""No line of wrapped text is this much longer than the one before it, so a line that is follows a title."""

_SECTION: Final = re.compile(
    r"(?i)(?:(?<![\w-])(?:abstracts?|accepted|awards?|bibliography|day|orals?|overview|papers?|part|posters?|reading list|session"
    r"|spotlights?|tracks?|workshops?)(?![\w-])|论文)"
)
_VENUE_BEHIND: Final = re.compile(r"(?<=\S)\s*[(\[][^()\[\]]*[)\]]\s*$")
"""A paper's venue behind its title, as in "FlashSort (NeurIPS 2023)"."""
MAX_SECTION_WORDS: Final = 5
"""A heading this short that says "papers", "oral", "session" … names a section, not a paper."""


def part_first_lines(text: str, blocks: list[Block]) -> list[Block]:
    """Make headings of first lines that stand for titles: nearly every paragraph is a short line and a much longer one.

    A line of names between the two is sure enough a sign for one paragraph alone.
    """
    parts = [_first_line(text, block) for block in blocks]
    likely = sum(part is not None for part in parts)
    habit = likely > 1 and likely >= TITLED_SHARE * sum(not block.level for block in blocks)
    parted: list[Block] = []
    for block, part in zip(blocks, parts, strict=True):
        parted.extend(part if part and (habit or part[1].line > part[0].line + 1) else (block,))
    return parted


def _first_line(text: str, block: Block) -> tuple[Block, Block] | None:
    """The title and the abstract of a paragraph that is a short line and a much longer one, with authors between them or not."""
    first, *rest = LINE_END.split(block.text)
    front = 2 if len(rest) > 1 and is_names(rest[0]) else 1
    below = rest[front - 1 :]
    title_like = not block.level and is_title_like(first) and not is_names(first)
    if not title_like or len(below) != 1 or not is_abstract_like(below[0]) or len(below[0]) < WRAP_RATIO * len(first):
        return None
    start = block.end - len(below[0].lstrip())
    title = Block(block.line, block.start, block.start + len(first), first, PLAIN, " ".join(first.split()))
    return title, Block(block.line + front, start, block.end, text[start : block.end])


def mark_labelled(blocks: list[Block]) -> list[Block]:
    """Make headings of lone title lines right above what the file itself calls the abstract; lines below a heading are authors."""
    marked = list(blocks)
    for i, block in enumerate(blocks[:-1]):
        alone = i == 0 or (not blocks[i - 1].level and is_abstract_like(blocks[i - 1].text))
        if alone and blocks[i + 1].labelled and not block.level and not block.labelled and is_title_like(block.text):
            marked[i] = block if is_names(block.text) else _as_title(block)
    return marked


def mark_plain_titles(blocks: list[Block]) -> list[Block]:
    """Make headings of lines that are titles by their place, where most papers have such and fewer a marked heading."""
    candidates: list[Block] = []
    marked = abstracts = 0
    heads_file = False
    inside, below = False, True
    for block, after in pairwise([*blocks, Block(0, 0, 0, "")]):
        if names_list(block.title or block.text):
            inside, below = False, True
        elif block.level:
            # The first line below a heading names authors, and the first paragraph is the heading's own.
            inside, below = True, False
            marked += block.level < PLAIN
        else:
            if below and _is_title_of(block, after):
                candidates.append(block)
                heads_file = heads_file or not inside
            abstracts += below and not block.labelled and _is_abstract(block)
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


def names_list(heading: str) -> bool:
    """Whether a heading names a list or a section rather than one paper.

    >>> [names_list(x) for x in ("ICLR 2026", "Oral papers", "Poster Papers 2025", "ImageNet in 2012: a look back at ten years")]
    [True, True, True, False]
    """
    words = heading.split()
    venue, year = venue_from_heading(_VENUE_BEHIND.sub("", heading))
    known = venue is not None and venue.split()[0] in KNOWN_VENUES
    return (known and year is not None and len(words) <= MAX_HEADING_WORDS) or (
        len(words) <= MAX_SECTION_WORDS and _SECTION.search(heading) is not None
    )
