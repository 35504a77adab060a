"""The names under which exports keep a paper's fields, and the paper that a record with such names describes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

from methodmap.graph.identify import paper_id
from methodmap.graph.model import Paper, Source
from methodmap.graph.sources.decode import bad_character
from methodmap.graph.sources.textlist import MAX_ABSTRACT_CHARACTERS
from methodmap.graph.sources.venues import find_year
from methodmap.graph.text import to_plain

__all__ = ["KEYS", "Number", "paper_of_record"]

KEYS: Final[dict[str, tuple[str, ...]]] = {
    "id": ("id", "paperid", "openreviewid", "openreview", "arxivid", "doi", "forum", "forumid", "corpusid", "pmid", "aclid", "key"),
    "title": ("title", "papertitle", "documenttitle", "name", "ti"),
    "abstract": ("abstract", "abstracttext", "paperabstract", "abstractnote", "ab", "summary", "description", "text"),
    "venue": (
        "venue",
        "conference",
        "booktitle",
        "journal",
        "journalref",
        "containertitle",
        "publicationtitle",
        "sourcetitle",
        "publicationname",
    ),
    "year": (
        "year",
        "publicationyear",
        "pubyear",
        "py",
        "date",
        "published",
        "publicationdate",
        "publisheddate",
        "publishedonline",
        "issued",
    ),
    "url": ("url", "link", "paperurl", "htmlurl", "absurl", "landingpageurl", "pdf", "pdfurl", "openaccesspdf"),
}
"""For each field its keys, the best first, in the form of :func:`_plain_key`.

They are those of OpenReview, arXiv, Semantic Scholar, OpenAlex, Crossref, Scopus and Zotero.
"""

NO_ABSTRACT: Final = frozenset(
    (
        *("-", "--", "?", "empty", "n/a", "na", "nan", "none", "not available", "null", "tba", "tbd", "todo", "unknown"),
        *("abstract not available", "abstract unavailable", "no abstract", "no abstract available"),
    )
)
"""What exports write where they have no abstract."""

_NESTED: Final = "content"
"""OpenReview keeps a note's fields one level down, and each value in ``{"value": ...}``."""
_INNER: Final = ("value", "name", "url", "date-parts", "$numberint")
_WORD_INDEX: Final = "abstractinvertedindex"
"""OpenAlex gives an abstract as an index: each word with the places at which it stands."""
_WEB: Final = re.compile(r"https?://\S", re.IGNORECASE)
_SEPARATORS: Final = re.compile(r"[^a-z0-9$]+")


class Number(str):
    """A JSON number as it is written, so that the id 2401.12340 keeps its last digit."""

    __slots__ = ()


def paper_of_record(record: Mapping[str, object], source: Source) -> Paper:
    """The paper of one record. Raises :class:`ValueError`, which says what is wrong with it, where it describes none.

    The abstract is kept as given, the id without space around it, title and venue on one line. A link that is no web address is left out.

    >>> paper_of_record({"Paper ID": 7, "Abstract": "We extend LoRA.", "published": "2026-01-03"}, Source("x", 1, 0)).year
    2026
    """
    fields: dict[str, object] = {}
    keys: list[str] = []
    nested = record.get(_NESTED)
    for part in (nested if isinstance(nested, Mapping) else {}, record):
        for key, value in part.items():
            keys.append(str(key))
            if value is not None and value != "":
                fields[_plain_key(keys[-1])] = value
    abstract = _abstract(fields, keys)
    title, venue = _first(fields, "title"), _first(fields, "venue")
    given = (_first(fields, "id") or "").strip()
    years = (find_year(text) for key in KEYS["year"] if (text := _text(fields.get(key))))
    url = next((text.strip() for key in KEYS["url"] if (text := _text(fields.get(key))) and _WEB.match(text.strip())), None)
    for text in (abstract, given, title, venue, url):
        if text and (bad := bad_character(text)):
            raise ValueError(bad[1])
    return Paper(
        id=given or paper_id(abstract),
        abstract=abstract,
        source=source,
        title=_plain_title(title),
        venue=_one_line(venue),
        year=next((year for year in years if year), None) or find_year(venue or ""),
        url=url,
    )


def _abstract(fields: Mapping[str, object], keys: Iterable[str]) -> str:
    indexed = _from_word_index(fields[_WORD_INDEX]) if _WORD_INDEX in fields else None
    for key in (*KEYS["abstract"], _WORD_INDEX):
        value = indexed if key == _WORD_INDEX else fields.get(key)
        if not isinstance(value, list) or len(value) == 1:
            value = _unwrapped(value)
        if isinstance(value, str) and not isinstance(value, Number):
            if value.strip() and value.strip().rstrip(".").casefold() not in NO_ABSTRACT:
                if len(value) > MAX_ABSTRACT_CHARACTERS:
                    raise ValueError(f"too long for an abstract ({len(value):,} characters, the limit is {MAX_ABSTRACT_CHARACTERS:,})")
                return value
        elif value is not None:
            raise ValueError(f"{key!r} is no text but {_shown(value)}: write the abstract as a string")
    if any(_plain_key(key) in (*KEYS["abstract"], _WORD_INDEX) for key in keys):
        raise ValueError("the abstract is empty")
    names = ", ".join(sorted(keys)[:8])
    raise ValueError(
        f"no abstract: the record's keys are {names}; name the abstract's 'abstract'" if names else "no abstract: the record is empty"
    )


def _from_word_index(index: object) -> str:
    """The abstract that an index of words stands for; raises ``ValueError`` for what is none.

    >>> _from_word_index({"NEO": [1, 3], "We": [0], "and": [2]})
    'We NEO and NEO'
    """
    if isinstance(index, Mapping) and all(isinstance(places, list) for places in index.values()):
        with suppress(TypeError, ValueError):
            return " ".join(word for _, word in sorted((float(place), word) for word, places in index.items() for place in places))
    raise ValueError("the abstract's index is not of the form {word: [places]}: write the abstract as a string")


def _plain_key(key: str) -> str:
    """The key without case, spaces and signs.

    >>> _plain_key("Abstract Note"), _plain_key("pdf_url"), _plain_key("paperId")
    ('abstractnote', 'pdfurl', 'paperid')
    """
    return _SEPARATORS.sub("", key.casefold())


def _first(fields: Mapping[str, object], field: str) -> str | None:
    return next((text for key in KEYS[field] if (text := _text(fields.get(key))) and text.strip()), None)


def _unwrapped(value: object) -> object:
    """The value inside ``{"value": ...}`` or a list's first item, as deep as exports go."""
    for _ in range(3):
        if isinstance(value, Mapping):
            value = next((value[key] for key in _INNER if key in value), None)
        elif isinstance(value, list):
            value = value[0] if value else None
    return value


def _text(value: object) -> str | None:
    value = _unwrapped(value)
    return str(value) if isinstance(value, str) else None


def _one_line(text: str | None) -> str | None:
    return " ".join(text.split()) or None if text else None


def _plain_title(text: str | None) -> str | None:
    """The title without LaTeX and markup; as given where nothing else is in it."""
    return _one_line(to_plain(text).text) or _one_line(text) if text else None


def _shown(value: object) -> str:
    return f"the number {value}" if isinstance(value, Number) else f"a {type(value).__name__}"
