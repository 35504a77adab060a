"""The Oxigraph database that is derived from a graph: its quads, an index of names, and folders of it on disk.

Besides the graph's own quads it has a named graph of names (``<base>graph/names``): every label, identifier and IRI of every paper and
entity, folded by :func:`name_key`, as an ``rdfs:label``. So a query finds a thing by any of its names with one index lookup, where
lower-casing every label would take most of its time. The empty name stands for everything: a query whose name is left out asks about
all. The index is part of the database alone, never of an export.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pyoxigraph

from methodmap.graph import rdf
from methodmap.graph.model import KnowledgeGraph
from methodmap.ontology import vocabulary

__all__ = ["in_memory", "name_key", "open_folder", "quads", "write_folder"]

_NAMING: Final = frozenset(
    pyoxigraph.NamedNode(iri) for iri in (vocabulary.PREF_LABEL, vocabulary.ALT_LABEL, vocabulary.IDENTIFIER, vocabulary.TITLE)
)


def name_key(name: str) -> str:
    r"""Fold a name for looking it up: compatibility characters, letter case and runs of white space make no difference.

    >>> name_key("  ImageNet\u2011C ") == name_key("imagenet\u2010c"), name_key("Low-Rank\nAdaptation")
    (True, 'low-rank adaptation')
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def quads(graph: KnowledgeGraph, base: str) -> Iterator[pyoxigraph.Quad]:
    """Give the quads of the database: those of :func:`methodmap.graph.rdf.to_quads` and the index of names."""
    names = pyoxigraph.NamedNode(f"{base}{vocabulary.NAMES_GRAPH}")
    predicate = pyoxigraph.NamedNode(vocabulary.LABEL)
    plain = pyoxigraph.DefaultGraph()
    seen: set[pyoxigraph.NamedNode] = set()

    def key(subject: pyoxigraph.NamedNode, name: str) -> pyoxigraph.Quad:
        return pyoxigraph.Quad(subject, predicate, pyoxigraph.Literal(name_key(name)), names)

    for quad in rdf.to_quads(graph, base):
        yield quad
        subject, name = quad.subject, quad.object
        if quad.predicate not in _NAMING or quad.graph_name != plain:
            continue
        if not isinstance(subject, pyoxigraph.NamedNode) or not isinstance(name, pyoxigraph.Literal):
            continue
        yield key(subject, name.value)
        if subject not in seen:
            seen.add(subject)
            yield key(subject, subject.value)
            yield key(subject, unquote(subject.value.removeprefix(base)))
            yield key(subject, "")


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
        return pyoxigraph.Store.read_only(str(folder))
    except RuntimeError as error:  # what pyoxigraph makes of damage
        raise OSError(str(error)) from error
