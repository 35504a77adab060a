"""The Oxigraph database that is derived from a graph: its quads, an index of names, and folders of it on disk.

Besides the graph's own quads it has a named graph of names (``<base>graph/names``): every label, identifier and IRI of every paper and
entity, folded by :func:`name_key`, as an ``rdfs:label``. So a query finds a thing by any of its names with one index lookup, where
lower-casing every label would take most of its time. The empty name stands for everything: a query whose name is left out asks about
all. The index is part of the database alone, never of an export.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from urllib.parse import unquote

import pyoxigraph

from methodmap.graph import rdf
from methodmap.graph.iris import entity_iri, paper_iri
from methodmap.graph.labels import paper_labels
from methodmap.graph.model import KnowledgeGraph
from methodmap.graph.rdf_terms import text
from methodmap.ontology import vocabulary

__all__ = ["in_memory", "name_key", "open_folder", "quads", "write_folder"]


def name_key(name: str) -> str:
    r"""Fold a name for looking it up: compatibility characters, letter case and runs of white space make no difference.

    >>> name_key("  ImageNet\u2011C ") == name_key("imagenet\u2010c"), name_key("Low-Rank\nAdaptation")
    (True, 'low-rank adaptation')
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def quads(graph: KnowledgeGraph, base: str) -> Iterator[pyoxigraph.Quad]:
    """Give the quads of the database: those of :func:`methodmap.graph.rdf.to_quads` and the index of names."""
    return chain(rdf.to_quads(graph, base), _index(graph, base))


def _index(graph: KnowledgeGraph, base: str) -> Iterator[pyoxigraph.Quad]:
    names = pyoxigraph.NamedNode(f"{base}{vocabulary.NAMES_GRAPH}")
    predicate = pyoxigraph.NamedNode(vocabulary.LABEL)
    labels = paper_labels(graph)
    papers = ((paper_iri(paper.id, base), (paper.id, labels[paper.id], paper.title or "")) for paper in graph.papers)
    entities = ((entity_iri(entity.id, base), (entity.label, *entity.alt_labels)) for entity in graph.entities)
    for iri, given in chain(papers, entities):
        node = pyoxigraph.NamedNode(iri)
        keys = {name_key(name): None for name in (*given, iri, unquote(iri.removeprefix(base)), "")}
        for key in keys:
            yield pyoxigraph.Quad(node, predicate, text(key), names)


def in_memory(graph: KnowledgeGraph, base: str) -> pyoxigraph.Store:
    """Make a database that lives as long as the process."""
    store = pyoxigraph.Store()
    store.bulk_extend(quads(graph, base))
    return store


def write_folder(graph: KnowledgeGraph, base: str, folder: Path) -> None:
    """Write the database into a folder that does not exist yet. Complete, flushed and closed on return; raises ``OSError``."""
    folder.mkdir(parents=True)
    store = pyoxigraph.Store(str(folder))
    store.bulk_extend(quads(graph, base))
    # Not optimised: compaction writes without compression, twice the size on disk, for a fifth off queries that scan.
    store.flush()


def open_folder(folder: Path) -> pyoxigraph.Store:
    """Open a written database for reading, by any number of processes at once. Raises ``OSError`` where there is none that is whole."""
    try:
        store = pyoxigraph.Store.read_only(str(folder))
        if next(store.quads_for_pattern(None, None, None, None), None) is None:
            raise OSError("the database is empty")  # RocksDB forgets all files that a damaged MANIFEST does not name; no map has no quad
    except RuntimeError as error:  # what pyoxigraph makes of damage
        raise OSError(str(error)) from error
    return store
