"""Ids to IRIs and back: what an IRI may not hold is percent-encoded, so that every id survives the way there and back."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from methodmap.graph.errors import GraphDataError

__all__ = ["entity_iri", "paper_iri", "read_id", "read_paper_id", "segment", "venue_iri"]

PAPER_FOLDER = "paper/"
VENUE_FOLDER = "venue/"

# The rest of RFC 3987's `isegment`: letters and digits of every script, and the delimiters that a path may hold.
_NOT_ALLOWED = re.compile(r"[^\w.~+@:=,;!$&()*'-]")


def segment(text: str) -> str:
    """The text as one segment of an IRI's path (RFC 3987); :func:`urllib.parse.unquote` undoes it.

    >>> segment("C++"), segment("10.1145/1 <2>"), segment("%"), segment("é图")
    ('C++', '10.1145%2F1%20%3C2%3E', '%25', 'é图')

    Segments of dots alone would be taken for steps up the path:

    >>> segment("..")
    '%2E%2E'
    """
    if text in {".", ".."}:
        return text.replace(".", "%2E")
    return _NOT_ALLOWED.sub(lambda match: quote(match[0], safe="", errors="surrogatepass"), text)


def paper_iri(paper: str, base: str) -> str:
    """The IRI of the paper with this id.

    >>> paper_iri("000-06", "https://example.org/")
    'https://example.org/paper/000-06'
    """
    return f"{base}{PAPER_FOLDER}{segment(paper)}"


def entity_iri(entity: str, base: str) -> str:
    """The IRI of the entity with this id, whose first slash stays one.

    >>> entity_iri("method/gpt-3.5", "https://example.org/")
    'https://example.org/method/gpt-3.5'
    >>> entity_iri("metric/bits/dim", "https://example.org/")
    'https://example.org/metric/bits%2Fdim'
    """
    kind, slash, slug = entity.partition("/")
    return f"{base}{segment(kind)}{slash}{segment(slug)}"


def venue_iri(venue: str, base: str) -> str:
    """The IRI of the venue with this name; its spaces are written as underscores.

    >>> venue_iri("ICLR 2026", "https://example.org/")
    'https://example.org/venue/ICLR_2026'
    """
    return f"{base}{VENUE_FOLDER}{segment(venue).replace('_', '%5F').replace('%20', '_')}"


def read_id(iri: str, base: str) -> str:
    """The id of the entity with this IRI. Raises :class:`GraphDataError` where the IRI does not begin with the base.

    >>> read_id("https://example.org/metric/bits%2Fdim", "https://example.org/")
    'metric/bits/dim'
    """
    if not iri.startswith(base):
        raise GraphDataError(iri, f"its IRI does not begin with {base!r}: give the base that the graph was written with")
    return unquote(iri[len(base) :], errors="surrogatepass")


def read_paper_id(iri: str, base: str) -> str:
    """The id of the paper with this IRI. Raises :class:`GraphDataError` where it is none of a paper under the base.

    >>> read_paper_id("https://example.org/paper/10.1145%2F1", "https://example.org/")
    '10.1145/1'
    """
    return read_id(iri, base + PAPER_FOLDER)
