"""Answers as text: an aligned table for people; CSV, TSV, JSON and Turtle, each after its W3C standard, for programs."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import unquote

import pyoxigraph

from methodmap.graph.errors import UnknownFormatError
from methodmap.graph.query import NUMBERS, Answer, Rows, Term, Triples, Truth
from methodmap.graph.settings import Settings
from methodmap.ontology.vocabulary import PREFIXES, XSD, XSD_BOOLEAN, XSD_DECIMAL, XSD_INTEGER

__all__ = ["FORMATS", "AnswerFormat", "format_answer"]

AnswerFormat: TypeAlias = Literal["table", "csv", "tsv", "json", "ttl"]

FORMATS: Final[tuple[AnswerFormat, ...]] = ("table", "csv", "tsv", "json", "ttl")

_BASE: Final = Settings().base_iri
_GAP: Final = "  "
_BARE: Final = {
    XSD_BOOLEAN: re.compile("true|false"),
    XSD_DECIMAL: re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    XSD_INTEGER: re.compile("[+-]?[0-9]+"),
}
"""The literals that Turtle writes without quotes and datatype (https://www.w3.org/TR/turtle/#abbrev)."""

_NARROWEST: Final = 8
"""Characters that a column keeps however narrow the terminal is; below that nothing of a name is left to recognise."""


def format_answer(answer: Answer, format: str = "table", *, base: str = _BASE, width: int | None = None) -> str:
    """Write an answer as text that ends with a line end (CSV has the line ends of its standard, CR LF).

    ``table`` shortens IRIs by the known prefixes, or by ``base`` to an id, and cuts the widest columns to fit ``width`` characters
    (None: nothing is cut). ``csv``, ``tsv`` and ``json`` are those of SPARQL 1.1; triples are rows of subject, predicate and object in
    them. ``ttl`` is Turtle. Raises ``UnknownFormatError`` for another format, and for ``ttl`` where the answer is not triples.
    """
    if format == "ttl" and isinstance(answer, Triples):
        turtle = pyoxigraph.serialize(answer.triples, format=pyoxigraph.RdfFormat.TURTLE, prefixes=dict(PREFIXES))
        return (turtle or b"").decode("utf-8")
    if format not in _WRITERS and format != "table":
        raise UnknownFormatError(format, FORMATS if isinstance(answer, Triples) else ("table", *_WRITERS))
    if isinstance(answer, Truth):
        truth = "true" if answer else "false"
        return f'{{"head":{{}},"boolean":{truth}}}\n' if format == "json" else f"{truth}\n"
    if isinstance(answer, Triples):
        answer = Rows(("subject", "predicate", "object"), tuple((t.subject, t.predicate, t.object) for t in answer.triples))
    return _table(answer, base, width) if format == "table" else _WRITERS[format](answer)


# ---- for programs ------------------------------------------------------------------------------------------------------------------------


def _csv(answer: Rows) -> str:
    """https://www.w3.org/TR/sparql11-results-csv-tsv/: values without their kind."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(answer.columns)
    writer.writerows([_plain(term) for term in row] for row in answer.terms)
    return out.getvalue()


def _tsv(answer: Rows) -> str:
    """https://www.w3.org/TR/sparql11-results-csv-tsv/: terms as Turtle writes them, which leaves no tab or line end bare."""
    lines = ["\t".join(f"?{column}" for column in answer.columns)]
    lines.extend("\t".join(map(_turtle, row)) for row in answer.terms)
    return "\n".join(lines) + "\n"


def _turtle(term: Term | None) -> str:
    if term is None:
        return ""
    if isinstance(term, pyoxigraph.Triple):
        return f"<<( {' '.join(map(_turtle, (term.subject, term.predicate, term.object)))} )>>"
    if isinstance(term, pyoxigraph.Literal) and (bare := _BARE.get(term.datatype.value)) and bare.fullmatch(term.value):
        return term.value
    return str(term).replace("\t", "\\t")


def _json(answer: Rows) -> str:
    """https://www.w3.org/TR/sparql11-results-json/."""
    bindings = [
        {name: _json_term(term) for name, term in zip(answer.columns, row, strict=True) if term is not None} for row in answer.terms
    ]
    content = {"head": {"vars": list(answer.columns)}, "results": {"bindings": bindings}}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"


def _json_term(term: Term) -> dict[str, Any]:
    if isinstance(term, pyoxigraph.NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, pyoxigraph.BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, pyoxigraph.Triple):
        parts = {"subject": term.subject, "predicate": term.predicate, "object": term.object}
        return {"type": "triple", "value": {name: _json_term(part) for name, part in parts.items()}}
    content = {"type": "literal", "value": term.value}
    if term.language is not None:
        content["xml:lang"] = term.language
    elif term.datatype.value != XSD + "string":
        content["datatype"] = term.datatype.value
    return content


_WRITERS: Final[Mapping[str, Callable[[Rows], str]]] = MappingProxyType({"csv": _csv, "tsv": _tsv, "json": _json})


# ---- for people --------------------------------------------------------------------------------------------------------------------------


def _table(answer: Rows, base: str, width: int | None) -> str:
    cells = [list(answer.columns), *([_shown(term, base) for term in row] for row in answer.terms)]
    if not answer.columns:
        return f"{len(answer.terms)} solutions without variables\n"
    widths = [max(map(_columns, column)) for column in zip(*cells, strict=True)]
    if width is not None:
        widths = _fit(widths, width - len(_GAP) * (len(widths) - 1))
    numeric = [_is_numeric(column) for column in zip(*answer.terms, strict=True)] or [False] * len(widths)
    lines = [_line(row, widths, numeric) for row in cells]
    lines.insert(1, _GAP.join("─" * wide for wide in widths))
    return "\n".join(lines) + "\n"


def _line(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    padded = []
    for cell, wide, right in zip(row, widths, numeric, strict=True):
        text = _cut(cell, wide)
        space = " " * (wide - _columns(text))
        padded.append(space + text if right else text + space)
    return _GAP.join(padded).rstrip()


def _shown(term: Term | None, base: str) -> str:
    """A term on one line: an IRI as an id or with its prefix, without characters that would drive the terminal."""
    text = _plain(term)
    if isinstance(term, pyoxigraph.NamedNode):
        # Our own vocabulary lies under the default base too, so the prefixes come first.
        near = [(namespace, f"{prefix}:") for prefix, namespace in PREFIXES.items()] + [(base, "")]
        text = next((short + unquote(text[len(start) :]) for start, short in near if text.startswith(start) and text != start), text)
    return "".join(character for character in " ".join(text.split()) if unicodedata.category(character) not in {"Cc", "Cf", "Cs"})


def _plain(term: Term | None) -> str:
    if term is None:
        return ""
    return term.value if isinstance(term, pyoxigraph.NamedNode | pyoxigraph.Literal) else str(term)


def _is_numeric(column: Sequence[Term | None]) -> bool:
    return all(term is None or (isinstance(term, pyoxigraph.Literal) and term.datatype.value in NUMBERS) for term in column)


def _fit(widths: Sequence[int], room: int) -> list[int]:
    """Narrow the widest columns, one character at a time, until all fit."""
    fitted = list(widths)
    while sum(fitted) > room and max(fitted) > _NARROWEST:
        fitted[fitted.index(max(fitted))] -= 1
    return fitted


def _cut(text: str, wide: int) -> str:
    """Shorten a text to so many columns of the terminal, with an ellipsis for what is lost."""
    if _columns(text) <= wide:
        return text
    kept = ""
    for character in text:
        if _columns(kept + character) >= wide:
            break
        kept += character
    return kept + "…"


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes: East Asian wide characters two, combining marks none."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1 for character in text
    )
