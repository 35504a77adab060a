"""JSON-LD 1.1 (https://www.w3.org/TR/json-ld11/), written subject by subject.

The context is embedded and holds prefixes only, so that no reader needs a network. Numbers are strings with a datatype: as JSON's own they
would lose digits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any, BinaryIO, Final

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

from methodmap.ontology.vocabulary import TYPE, XSD

__all__ = ["write_jsonld"]

_LOCAL: Final = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)


def write_jsonld(out: BinaryIO, quads: Iterable[Quad], prefixes: Mapping[str, str]) -> None:
    """Write quads that come grouped by graph, and in it by subject and predicate; one node object a line.

    Raises ValueError where an object is a quoted triple, which JSON-LD 1.1 cannot hold.
    """
    short = _shortener(prefixes)
    context = json.dumps(dict(sorted(prefixes.items())), ensure_ascii=False)
    out.write(f'{{"@context": {context},\n"@graph": ['.encode())
    separator = "\n"
    for graph, in_graph in groupby(quads, key=lambda quad: quad.graph_name):
        named = not isinstance(graph, DefaultGraph)
        if named:
            out.write(f'{separator}{{"@id": {json.dumps(_id(graph, short), ensure_ascii=False)}, "@graph": ['.encode())
            separator = "\n"
        for _, about in groupby(in_graph, key=lambda quad: quad.subject):
            out.write(f"{separator}{json.dumps(_node(list(about), short), ensure_ascii=False)}".encode())
            separator = ",\n"
        if named:
            out.write(b"\n]}")
    out.write(b"\n]}\n")


def _shortener(prefixes: Mapping[str, str]) -> Callable[[str], str]:
    """A function from an IRI to prefix:name, where a prefix fits and the name is plain, else to the IRI itself."""
    namespaces = {namespace: prefix for prefix, namespace in prefixes.items()}

    def short(iri: str) -> str:
        cut = max(iri.rfind("#"), iri.rfind("/")) + 1
        prefix = namespaces.get(iri[:cut])
        return f"{prefix}:{iri[cut:]}" if prefix is not None and _LOCAL.fullmatch(iri[cut:]) else iri

    return short


def _node(about: list[Quad], short: Callable[[str], str]) -> dict[str, Any]:
    node: dict[str, Any] = {"@id": _id(about[0].subject, short)}
    for predicate, quads in groupby(about, key=lambda quad: quad.predicate.value):
        objects = [quad.object for quad in quads]
        values: list[Any]
        if predicate == TYPE and not any(isinstance(term, Literal) for term in objects):
            key, values = "@type", [_id(term, short) for term in objects]
        else:
            key, values = short(predicate), [_value(term, short) for term in objects]
        node[key] = values[0] if len(values) == 1 else values
    return node


def _id(term: NamedNode | BlankNode | DefaultGraph | Literal | Triple, short: Callable[[str], str]) -> str:
    if isinstance(term, NamedNode):
        return short(term.value)
    if isinstance(term, BlankNode):
        return f"_:{term.value}"
    raise ValueError(f"JSON-LD cannot hold {term!s} as a node: name it with an IRI")


def _value(term: NamedNode | BlankNode | Literal | Triple, short: Callable[[str], str]) -> str | dict[str, str]:
    if not isinstance(term, Literal):
        return {"@id": _id(term, short)}
    if term.language is not None:
        return {"@language": term.language, "@value": term.value}
    if term.datatype.value == XSD + "string":
        return term.value
    return {"@type": short(term.datatype.value), "@value": term.value}
