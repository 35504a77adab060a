"""What the command line does, for Python: build a map, open it, ask it, draw it, take it away."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from methodmap.graph.build import BuildReport, Progress, count_entities, no_progress
from methodmap.graph.build import build as build_map
from methodmap.graph.errors import ExportError
from methodmap.graph.store import MapStore

if TYPE_CHECKING:
    import networkx as nx
    import rdflib
    from spacy.language import Language

    from methodmap.graph.model import KnowledgeGraph
    from methodmap.graph.query import Answer

__all__ = ["Map", "build", "load_pipeline", "open_map"]


class Map:
    """A map folder, open for reading. A context manager; everything is read when it is first asked for."""

    def __init__(self, store: MapStore, report: BuildReport | None = None) -> None:
        self._store = store
        self.report = report
        """What the build did that made this object; None for a map that was opened."""

    @property
    def path(self) -> Path:
        """The map's folder."""
        return self._store.path

    @property
    def base_iri(self) -> str:
        """What every resource's IRI begins with."""
        return self._store.base_iri

    @property
    def graph(self) -> KnowledgeGraph:
        """The whole map as records."""
        return self._store.graph()

    def query(self, query: str, /, **params: str) -> Answer:
        """Answer SPARQL text, a ``.rq`` file or a named query; see :func:`methodmap.graph.query.run`.

        Raises ``QueryError`` for what cannot be answered.
        """
        from methodmap.graph.query import run

        return run(self._store.store(), query, params=params)

    def rdf(self) -> rdflib.Dataset:
        """Return the map as an rdflib dataset, the evidence in its named graph."""
        from methodmap.graph.dataset import rdf

        return rdf(self.graph, self._store.base_iri)

    def network(self) -> nx.MultiDiGraph[str]:
        """Return the map as a networkx graph with typed attributes."""
        from methodmap.graph.network import to_network

        return to_network(self.graph)

    def view(self, path: str | Path, *, title: str | None = None, top: int | None = None, around: str | None = None, hops: int = 1) -> Path:
        """Write the map, or a part of it, as one interactive HTML file and return its path.

        Args:
            path: the file to write.
            title: what the page is called; the folder's name if None.
            top: draw only so many entities, those that most papers name, with their papers; None for all, whatever their number
                (a browser draws a few thousand nodes with ease).
            around: draw only this entity or paper and what lies within ``hops`` edges of it.
            hops: see ``around``.

        Raises:
            EntityNotFoundError: there is no ``around``.
            ExportError: the file cannot be written.
        """
        from methodmap.graph.lookup import lookup
        from methodmap.graph.network import paper_node
        from methodmap.viz import network_html, select

        self._check_target(Path(path))
        network = self.network()
        if around is not None:
            paper, entities = lookup(self.graph, around)
            network = select.around(network, [paper_node(paper.id)] if paper else [e.id for e in entities], hops=hops)
        if top is not None:
            network = select.top(network, top)
        network_html.write(network, Path(path), title=title or self.path.resolve().name)
        return Path(path)

    def export(self, path: str | Path, *, format: str | None = None) -> tuple[Path, ...]:
        """Write the map for another tool, in the format of the file's ending or in ``format``; return the files written.

        Raises ``UnknownFormatError`` and ``ExportError``.
        """
        from methodmap.graph.export import export, format_of

        self._check_target(Path(path))
        if format_of(Path(path), format) != "gexf":
            return export(self.graph, Path(path), format=format, base=self._store.base_iri)
        from methodmap.graph.layout import positions
        from methodmap.viz.style import appearance

        network = self.network()
        upright = {node: (x, -y) for node, (x, y) in positions(network).items()}  # Gephi's y grows upwards, a browser's downwards
        return export(self.graph, Path(path), format=format, appearance=appearance(network), positions=upright, base=self._store.base_iri)

    def info(self, *, top: int = 10) -> dict[str, Any]:
        """Count what the map holds: papers, entities by type, links by type and role, the ``top`` entities of each type, sources."""
        graph = self.graph
        kinds = {entity.id: entity.type for entity in graph.entities}
        papers = Counter(link.entity for link in graph.links)
        roles = Counter(f"{kinds[link.entity]}/{link.role}" for link in graph.links)
        leading = sorted(graph.entities, key=lambda e: (-papers[e.id], e.id))
        return {
            "map": self.path.as_posix(),
            "version": self._store.version,
            "extractor": self._store.extractor,
            "papers": len(graph.papers),
            "entities": count_entities(graph),
            "links": dict(sorted(roles.items())),
            "mentions": sum(len(link.mentions) for link in graph.links),
            "relations": len(graph.statements),
            "results": len(graph.results),
            "top": {
                kind: [{"id": e.id, "label": e.label, "papers": papers[e.id]} for e in leading if e.type == kind][:top]
                for kind in count_entities(graph)
            },
            "venues": dict(sorted(Counter(p.venue or "unknown" for p in graph.papers).items())),
            "sources": [{"path": s.path, "sha256": s.sha256} for s in self._store.sources()],
        }

    def _check_target(self, path: Path) -> None:
        if self._store.owns(path):
            raise ExportError(path, "it is a part of the map itself: name another file")

    def close(self) -> None:
        """Close the files."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def build(
    *paths: str | Path,
    out: str | Path,
    jobs: int = 0,
    model: str | Path | None = None,
    progress: Progress = no_progress,
) -> Map:
    """Create or update the map folder ``out`` from files and folders of abstracts, and open it.

    Args:
        paths: files, folders, or ``-`` for standard input.
        out: the map folder.
        jobs: abstracts read at once; 0 for one a processor.
        model: a model folder instead of the shipped one.
        progress: is told how far the work is.

    Raises:
        SourceError: a path does not exist, or no paper can be read.
        MapFormatError: ``out`` holds something else.
        MapLockedError: another process is writing to it.
    """

    def extractor() -> Any:
        from methodmap.graph.extract.extractor import SpacyExtractor

        return SpacyExtractor(load_pipeline(model=model, jobs=jobs))

    report = build_map(paths, out, extractor=extractor, progress=progress)
    return Map(MapStore.open(out), report)


def open_map(path: str | Path) -> Map:
    """Open a map folder for reading.

    Raises ``MapNotFoundError`` where there is none, ``MapFormatError`` where this version cannot read it.
    """
    return Map(MapStore.open(path))


def load_pipeline(*, model: str | Path | None = None, jobs: int = 0) -> Language:
    """Load the spaCy pipeline; see :func:`methodmap.graph.extract.pipeline.load_pipeline`."""
    from methodmap.graph.extract.pipeline import load_pipeline as load

    return load(model=model, jobs=jobs)
