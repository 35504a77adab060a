from __future__ import annotations

import pytest
from examples import GRAPH
from rdflib import Literal, URIRef
from rdflib.plugins.sparql.processor import SPARQLProcessor
from rdflib.term import Variable

from methodmap.graph.dataset import rdf
from methodmap.graph.rdf import to_quads

NEO = URIRef("https://w3id.org/methodmap/method/neo")
TENT = URIRef("https://w3id.org/methodmap/method/tent")


@pytest.fixture
def no_python_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes rdflib's own query engine fail, so that a query that passes ran in Oxigraph."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the query fell back to rdflib's own engine")

    monkeypatch.setattr(SPARQLProcessor, "query", refuse)


@pytest.mark.usefixtures("no_python_queries")
def test_queries_run_in_oxigraph() -> None:
    """SELECT, ASK and CONSTRUCT given as strings, and bound variables, never reach rdflib's own slow engine; prefixes are known."""
    dataset = rdf(GRAPH)
    rows = dataset.query("SELECT ?name { ?m mm:outperforms ?b . ?b skos:prefLabel ?name }")
    assert [str(binding[Variable("name")]) for binding in rows.bindings] == ["TENT"]
    assert dataset.query("ASK { ?paper mm:comparesWith ?b . ?b a mm:Baseline }").askAnswer is True
    assert len(dataset.query("CONSTRUCT WHERE { ?paper mm:uses ?x }").graph or ()) == 2
    bound = dataset.query("SELECT ?m ?b { ?m mm:outperforms ?b }", initBindings={"b": TENT})
    assert [binding[Variable("m")] for binding in bound.bindings] == [NEO]


@pytest.mark.usefixtures("no_python_queries")
def test_plain_and_evidence_are_apart() -> None:
    """The default graph holds no evidence; the evidence graph is asked for by name."""
    dataset = rdf(GRAPH)
    assert dataset.query("ASK { ?x a mm:Mention }").askAnswer is False
    rows = dataset.query("SELECT (COUNT(*) AS ?n) { GRAPH <https://w3id.org/methodmap/graph/evidence> { ?x a mm:Mention } }")
    assert [binding[Variable("n")] for binding in rows.bindings] == [Literal(8)]


def test_the_fixture_bites(no_python_queries: None) -> None:
    """A keyword that Oxigraph does not know does fall back: what the other tests promise can fail."""
    with pytest.raises(AssertionError, match="fell back"):
        rdf(GRAPH).query("SELECT ?m { ?m mm:outperforms ?b }", base="https://example.org/")


def test_rdflib_sees_every_triple() -> None:
    """The dataset holds exactly the map's quads, as rdflib counts and finds them."""
    dataset = rdf(GRAPH)
    assert len(list(dataset.quads())) == len(list(to_quads(GRAPH)))
    assert (NEO, URIRef("https://w3id.org/methodmap/ontology#outperforms"), TENT) in dataset
