"""SPARQL as text: where its tokens are, which values its parameters take, and whether it reaches out to the network.

Parameters are ``$name`` tokens that a term takes the place of. A value is never pasted as text: it becomes an RDF term, the term is
written by Oxigraph's own serialiser, and only a token outside strings, comments and IRIs is replaced, so that no value can change
the query around it. (Oxigraph's ``substitutions`` would bind projected variables alone, and joins them after everything else.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from pyoxigraph import Literal, NamedNode

__all__ = ["excess", "first_word", "has_service", "parameters", "splice"]

DEPTH: Final = 50
OPERATORS: Final = 200
"""Open brackets, and operators, that a query may have: questions have ten of either. Oxigraph works on a query by recursion, which ends
the whole process where the stack does: at 1,000 with the 8 MB of a Linux process, while threads and Windows have 1 MB or less."""

_RECURSIVE: Final = frozenset({"AS", "BIND", "EXISTS", "FILTER", "MINUS", "OPTIONAL", "UNION"})

# SPARQL 1.1 Query Language, section 19.8; long strings before short ones, and everything that can hide a word or a dollar sign first.
_TOKEN: Final = re.compile(
    r"""
      (?P<hidden> \"{3}(?:[^\\]|\\.)*?\"{3} | '{3}(?:[^\\]|\\.)*?'{3}
                | "(?:[^"\\\n\r]|\\.)*" | '(?:[^'\\\n\r]|\\.)*'
                | <[^<>"{}|^`\\\x00-\x20]*> | \#[^\n\r]* )
    | \$(?P<parameter> \w+ )
    | (?P<name> [?@]?[\w.-]*:(?:[\w.:%~-]|\\.)* | \?\w+ | @[\w-]+ )
    | (?P<word> [A-Za-z]\w* )
    | .
    """,
    re.VERBOSE | re.DOTALL,
)


def splice(query: str, values: Mapping[str, NamedNode | Literal | int]) -> str:
    r"""Put terms in the place of parameters; whole numbers stand bare, so that ``LIMIT $limit`` is one. Lines keep their numbers.

    >>> splice('SELECT ?x { ?x ?p $v . FILTER(?x != "$v") } # $v', {"v": Literal('say "hi"')})
    'SELECT ?x { ?x ?p "say \\"hi\\"" . FILTER(?x != "$v") } # $v'
    >>> splice("ASK { ?x ?p $v } LIMIT $n", {"n": 5})
    'ASK { ?x ?p $v } LIMIT 5'
    """

    def term(match: re.Match[str]) -> str:
        name = match["parameter"]
        return str(values[name]) if name is not None and name in values else match[0]

    return _TOKEN.sub(term, query)


def parameters(query: str) -> frozenset[str]:
    """The names of the ``$name`` tokens.

    >>> sorted(parameters("SELECT $b ?c { $b ?p $a }"))
    ['a', 'b']
    """
    return frozenset(match["parameter"] for match in _TOKEN.finditer(query) if match["parameter"] is not None)


def has_service(query: str) -> bool:
    """Whether the query asks another endpoint.

    >>> [has_service(query) for query in ("ASK { Service <a:b> { } }", 'ASK { ?service ex:service "SERVICE" } # SERVICE')]
    [True, False]
    """
    return "SERVICE" in _words(query)


def excess(query: str) -> str | None:
    """What a query has too much of to be evaluated safely; None if nothing.

    >>> excess("ASK { " + "{" * 60 + "}" * 60 + " }")
    'its brackets nest more than 50 deep'
    >>> excess("ASK { FILTER(1" + " + 1" * 300 + " = 301) }")
    'it has more than 200 operators'
    >>> excess("SELECT ?m { VALUES ?m { " + "'((++' " * 600 + "} }")
    """
    depth = operators = 0
    for match in _TOKEN.finditer(query):
        token = match[0]
        if token in ("{", "(", "["):
            depth += 1
        elif token in ("}", ")", "]"):
            depth -= 1
        operators += token in ("!", "*", "+", "-", "/", "^", "|", "&") or (match["word"] is not None and token.upper() in _RECURSIVE)
        if depth > DEPTH:
            return f"its brackets nest more than {DEPTH} deep"
        if operators > OPERATORS:
            return f"it has more than {OPERATORS} operators"
    return None


def first_word(query: str) -> str:
    r"""The keyword, in capitals, that says what the query does: the first after the prologue; empty if there is none.

    >>> first_word("PREFIX ex: <http://e/> # insert\nselect * {}")
    'SELECT'
    """
    return next((word for word in _words(query) if word not in {"PREFIX", "BASE"}), "")


def _words(query: str) -> Iterator[str]:
    return (match["word"].upper() for match in _TOKEN.finditer(query) if match["word"] is not None)
