"""Ask a map: SPARQL text, a ``.rq`` file or a named question in, typed rows, a truth or triples out.

Text goes to Oxigraph as it is, which evaluates all of it; nothing is parsed or evaluated in Python. Nothing is written and no network is
reached: Oxigraph's query interface knows no updates, and federation (SERVICE) is refused before it could try.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

import pyoxigraph

from methodmap.graph import sparql_text
from methodmap.graph.errors import QueryError
from methodmap.graph.named_query import NamedQuery, Parameter, header, named_queries
from methodmap.ontology.vocabulary import PREFIXES, XSD, XSD_BOOLEAN, XSD_DECIMAL, XSD_INTEGER, XSD_NON_NEGATIVE_INTEGER

__all__ = ["NUMBERS", "Answer", "NamedQuery", "Parameter", "Rows", "Term", "Triples", "Truth", "Value", "named_queries", "run"]

Term: TypeAlias = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal | pyoxigraph.Triple
Value: TypeAlias = str | int | float | bool | Decimal | None

_UPDATES: Final = frozenset({"ADD", "CLEAR", "COPY", "CREATE", "DELETE", "DROP", "INSERT", "LOAD", "MOVE", "WITH"})
_POSITION: Final = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)
_INTEGERS: Final = frozenset({XSD_INTEGER, XSD_NON_NEGATIVE_INTEGER, XSD + "int", XSD + "long", XSD + "positiveInteger"})
_FLOATS: Final = frozenset({XSD + "double", XSD + "float"})
NUMBERS: Final = _INTEGERS | _FLOATS | {XSD_DECIMAL}
"""The datatypes whose literals are numbers in Python."""
_MESSAGE_LENGTH: Final = 200
"""Oxigraph lists every token it would have taken; past this many characters the list helps nobody."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The answer to a SELECT: the variables' names, and one tuple of terms a solution; None where a variable is unbound."""

    columns: tuple[str, ...]
    terms: tuple[tuple[Term | None, ...], ...]

    @property
    def rows(self) -> tuple[tuple[Value, ...], ...]:
        """The solutions as Python values: numbers and booleans by their datatype, everything else a string."""
        return tuple(tuple(map(_value, row)) for row in self.terms)


@dataclass(frozen=True, slots=True)
class Truth:
    """The answer to an ASK."""

    value: bool

    def __bool__(self) -> bool:
        return self.value


@dataclass(frozen=True, slots=True)
class Triples:
    """The answer to a CONSTRUCT or DESCRIBE, sorted and without repetitions."""

    triples: tuple[pyoxigraph.Triple, ...]


Answer: TypeAlias = Rows | Truth | Triples


def run(store: pyoxigraph.Store, query: str, *, params: Mapping[str, str] = MappingProxyType({})) -> Answer:
    """Answer a named query, a ``.rq`` file (given by its path) or SPARQL text.

    The prefixes of ``methodmap.ontology.vocabulary.PREFIXES`` are declared already; a query may declare others, or these anew. ``params``
    are bound to the query's ``$name`` tokens. In a query that declares no parameters a value is a string, or an IRI if it stands in angle
    brackets. The default graph has the plain triples; evidence is read by ``GRAPH ?g { … }``.

    Raises ``QueryError`` for an unknown name, an unreadable file, a wrong or missing parameter, malformed SPARQL, an update or SERVICE.
    """
    asked = _find(query)
    text = sparql_text.splice(asked.text, _terms(asked, params))
    if sparql_text.has_service(text):
        raise QueryError(query, "SERVICE would ask another server; queries stay inside the map: take that part out")
    if reason := sparql_text.excess(text):
        raise QueryError(query, f"{reason}: ask a simpler question, or several")
    try:
        answer = store.query(text, prefixes=dict(PREFIXES))
        if isinstance(answer, pyoxigraph.QuerySolutions):
            columns = tuple(variable.value for variable in answer.variables)
            return Rows(columns, tuple(tuple(solution) for solution in answer))
        if isinstance(answer, pyoxigraph.QueryTriples):
            return Triples(tuple(sorted(set(answer), key=str)))
        return Truth(bool(answer))
    except SyntaxError as error:
        raise QueryError(query, _explain(text, str(error))) from error
    except (OSError, RuntimeError, ValueError) as error:
        raise QueryError(query, f"it cannot be evaluated: {error}") from error


def _find(query: str) -> NamedQuery:
    """Take the query for a name, else for a file, else for text; a single word that is no name is a mistake in one."""
    known = {named.name: named for named in named_queries()}
    asked = query.strip()
    if asked in known:
        return known[asked]
    if asked.endswith(".rq") and "\n" not in asked and "{" not in asked:
        try:
            return header(asked, Path(asked).read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise QueryError(query, f"the file cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise QueryError(query, f"the file is not UTF-8 (byte {error.start}): save it as UTF-8") from error
    if re.fullmatch(r"[\w./-]*", asked):
        close = difflib.get_close_matches(asked.casefold(), known, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(map(repr, close))}?" if close else f"the named queries are {', '.join(known)}"
        raise QueryError(query, f"it is neither a named query nor SPARQL; {hint}")
    return header("query", query)


def _terms(asked: NamedQuery, params: Mapping[str, str]) -> dict[str, pyoxigraph.NamedNode | pyoxigraph.Literal | int]:
    declared = {parameter.name: parameter for parameter in asked.parameters}
    known = frozenset(declared) if declared else sparql_text.parameters(asked.text)
    usage = f"; usage: {asked.usage()}" if declared else ""
    if unknown := sorted(set(params) - known):
        raise QueryError(asked.name, f"it has no parameter {unknown[0]!r}{usage or f'; write ${unknown[0]} where its value belongs'}")
    if missing := [name for name, parameter in declared.items() if parameter.default is None and not params.get(name, "").strip()]:
        raise QueryError(asked.name, f"parameter {missing[0]!r} is missing{usage}")
    terms: dict[str, pyoxigraph.NamedNode | pyoxigraph.Literal | int] = {}
    try:
        for name, parameter in declared.items():
            terms[name] = parameter.term(params.get(name, parameter.default or ""))
        for name in set(params) - set(declared):
            value = params[name]
            is_iri = value.startswith("<") and value.endswith(">")
            terms[name] = pyoxigraph.NamedNode(value[1:-1]) if is_iri else pyoxigraph.Literal(value)
    except ValueError as error:
        raise QueryError(asked.name, f"{error}{usage}") from error
    return terms


def _explain(text: str, message: str) -> str:
    """Make a parser's message one that shows the place and says what to do."""
    if (word := sparql_text.first_word(text)) in _UPDATES:
        return f"{word} is an update; a map is only read: it changes by `methodmap build`"
    match = _POSITION.match(message)
    if match is None:
        return f"malformed SPARQL: {message}"
    line, column, expected = int(match[1]), int(match[2]), " ".join(match[3].split())
    if "Prefix not found" in expected:
        expected = f"a prefix that is not declared; declare it by PREFIX, or use one of {', '.join(f'{name}:' for name in PREFIXES)}"
    elif len(expected) > _MESSAGE_LENGTH:
        expected = expected[:_MESSAGE_LENGTH].rsplit(",", 1)[0] + ", …"
    lines = text.split("\n")
    shown = lines[line - 1].rstrip("\r").replace("\t", " ") if line <= len(lines) else ""
    return f"malformed SPARQL at line {line}, column {column}: {expected}\n  {shown}\n  {' ' * (column - 1)}^"


def _value(term: Term | None) -> Value:
    """A term as a Python value; a literal that its datatype does not allow stays a string."""
    if term is None:
        return None
    if isinstance(term, pyoxigraph.NamedNode):
        return term.value
    if not isinstance(term, pyoxigraph.Literal):
        return str(term)
    kind, text = term.datatype.value, term.value
    try:
        if kind in _INTEGERS:
            return int(text)
        if kind == XSD_DECIMAL:
            return Decimal(text)
        if kind in _FLOATS:
            return float(text)
    except (ArithmeticError, ValueError):
        return text
    if kind == XSD_BOOLEAN and text in {"true", "false", "1", "0"}:
        return text in {"true", "1"}
    return text
