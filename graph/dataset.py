"""A map as an rdflib dataset that Oxigraph stores and queries."""

from __future__ import annotations

import pyoxigraph
from oxrdflib import OxigraphStore
from rdflib import Dataset, Namespace

from methodmap.graph.model import KnowledgeGraph
from methodmap.graph.rdf import to_quads
from methodmap.graph.settings import Settings
from methodmap.ontology.vocabulary import PREFIXES

__all__ = ["rdf", "wrap"]


def rdf(graph: KnowledgeGraph, base: str = Settings().base_iri) -> Dataset:
    """The map as a dataset in memory: plain triples in its default graph, evidence in the named graph ``<base>graph/evidence``.

    ``dataset.query("SELECT ...")`` runs in Oxigraph, with the vocabulary's prefixes declared. A query that is already parsed, or a
    keyword other than ``initNs`` and ``initBindings``, makes rdflib run it in Python instead, which is far slower; ``initBindings`` may
    bind variables that the query selects, and no others.
    """
    store = pyoxigraph.Store()
    store.bulk_extend(to_quads(graph, base))
    return wrap(store)


def wrap(store: pyoxigraph.Store) -> Dataset:
    """A dataset that reads and writes this Oxigraph store."""
    dataset = Dataset(store=OxigraphStore(store=store))
    for prefix, namespace in PREFIXES.items():
        dataset.bind(prefix, Namespace(namespace), replace=True)
    return dataset
