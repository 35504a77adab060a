"""Venue and year out of a list's heading or a file's name."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["KNOWN_VENUES", "find_year", "venue_from_file_name", "venue_from_heading"]

KNOWN_VENUES: Final[tuple[str, ...]] = (
    "3DV", "AAAI", "AAMAS", "ACL", "ACML", "AISTATS", "ALT", "AutoML", "BMVC", "CHI", "CHIL", "CIKM", "COLING", "COLM", "COLT", "CVPR",
    "CoLLAs", "CoNLL", "CoRL", "EACL", "ECAI", "ECCV", "ECIR", "ECML", "EMNLP", "FAccT", "ICAPS", "ICASSP", "ICCV", "ICDM", "ICLR", "ICML",
    "ICRA", "IJCAI", "IJCNLP", "INTERSPEECH", "IROS", "JMLR", "KDD", "L4DC", "LREC", "LoG", "MICCAI", "MIDL", "MLSys", "NAACL", "NIPS",
    "NeurIPS", "RSS", "RecSys", "SDM", "SIGGRAPH", "SIGIR", "TACL", "TMLR", "TPAMI", "UAI", "WACV", "WSDM", "WWW", "arXiv",
)  # fmt: skip
"""The spellings under which conferences and journals of the field are known; file names write them in any case."""

_CANONICAL: Final = {name.casefold(): name for name in KNOWN_VENUES}
_KNOWN: Final = "|".join(sorted(map(re.escape, KNOWN_VENUES), key=lambda name: (-len(name), name)))
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_VENUE: Final = re.compile(rf"(?<![A-Za-z0-9])({_KNOWN})(?![A-Za-z])", re.IGNORECASE)
_VENUE_WORD: Final = re.compile(r"\S*[A-Z]\S*[A-Z]\S*")
_FILE_NAME: Final = re.compile(rf"(?<![a-z0-9])({_KNOWN})[\s_.'-]*((?:19|20)\d\d)(?!\d)", re.IGNORECASE)
_CAPITALISED: Final = re.compile(r"(?:[A-Z][\w&-]*|of|on|for|in|and|the|&)(?: (?:[A-Z][\w&-]*|of|on|for|in|and|the|&))+")
_GENERIC: Final = frozenset({"abstracts", "accepted", "list", "papers", "reading", "the"})
"""Words that a heading's name begins with where it names no venue ("Accepted Papers 2025")."""


def find_year(text: str) -> int | None:
    """The first year from 1900 to 2099 that stands by itself among other digits.

    >>> find_year("2026-01-03"), find_year("17000000202600"), find_year("n.d.")
    (2026, None, None)
    """
    found = _YEAR.search(text)
    return int(found.group()) if found else None


def venue_from_heading(heading: str) -> tuple[str | None, int | None]:
    """The venue, its year included, and the year that a list's heading names.

    >>> venue_from_heading("ICLR 2026 论文列表")
    ('ICLR 2026', 2026)
    >>> venue_from_heading("Accepted papers, NeurIPS (2025)")
    ('NeurIPS 2025', 2025)
    >>> venue_from_heading("Workshop on Scientific Discovery 2024: abstracts")
    ('Workshop on Scientific Discovery 2024', 2024)
    >>> venue_from_heading("My reading list"), venue_from_heading("Accepted Papers 2025")
    ((None, None), (None, 2025))
    """
    year = find_year(heading)
    name: str | None = None
    known = _VENUE.search(heading)
    if known:
        name = _CANONICAL[known.group(1).casefold()]
        if known.group(1).islower() and year is None:
            name = None  # "chi" and "log" are words too; only a year makes them venues
    elif year is not None:
        before = heading[: heading.index(str(year))].rstrip(" -(,_'’")
        word = before.split()[-1:] or [""]
        if _VENUE_WORD.fullmatch(word[0]):
            name = word[0]
        elif _CAPITALISED.fullmatch(before) and before.split()[0].casefold() not in _GENERIC:
            name = before
    if name is None or year is None:
        return name, year
    return f"{name} {year}", year


def venue_from_file_name(name: str) -> tuple[str | None, int | None]:
    """The venue and year in a file's name; only of a known venue beside a year, as names hold other numbers too.

    >>> venue_from_file_name("iclr2026.txt"), venue_from_file_name("neurips-2023-papers.md")
    (('ICLR 2026', 2026), ('NeurIPS 2023', 2023))
    >>> venue_from_file_name("000_251d02e570105a36.txt"), venue_from_file_name("notes-2024-05-01.txt")
    ((None, None), (None, None))
    """
    found = _FILE_NAME.search(name)
    if found is None:
        return None, None
    year = int(found.group(2))
    return f"{_CANONICAL[found.group(1).casefold()]} {year}", year
