"""Abbreviations that a text explains itself: "Direct Preference Optimization (DPO)", "DPO (Direct Preference Optimization)".

After A. S. Schwartz and M. A. Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical text" (PSB 2003): the
letters of the short form stand in the long form in the same order, its first letter at a word's beginning. Their right-to-left scan takes
the first match; here the match with most letters at beginnings of words wins ("test-time adaptation", not "time adaptation", for TTA),
and then the shortest.
"""

# ruff: noqa: SIM905 - word lists as wrapped text: as list literals they fill screens and hide their order

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from methodmap.graph.spelling import LINK_WORDS

__all__ = ["Abbreviation", "find"]

_GROUP: Final = re.compile(r"[(\[]([^()\[\]]{2,150})[)\]]")
_FORM: Final = r"(?:[A-Za-z]-)?[^\W_]+(?:[-‐‑/.@+&'’^][^\W_]+){0,4}[*+]{0,2}"
_SHORT: Final = re.compile(rf"{_FORM}(?: {_FORM})?")
_BEFORE: Final = re.compile(rf"(?<![\w-])({_FORM})[\"'”’]*\s?$")
_TIMES: Final = re.compile(r"([^\W\d_])([2-4])(?!\d)")
_WORD: Final = re.compile(r"[^\W_]+")
_STOP: Final = re.compile(r"[.!?;:][\"”’')]*\s|[()\[\]]|\n\s*\n")
_LEAD: Final = re.compile(
    r"[\s\"'“‘,:]*(?:(?:i\.e\.,?|e\.g\.,?|a\.k\.a\.,?|aka|or|called|dubbed|denoted(?: as| by)?|termed|named|abbreviated(?: as| to)?|"
    r"(?:which )?stands for|standing for|short for|abbreviation of|for|the|an?|our)[\s\"'“‘]+)*",
    re.IGNORECASE,
)
_SPLIT: Final = re.compile(r"[;,:]\s|\s(?:or|and|by|from|in)\s|\s\W")
_OR: Final = re.compile(
    r",? (?:or|aka|a\.k\.a\.|abbreviated(?: as| to)?|termed|dubbed|named|called|denoted (?:as|by)) (?:the )?[\"'“‘]*"
    rf"({_FORM})(?![\w-])"
)
_EXPLAINED: Final = re.compile(
    rf"(?<![\w-])({_FORM})[\"'”’]*(?:: |, (?:which stands for |short for )?| (?:which )?stands for | ?[–—] ?)"
    r"(?:an? |the |our )?[\"'“‘]*(?=[A-Z])"
)

NOT_SHORT: Final = frozenset(
    """
    a all and appendix both bottom cf e.g eg eq etc fig figure first best i.e ie ii iii in iv left n/a no ours our p right row sec second
    section see supp tab table top vs with x yes
    """.split()
)
"""What stands in brackets and abbreviates nothing, lower case."""
SPOKEN: Final = {"2": "to", "4": "for"}
"""Digits that stand for words."""

_INITIAL: Final = 4
_INNER: Final = 1
_SKIPPED: Final = -3
_SKIPPED_LAST: Final = -6
# Least score a letter. In brackets the form of the text already says "abbreviation"; elsewhere nearly every letter must begin a word.
_ENOUGH_IN_BRACKETS: Final = 1.0
_ENOUGH_BEFORE_BRACKETS: Final = 2.0
_ENOUGH_ELSEWHERE: Final = 3.4
_LONGEST_SHORT: Final = 14
_WORD_ROOM: Final = 25
"""Characters a word, as a bound on how far a long form reaches."""
_NEVER: Final = -1000
_LEAST: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form and what it stands for: ``text[short_start:short_end]`` and ``text[long_start:long_end]``."""

    short_start: int
    short_end: int
    long_start: int
    long_end: int


def find(text: str) -> tuple[Abbreviation, ...]:
    """The abbreviations that ``text`` (plain, without LaTeX and markdown) explains, in the order of their short forms.

    >>> def pairs(text):
    ...     return [(text[a.short_start : a.short_end], text[a.long_start : a.long_end]) for a in find(text)]
    >>> pairs("We study test-time adaptation (TTA) of large language models (LLMs; Brown 2020).")
    [('TTA', 'test-time adaptation'), ('LLMs', 'large language models')]
    >>> pairs("We propose NEO (Noise-Erasing Optimization), or GRPO (ours), see (Fig. 2) and (i.e., noise).")
    [('NEO', 'Noise-Erasing Optimization')]
    >>> pairs("TRACER: Trajectory-Robust Anchoring for Contrastive Encoder Regularization")
    [('TRACER', 'Trajectory-Robust Anchoring for Contrastive Encoder Regularization')]
    """
    found: dict[int, Abbreviation] = {}
    for pair in filter(None, _candidates(text)):
        short, long = text[pair.short_start : pair.short_end], text[pair.long_start : pair.long_end]
        if not re.search(rf"(?<!\w){re.escape(short)}(?!\w)", long, re.IGNORECASE):  # "HSG-12M (https://host/HSG-12M)" explains nothing
            found.setdefault(pair.short_start, pair)
    return tuple(found[start] for start in sorted(found))


def _candidates(text: str) -> Iterator[Abbreviation | None]:
    for group in _GROUP.finditer(text):
        yield next(filter(None, _bracket(text, group.start(), group.start(1), group.end(1))), None)
    for match in _OR.finditer(text):
        yield _before(text, match.start(), match[1], match.span(1), _ENOUGH_ELSEWHERE)
    for match in _EXPLAINED.finditer(text):
        if sum(c.isupper() for c in match[1]) > 1:
            yield _after(text, match.end(), match[1], match.span(1))


def _bracket(text: str, opening: int, start: int, end: int) -> Iterator[Abbreviation | None]:
    """What one pair of brackets explains, the likeliest first: its content is the short form, or the word before it is."""
    lead = _LEAD.match(text, start, end)
    start = lead.end() if lead else start
    split = _SPLIT.search(text, start, end)
    ends = (end, split.start()) if split else (end,)
    for stop in ends:
        short = text[start:stop].rstrip(" \"'”’.,")
        if _SHORT.fullmatch(short):
            # An ordinary word with a capital ("Adam") says less of an abbreviation than capitals do.
            enough = _ENOUGH_IN_BRACKETS if sum(c.isupper() for c in short) > 1 else _ENOUGH_BEFORE_BRACKETS
            yield _before(text, opening, short, (start, start + len(short)), enough)
    if before := _BEFORE.search(text, max(0, opening - 40), opening):
        for stop in ends:
            parts = _parts(text, start, stop)
            scores = [
                _begin(letters, parts, 0, _table(letters, parts)) / len(letters) for letters in _spellings(before[1]) if len(parts) > 1
            ]
            if scores and parts[0][0] == start and max(scores) >= _ENOUGH_BEFORE_BRACKETS:
                yield Abbreviation(*before.span(1), start, parts[-1][1])


def _before(text: str, end: int, short: str, span: tuple[int, int], enough: float) -> Abbreviation | None:
    """The long form that ends at ``end``: of the starts with most letters at beginnings of words, the nearest."""
    best, found = enough - _LEAST, None
    for letters in _spellings(short):
        begin = max(0, end - _WORD_ROOM * (len(letters) + 3))
        for stop in _STOP.finditer(text, begin, end):
            begin = stop.end()
        parts = _parts(text, begin, end)[-min(2 * len(letters) + 2, len(letters) + 6) :]
        table = _table(letters, parts)
        for i in range(len(parts) - 1, -1, -1):
            if parts[i][3] and not _links(text, parts[i]) and (score := _begin(letters, parts, i, table) / len(letters)) > best:
                best, found = score, Abbreviation(*span, parts[i][0], parts[-1][1])
    return found


def _after(text: str, start: int, short: str, span: tuple[int, int]) -> Abbreviation | None:
    """The long form that starts at ``start``: of the ends with most letters at beginnings of words, the nearest."""
    best, found = _ENOUGH_ELSEWHERE - _LEAST, None
    for letters in _spellings(short):
        limit = start + _WORD_ROOM * (len(letters) + 4)
        stop = _STOP.search(text, start, limit)
        parts = _parts(text, start, stop.start() if stop else limit)
        if parts and parts[-1][1] == limit:
            del parts[-1]  # it may go on behind the limit
        parts = parts[: len(letters) + 4]
        for n in range(2, len(parts) + 1):
            if (score := _begin(letters, parts[:n], 0, _table(letters, parts[:n])) / len(letters)) > best:
                best, found = score, Abbreviation(*span, start, parts[n - 1][1])
    return found


def _spellings(short: str) -> tuple[str, ...]:
    """What of a short form must be found in a long form, lower case, "A2C" also read as "AAC"; empty if it cannot be a short form."""
    if short.casefold() in NOT_SHORT and not short.isupper():
        return ()
    if len(short) > 2 and short.endswith("s") and short[-2].isupper():
        short = short[:-1]
    letters = "".join(c for c in short if c.isalnum())
    if not any(c.isupper() or c in "@-" for c in short) or not 2 <= len(letters) <= _LONGEST_SHORT:
        return ()
    letters = letters.casefold()
    repeated = _TIMES.sub(lambda m: m[1] * int(m[2]), letters)
    return tuple(dict.fromkeys(spelling for spelling in (letters, repeated) if sum(c.isalpha() for c in spelling) > 1))


_Part: TypeAlias = tuple[int, int, str, bool]


def _parts(text: str, start: int, end: int) -> list[_Part]:
    """Words and parts of hyphenated words: start, end, the part as written, whether a word begins with it; a possessive s is none."""
    return [
        (m.start(), m.end(), m[0], m.start() == start or text[m.start() - 1] not in "-‐‑–_.")
        for m in _WORD.finditer(text, start, end)
        if m[0] != "s" or text[m.start() - 1] not in "'’"
    ]


def _links(text: str, part: _Part) -> bool:
    """Whether a part only links words: "in", but not that of "in-context"."""
    return part[2] in LINK_WORDS and not text.startswith(("-", "‐", "‑"), part[1])


def _uses(letters: str, k: int, part: str) -> list[int]:
    """Scores of taking 1, 2 ... letters from the k-th on from one part, as long as they stand in it in order."""
    scores: list[int] = []
    low, at, total = part.casefold(), 0, 0
    if low == SPOKEN.get(letters[k]):
        return [_INITIAL]
    for letter in letters[k:]:
        at = low.find(letter, at)
        if at < 0 or at >= len(part):
            break
        # Capitals inside a word mark letters on purpose ("LAtent"); inside "ECG" only those in front are taken on purpose.
        marked = part[at].isdigit() or (part[at].isupper() and (at == len(scores) or not part.isupper()))
        total += _INITIAL if at == 0 or marked else _INNER
        scores.append(total)
        at += 1
    return scores


def _table(letters: str, parts: list[_Part]) -> list[list[int]]:
    """``table[j][k]``: the best score of the letters from the k-th on in the parts from the j-th on."""
    n = len(letters)
    row = [_NEVER] * n + [0]
    table = [row]
    for j in range(len(parts) - 1, -1, -1):
        part = parts[j][2]
        skip = _SKIPPED_LAST if j == len(parts) - 1 else 0 if part.casefold() in LINK_WORDS else _SKIPPED
        new = [_NEVER] * n + [row[n] + skip]
        for k in range(n - 1, -1, -1):
            best = row[k] + skip
            for m, score in enumerate(_uses(letters, k, part), 1):
                best = max(best, score + row[k + m])
            if letters[k].isdigit():
                best = max(best, new[k + 1])
            new[k] = best
        table.append(new)
        row = new
    table.reverse()
    return table


def _begin(letters: str, parts: list[_Part], i: int, table: list[list[int]]) -> int:
    """The best score of a long form that begins with the i-th part, which holds the first letter at its beginning."""
    part = parts[i][2]
    if part[0].casefold() == letters[0]:
        return max(score + table[i + 1][m] for m, score in enumerate(_uses(letters, 0, part), 1))
    if letters[0] == "x" and part[:2].casefold() == "ex":
        return _INITIAL + table[i + 1][1]
    return _NEVER
