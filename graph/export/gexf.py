"""GEXF 1.3 (https://gexf.net), written node by node, for Gephi, Gephi Lite and graphology.

Choices that follow from how those programs read it: colours carry no alpha, which Gephi's importer would turn into translucent nodes;
``kind`` is both the edge's own attribute, by which Gephi keeps parallel edges apart, and a column, which the others can see; every node and
edge has a value for every declared column; there is no date, so that equal maps are equal files.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import BinaryIO, Final, Protocol

from methodmap.graph.export.table import EDGE_COLUMNS, NODE_COLUMNS, Column, EdgeRow, NodeRow, Table, Value, literal
from methodmap.graph.export.xml_writer import XmlWriter

__all__ = ["Appearance", "write_gexf"]

_GEXF: Final = "http://gexf.net/1.3"
_VIZ: Final = "http://gexf.net/1.3/viz"
_DESCRIPTION: Final = "Papers, and the methods and concepts that they name. A year of 0 is unknown; '-' stands for no value."
_COLOUR: Final = re.compile("#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})", re.IGNORECASE)


class Appearance(Protocol):
    """How one node looks; ``viz.style`` has the one that the HTML view uses too."""

    @property
    def colour(self) -> str:
        """The fill, as ``#rrggbb``."""

    @property
    def size(self) -> float:
        """The radius, 0 or more."""


def write_gexf(
    out: BinaryIO,
    table: Table,
    *,
    appearance: Mapping[str, Appearance] | None = None,
    positions: Mapping[str, tuple[float, float]] | None = None,
) -> None:
    """Write the table as GEXF 1.3; ``appearance`` and ``positions`` are by the network's node keys, and may lack some.

    Raises ValueError where a colour is not ``#rrggbb``, a size is negative, or a size or position is not finite.
    """
    xml = XmlWriter(out)
    with xml.element("gexf", **{"xmlns": _GEXF, "xmlns:viz": _VIZ, "version": "1.3"}):
        with xml.element("meta"):
            xml.leaf("creator", "methodmap")
            xml.leaf("description", _DESCRIPTION)
        with xml.element("graph", defaultedgetype="directed", idtype="string", mode="static"):
            _columns(xml, "node", NODE_COLUMNS)
            _columns(xml, "edge", EDGE_COLUMNS)
            with xml.element("nodes", count=str(len(table.nodes))):
                for node in table.nodes:
                    _node(xml, node, (appearance or {}).get(node.key), (positions or {}).get(node.key))
            with xml.element("edges", count=str(len(table.edges))):
                for edge in table.edges:
                    _edge(xml, edge)
    xml.close()


def _columns(xml: XmlWriter, of: str, columns: tuple[Column, ...]) -> None:
    with xml.element("attributes", **{"class": of, "mode": "static"}):
        for column in columns:
            xml.leaf("attribute", id=column.name, title=column.name, type=column.type)


def _node(xml: XmlWriter, node: NodeRow, look: Appearance | None, position: tuple[float, float] | None) -> None:
    with xml.element("node", id=node.id, label=node.label):
        _values(xml, NODE_COLUMNS, node.values)
        if look is not None:
            xml.leaf("viz:color", **_channels(look.colour))
            xml.leaf("viz:size", value=_number(look.size, least=0.0))
        if position is not None:
            xml.leaf("viz:position", x=_number(position[0]), y=_number(position[1]), z="0")


def _edge(xml: XmlWriter, edge: EdgeRow) -> None:
    weight = _number(edge.weight)
    with xml.element("edge", id=edge.id, source=edge.source, target=edge.target, kind=edge.kind, label=edge.kind, weight=weight):
        _values(xml, EDGE_COLUMNS, edge.values)


def _values(xml: XmlWriter, columns: tuple[Column, ...], values: tuple[Value | None, ...]) -> None:
    with xml.element("attvalues"):
        for column, value in zip(columns, values, strict=True):
            xml.leaf("attvalue", **{"for": column.name, "value": literal(column.filler if value is None else value)})


def _channels(colour: str) -> dict[str, str]:
    match = _COLOUR.fullmatch(colour)
    if match is None:
        raise ValueError(f"{colour!r} is not a colour: write it as #rrggbb")
    return {channel: str(int(digits, 16)) for channel, digits in zip("rgb", match.groups(), strict=True)}


def _number(value: float, *, least: float = -math.inf) -> str:
    """Three decimals at most: layouts differ in the last bits between machines, files should not.

    >>> _number(12.5), _number(-0.0001), _number(3.14159)
    ('12.5', '0', '3.142')
    """
    if not math.isfinite(value) or value < least:
        raise ValueError(f"{value!r} cannot be a position or size: it must be finite, and a size 0 or more")
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
