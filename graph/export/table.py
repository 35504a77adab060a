"""The map as two flat tables, nodes and edges: what GEXF, GraphML and CSV write, each in its own syntax.

Every column has one type and every value is one line of characters that XML 1.0 allows, so that no format needs rules of its own.
An absent value is None here. CSV leaves its cell empty; GEXF and GraphML write the column's filler instead, because Gephi turns a missing
value into null, which its rankings and filters do not take.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

if TYPE_CHECKING:
    import networkx as nx

__all__ = [
    "EDGE_COLUMNS",
    "NODE_COLUMNS",
    "Column",
    "EdgeRow",
    "NodeRow",
    "Table",
    "Value",
    "clean",
    "literal",
    "to_table",
    "without_illegal",
]

Value: TypeAlias = str | int | float | bool

_XML_ILLEGAL: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 (section 2.2, production Char) cannot hold even escaped: most controls, lone surrogates, U+FFFE and U+FFFF."""
_XML_SPACE: Final = re.compile("[\t\n\r ]+")
_ABSENT: Final = "-"
_ALIAS_SEPARATOR: Final = "|"
_DECIMALS: Final = 4
"""Of a confidence: finer differences say nothing, and sums in another order would show in the file."""


@dataclass(frozen=True, slots=True)
class Column:
    """One attribute of every node or every edge. ``filler`` stands for an absent value where a format needs one."""

    name: str
    type: Literal["boolean", "double", "integer", "string"]
    filler: Value


NODE_COLUMNS: Final[tuple[Column, ...]] = (
    Column("kind", "string", _ABSENT),
    Column("papers", "integer", 0),
    Column("year", "integer", 0),
    Column("venue", "string", _ABSENT),
    Column("baseline", "boolean", False),
    Column("proposed_by", "integer", 0),
    Column("aliases", "string", _ABSENT),
    Column("url", "string", _ABSENT),
)
"""``year`` is the paper's, or that of the first paper that names the entity; ``papers`` and ``proposed_by`` count papers."""
EDGE_COLUMNS: Final[tuple[Column, ...]] = (
    Column("kind", "string", _ABSENT),
    Column("role", "string", _ABSENT),
    Column("confidence", "double", 0.0),
    Column("evidence", "integer", 0),
    Column("sentence", "string", _ABSENT),
)
"""``evidence`` counts the mentions of a paper's entity, or the sentences that state a relation; ``sentence`` is the surest of them."""


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A paper or an entity. ``key`` is its key in the network, ``id`` the same as files can hold it; ``values`` follow NODE_COLUMNS."""

    key: str
    id: str
    label: str
    values: tuple[Value | None, ...]


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """A directed edge. ``id`` is unique in the table and stable over builds; ``weight`` is the count of its evidence, 1 at least."""

    id: str
    source: str
    target: str
    kind: str
    weight: float
    values: tuple[Value | None, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """All nodes by id, all edges by source, target and the network's edge key."""

    nodes: tuple[NodeRow, ...]
    edges: tuple[EdgeRow, ...]


def without_illegal(text: str) -> str:
    r"""The text without the characters that XML 1.0 cannot hold.

    >>> without_illegal("a\x00b\tc\ud800")
    'ab\tc'
    """
    return _XML_ILLEGAL.sub("", text)


def clean(text: str) -> str:
    r"""The text on one line, without the characters that XML 1.0 cannot hold. Spaces other than XML's own are kept as they are.

    >>> clean("  Mixture of\r\n\tExperts \x07")
    'Mixture of Experts'
    """
    return _XML_SPACE.sub(" ", without_illegal(text)).strip(" ")


def literal(value: Value) -> str:
    """The value as XML Schema writes it, which all these formats read.

    >>> literal(True), literal(0.5), literal("LoRA")
    ('true', '0.5', 'LoRA')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def to_table(network: nx.MultiDiGraph[str]) -> Table:
    """Flatten the network of ``graph.network.to_network`` into rows of plain values."""
    keys: list[str] = sorted(network.nodes)
    ids = _unique_ids(keys)
    years = _first_years(network)
    nodes = tuple(NodeRow(key, ids[key], *_node(network.nodes[key], years.get(key))) for key in keys)
    triples: list[tuple[str, str, str]] = sorted(network.edges(keys=True))
    edge_ids = _unique_ids((source, key, target) for source, target, key in triples)
    edges = tuple(
        EdgeRow(edge_ids[source, key, target], ids[source], ids[target], *_edge(network.edges[source, target, key]))
        for source, target, key in triples
    )
    return Table(nodes, edges)


def _unique_ids(keys: Iterable[str] | Iterable[tuple[str, ...]]) -> dict[Any, str]:
    """A clean and unique id for each key: two that differ only in what files cannot hold get a number."""
    ids: dict[Any, str] = {}
    taken: set[str] = set()
    for key in keys:
        plain = clean(key if isinstance(key, str) else " ".join(key))
        unique, number = plain, 2
        while unique in taken:
            unique, number = f"{plain} ({number})", number + 1
        taken.add(unique)
        ids[key] = unique
    return ids


def _first_years(network: nx.MultiDiGraph[str]) -> dict[str, int]:
    years: dict[str, int] = {}
    for paper, entity in network.edges():
        year = network.nodes[paper].get("year")
        if year is not None:
            years[entity] = min(year, years.get(entity, year))
    return years


def _node(data: Mapping[str, Any], first_year: int | None) -> tuple[str, tuple[Value | None, ...]]:
    record = data.get("record")
    values = {
        "kind": data["kind"],
        "papers": data["papers"],
        "year": first_year if record is None else data.get("year"),
        "venue": _text(data.get("venue")),
        "baseline": bool(data.get("baseline", False)),
        "proposed_by": data.get("proposed_by", 0),
        "aliases": _text(_ALIAS_SEPARATOR.join(data.get("aliases", ()))),
        "url": _text(record.url if record is not None else None),
    }
    return clean(data["label"]), tuple(values[column.name] for column in NODE_COLUMNS)


def _edge(data: Mapping[str, Any]) -> tuple[str, float, tuple[Value | None, ...]]:
    evidence = tuple(chain((mention.evidence for mention in data.get("mentions", ())), data.get("evidence", ())))
    surest = max(evidence, key=lambda piece: piece.confidence, default=None)
    values = {
        "kind": data["kind"],
        "role": data.get("role"),
        "confidence": round(float(data["confidence"]), _DECIMALS),
        "evidence": len(evidence),
        "sentence": _text(surest.sentence if surest is not None else None),
    }
    return data["kind"], float(max(len(evidence), 1)), tuple(values[column.name] for column in EDGE_COLUMNS)


def _text(text: str | None) -> str | None:
    return clean(text or "") or None
