"""The map's RDF in the standard syntaxes, written by pyoxigraph in one fixed order.

Turtle, N-Triples and RDF/XML hold one graph: they get the plain one, without the evidence. N-Quads, TriG and JSON-LD hold the whole
dataset, evidence included.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable
from importlib.resources import files
from itertools import takewhile
from typing import BinaryIO, Final

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, RdfFormat, Triple, serialize

from methodmap.graph.export.jsonld import write_jsonld
from methodmap.graph.export.table import without_illegal
from methodmap.ontology.vocabulary import PREFIXES, TYPE

__all__ = ["RDF_WRITERS", "ordered"]

_ROOT: Final = re.compile(rb"<rdf:RDF ([^>]*)>")


def ordered(quads: Iterable[Quad]) -> list[Quad]:
    """The distinct quads by graph, subject, predicate and object, the plain graph first and ``rdf:type`` before other predicates."""
    return sorted(set(quads), key=_rank)


def _rank(quad: Quad) -> str:
    # one string, not a tuple of five: on a million quads it halves the time. No IRI holds the separator, so the order is the tuple's.
    graph = "" if isinstance(quad.graph_name, DefaultGraph) else str(quad.graph_name)
    predicate = "" if quad.predicate.value == TYPE else quad.predicate.value
    return f"{graph}\0{quad.subject}\0{predicate}\0{quad.object}"


def _plain(quads: Iterable[Quad]) -> list[Quad]:
    return ordered(quad for quad in quads if isinstance(quad.graph_name, DefaultGraph))


def _write_turtle(out: BinaryIO, quads: Iterable[Quad]) -> None:
    out.write(_prefixes_in_order(_serialized([quad.triple for quad in _plain(quads)], RdfFormat.TURTLE)))


def _write_trig(out: BinaryIO, quads: Iterable[Quad]) -> None:
    out.write(_prefixes_in_order(_serialized(ordered(quads), RdfFormat.TRIG)))


def _write_ntriples(out: BinaryIO, quads: Iterable[Quad]) -> None:
    serialize([quad.triple for quad in _plain(quads)], out, RdfFormat.N_TRIPLES)


def _write_nquads(out: BinaryIO, quads: Iterable[Quad]) -> None:
    serialize(ordered(quads), out, RdfFormat.N_QUADS)


def _write_rdfxml(out: BinaryIO, quads: Iterable[Quad]) -> None:
    """RDF/XML is XML 1.0, which has no place for some characters that literals may hold; pyoxigraph would write them all the same."""
    triples = [Triple(quad.subject, quad.predicate, _xml_object(quad.object)) for quad in _plain(quads)]
    text = _ROOT.sub(_namespaces_in_order, _serialized(triples, RdfFormat.RDF_XML), count=1)
    # as it is, a carriage return would come back from every XML parser as a line feed, and abstracts are kept to the character
    out.write(text.replace(b"\r", b"&#13;") + b"\n")


def _serialized(statements: list[Quad] | list[Triple], form: RdfFormat) -> bytes:
    buffer = io.BytesIO()
    serialize(statements, buffer, form, prefixes=dict(PREFIXES))
    return buffer.getvalue()


def _prefixes_in_order(text: bytes) -> bytes:
    """Sort the leading ``@prefix`` lines, which pyoxigraph writes in another order in every process."""
    lines = text.splitlines(keepends=True)
    head = sum(1 for _ in takewhile(lambda line: line.startswith(b"@prefix "), lines))
    return b"".join(sorted(lines[:head]) + lines[head:])


def _namespaces_in_order(root: re.Match[bytes]) -> bytes:
    """Sort the root element's namespaces, for the same reason."""
    return b"<rdf:RDF " + b" ".join(sorted(root[1].split(b" "))) + b">"


def _xml_object(term: NamedNode | BlankNode | Literal | Triple) -> NamedNode | BlankNode | Literal | Triple:
    if not isinstance(term, Literal):
        return term
    text = without_illegal(term.value)
    if text == term.value:
        return term
    return Literal(text, language=term.language) if term.language else Literal(text, datatype=term.datatype)


def _write_jsonld(out: BinaryIO, quads: Iterable[Quad]) -> None:
    context = json.loads(files("methodmap.ontology").joinpath("context.jsonld").read_text(encoding="utf-8"))["@context"]
    write_jsonld(out, ordered(quads), context)


RDF_WRITERS: Final[dict[str, Callable[[BinaryIO, Iterable[Quad]], None]]] = {
    "jsonld": _write_jsonld,
    "nq": _write_nquads,
    "nt": _write_ntriples,
    "rdf": _write_rdfxml,
    "trig": _write_trig,
    "ttl": _write_turtle,
}
"""By the files' usual endings."""
