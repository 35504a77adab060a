"""JSON-LD 1.1 (https://www.w3.org/TR/json-ld11/), written subject by subject in the short names of a context.

The context is embedded, so that no reader needs a network. Numbers are strings that the context gives a datatype: as JSON's own they would
lose digits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, BinaryIO, Final

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

from methodmap.ontology.vocabulary import TYPE, XSD

__all__ = ["write_jsonld"]

_LOCAL: Final = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
_STRING: Final = XSD + "string"
_UNDERSTOOD: Final = {"@id", "@type", "@container"}


@dataclass(frozen=True, slots=True)
class _Key:
    """What stands for a predicate: its name, the type that the context gives plain strings under it, and whether it is always a list."""

    name: str
    coerced: str | None = None
    always_list: bool = False


def write_jsonld(out: BinaryIO, quads: Iterable[Quad], context: Mapping[str, Any]) -> None:
    """Write quads that come grouped by graph, and in it by subject and predicate; one node object a line.

    The context's prefixes, plain terms, and terms with a type or a set container are used; a predicate whose term says more is written
    with its prefix. Raises ValueError where an object is a quoted triple, which JSON-LD 1.1 cannot hold.
    """
    names = _Names(context)
    out.write(f'{{"@context": {_json(context)},\n"@graph": ['.encode())
    separator = "\n"
    for graph, in_graph in groupby(quads, key=lambda quad: quad.graph_name):
        named = not isinstance(graph, DefaultGraph)
        if named:
            out.write(f'{separator}{{"{names.id}": {_json(names.node(graph))}, "@graph": ['.encode())
            separator = "\n"
        for _, about in groupby(in_graph, key=lambda quad: quad.subject):
            out.write(f"{separator}{_json(_node(list(about), names))}".encode())
            separator = ",\n"
        if named:
            out.write(b"\n]}")
    out.write(b"\n]}\n")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


class _Names:
    """The short names of a context, by what they stand for."""

    def __init__(self, context: Mapping[str, Any]) -> None:
        plain = {term: meaning for term, meaning in sorted(context.items()) if isinstance(meaning, str)}
        self._prefixes = {meaning: term for term, meaning in plain.items() if meaning.endswith(("#", "/"))}
        self._namespaces = {term: namespace for namespace, term in self._prefixes.items()}
        self.id = next((term for term, meaning in plain.items() if meaning == "@id"), "@id")
        self.type = next((term for term, meaning in plain.items() if meaning == "@type"), "@type")
        self._keys = {self._expand(meaning): _Key(term) for term, meaning in plain.items()}
        for term, meaning in sorted(context.items()):
            if isinstance(meaning, dict) and meaning.keys() <= _UNDERSTOOD and meaning.get("@container", "@set") == "@set":
                type_ = meaning.get("@type")
                coerced = None if type_ is None else self._expand(type_)
                self._keys[self._expand(meaning["@id"])] = _Key(term, coerced, always_list="@container" in meaning)

    def key(self, predicate: str) -> _Key:
        """What stands for a predicate; the prefixed IRI or the IRI itself where the context has no term for it."""
        return self._keys.get(predicate) or _Key(self.iri(predicate))

    def cls(self, term: NamedNode | BlankNode | DefaultGraph | Literal | Triple) -> str:
        """What stands for a class after ``@type``."""
        found = self._keys.get(term.value) if isinstance(term, NamedNode) else None
        return self.node(term) if found is None else found.name

    def iri(self, iri: str) -> str:
        """The IRI as prefix:name, where a prefix fits and the name is plain, else as it is."""
        cut = max(iri.rfind("#"), iri.rfind("/")) + 1
        prefix = self._prefixes.get(iri[:cut])
        return f"{prefix}:{iri[cut:]}" if prefix is not None and _LOCAL.fullmatch(iri[cut:]) else iri

    def node(self, term: NamedNode | BlankNode | DefaultGraph | Literal | Triple) -> str:
        """What stands for a node after ``@id``."""
        if isinstance(term, NamedNode):
            return self.iri(term.value)
        if isinstance(term, BlankNode):
            return f"_:{term.value}"
        raise ValueError(f"JSON-LD cannot hold {term!s} as a node: name it with an IRI")

    def _expand(self, name: str) -> str:
        prefix, colon, rest = name.partition(":")
        return self._namespaces[prefix] + rest if colon and prefix in self._namespaces else name


def _node(about: list[Quad], names: _Names) -> dict[str, Any]:
    node: dict[str, Any] = {names.id: names.node(about[0].subject)}
    for predicate, quads in groupby(about, key=lambda quad: quad.predicate.value):
        objects = [quad.object for quad in quads]
        if predicate == TYPE and not any(isinstance(term, Literal) for term in objects):
            key, values = _Key(names.type), [names.cls(term) for term in objects]
        else:
            key = names.key(predicate)
            values = [_value(term, key, names) for term in objects]
        node[key.name] = values[0] if len(values) == 1 and not key.always_list else values
    return node


def _value(term: NamedNode | BlankNode | Literal | Triple, key: _Key, names: _Names) -> Any:
    if not isinstance(term, Literal):
        return names.node(term) if key.coerced == "@id" else {names.id: names.node(term)}
    if term.language is not None:
        return {"@language": term.language, "@value": term.value}
    datatype = term.datatype.value
    if datatype == (key.coerced or _STRING):
        return term.value
    return {"@value": term.value} if datatype == _STRING else {"@type": names.iri(datatype), "@value": term.value}
