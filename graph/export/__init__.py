"""The map as files for other tools, one format a module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias

from methodmap.graph.errors import UnknownFormatError
from methodmap.graph.export.atomic import atomic
from methodmap.graph.export.csv import csv_paths, write_edges, write_nodes
from methodmap.graph.export.gexf import Appearance, write_gexf
from methodmap.graph.export.graphml import write_graphml
from methodmap.graph.export.rdf_formats import RDF_WRITERS
from methodmap.graph.export.table import Table, to_table
from methodmap.graph.network import to_network
from methodmap.graph.rdf import to_quads
from methodmap.graph.settings import Settings

if TYPE_CHECKING:
    from pyoxigraph import Quad

    from methodmap.graph.model import KnowledgeGraph

__all__ = ["FORMATS", "Appearance", "export", "format_of"]


@dataclass(frozen=True, slots=True)
class _Job:
    """All that a writer may want to know."""

    graph: KnowledgeGraph
    path: Path
    appearance: Mapping[str, Appearance]
    positions: Mapping[str, tuple[float, float]]
    base: str

    def table(self) -> Table:
        return to_table(to_network(self.graph))


_Writer: TypeAlias = Callable[[_Job], tuple[Path, ...]]


def _gexf(job: _Job) -> tuple[Path, ...]:
    with atomic(job.path) as out:
        write_gexf(out, job.table(), appearance=job.appearance, positions=job.positions)
    return (job.path,)


def _graphml(job: _Job) -> tuple[Path, ...]:
    with atomic(job.path) as out:
        write_graphml(out, job.table())
    return (job.path,)


def _csv(job: _Job) -> tuple[Path, ...]:
    table = job.table()
    nodes, edges = csv_paths(job.path)
    with atomic(nodes) as nodes_out, atomic(edges) as edges_out:
        write_nodes(nodes_out, table)
        write_edges(edges_out, table)
    return nodes, edges


def _rdf(write: Callable[[BinaryIO, Iterable[Quad]], None], job: _Job) -> tuple[Path, ...]:
    with atomic(job.path) as out:
        write(out, to_quads(job.graph, job.base))
    return (job.path,)


FORMATS: Final[dict[str, _Writer]] = {
    "csv": _csv,
    "gexf": _gexf,
    "graphml": _graphml,
    **{name: partial(_rdf, write) for name, write in RDF_WRITERS.items()},
}
"""What writes each format, by its name, which is also the ending of its files."""


def format_of(path: Path, format: str | None = None) -> str:
    """The format to write: the one that is asked for, else the one that the file's ending names, in either case.

    Raises UnknownFormatError for any other.

    >>> format_of(Path("map.GEXF")), format_of(Path("map.txt"), "ttl")
    ('gexf', 'ttl')
    """
    name = path.suffix.removeprefix(".") if format is None else format
    if name.lower() not in FORMATS:
        raise UnknownFormatError(name or path.name, tuple(sorted(FORMATS)))
    return name.lower()


def export(
    graph: KnowledgeGraph,
    path: Path,
    *,
    format: str | None = None,
    appearance: Mapping[str, Appearance] | None = None,
    positions: Mapping[str, tuple[float, float]] | None = None,
    base: str = Settings().base_iri,
) -> tuple[Path, ...]:
    """Write the map to ``path`` and return the files written: that one, or for CSV the two beside it, nodes then edges.

    A file appears whole or not at all. ``appearance`` and ``positions`` are by the network's node keys ("paper/<id>", "method/lora") and go
    into GEXF, the one format here that has a place for them; ``base`` begins the IRIs of the RDF formats. Raises UnknownFormatError for a
    format not in FORMATS, ExportError where the file cannot be written, ValueError for a colour, size or position that no file can hold.
    """
    write = FORMATS[format_of(path, format)]
    return write(_Job(graph, path, appearance or {}, positions or {}, base))
