"""GraphML (http://graphml.graphdrawing.org) for yEd, Cytoscape, igraph and networkx, written node by node.

Not by networkx's writer: its bytes depend on whether lxml is installed, and it writes booleans that XML Schema does not know.
"""

from __future__ import annotations

from typing import BinaryIO, Final

from methodmap.graph.export.table import EDGE_COLUMNS, NODE_COLUMNS, Column, Table, Value, literal
from methodmap.graph.export.xml_writer import XmlWriter

__all__ = ["write_graphml"]

_GRAPHML: Final = "http://graphml.graphdrawing.org/xmlns"
_TYPES: Final = {"boolean": "boolean", "double": "double", "integer": "int", "string": "string"}
_NODE_DATA: Final = (Column("label", "string", ""), *NODE_COLUMNS)
_EDGE_DATA: Final = (Column("label", "string", ""), Column("weight", "double", 1.0), *EDGE_COLUMNS)


def write_graphml(out: BinaryIO, table: Table) -> None:
    """Write the table as GraphML, every node and edge with a value for every column."""
    xml = XmlWriter(out)
    with xml.element("graphml", xmlns=_GRAPHML):
        for of, columns in (("node", _NODE_DATA), ("edge", _EDGE_DATA)):
            for column in columns:
                xml.leaf("key", id=f"{of}-{column.name}", **{"for": of, "attr.name": column.name, "attr.type": _TYPES[column.type]})
        with xml.element("graph", edgedefault="directed"):
            for node in table.nodes:
                with xml.element("node", id=node.id):
                    _data(xml, "node", _NODE_DATA, (node.label, *node.values))
            for edge in table.edges:
                with xml.element("edge", id=edge.id, source=edge.source, target=edge.target):
                    _data(xml, "edge", _EDGE_DATA, (edge.kind, edge.weight, *edge.values))
    xml.close()


def _data(xml: XmlWriter, of: str, columns: tuple[Column, ...], values: tuple[Value | None, ...]) -> None:
    for column, value in zip(columns, values, strict=True):
        xml.leaf("data", literal(column.filler if value is None else value), key=f"{of}-{column.name}")
