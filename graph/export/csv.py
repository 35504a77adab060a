"""Two CSV files that Gephi's spreadsheet import takes as nodes and edges, and that pandas and others read as they are.

UTF-8 without a byte order mark, RFC 4180 quoting, line feeds. A cell that begins with ``=``, ``+``, ``-`` or ``@`` is written as it is:
names such as ``+MoE`` are data, a prefix would corrupt them for every program but a spreadsheet. Import untrusted maps into Excel as text.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Final

from methodmap.graph.export.table import EDGE_COLUMNS, NODE_COLUMNS, Table, Value, literal

__all__ = ["csv_paths", "write_edges", "write_nodes"]

_NODE_HEADER: Final = ("Id", "Label", *(column.name for column in NODE_COLUMNS))
_EDGE_HEADER: Final = ("Source", "Target", "Type", "Kind", "Id", "Label", "Weight", *(c.name for c in EDGE_COLUMNS if c.name != "kind"))
"""Gephi gives these capitalised names a meaning: ``Type`` is the direction, ``Kind`` keeps parallel edges apart."""


def csv_paths(path: Path) -> tuple[Path, Path]:
    """The two files that stand for one: nodes, then edges.

    >>> [each.name for each in csv_paths(Path("map.csv"))]
    ['map-nodes.csv', 'map-edges.csv']
    """
    suffix = path.suffix or ".csv"
    return path.with_name(f"{path.stem}-nodes{suffix}"), path.with_name(f"{path.stem}-edges{suffix}")


def write_nodes(out: BinaryIO, table: Table) -> None:
    """Write the nodes, one a line, under a header."""
    _write(out, _NODE_HEADER, ((node.id, node.label, *node.values) for node in table.nodes))


def write_edges(out: BinaryIO, table: Table) -> None:
    """Write the edges, one a line, under a header."""
    kind = next(index for index, column in enumerate(EDGE_COLUMNS) if column.name == "kind")
    rows = (
        (edge.source, edge.target, "Directed", edge.kind, edge.id, edge.kind, edge.weight, *edge.values[:kind], *edge.values[kind + 1 :])
        for edge in table.edges
    )
    _write(out, _EDGE_HEADER, rows)


def _write(out: BinaryIO, header: tuple[str, ...], rows: Iterable[tuple[Value | None, ...]]) -> None:
    text = io.TextIOWrapper(out, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow(["" if cell is None else literal(cell) for cell in row])
    text.detach()  # flushes, and leaves the stream to its owner
