from __future__ import annotations

import json
from importlib.resources import files
from typing import get_args

import pytest
from rdflib import OWL, RDF, RDFS, SKOS, Graph, URIRef

from methodmap.graph.model import RELATION_TYPES, ROLES, RelationType
from methodmap.ontology import vocabulary as v

FOLDER = files("methodmap.ontology")
TERMS = sorted({term for name in v.__all__ if isinstance(term := getattr(v, name), str) and term.startswith(v.MM) and term != v.MM})
DEFINITIONS = (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty)


def _read(name: str) -> Graph:
    return Graph().parse(data=FOLDER.joinpath(name).read_text("utf-8"), format="turtle")


ONTOLOGY = _read("methodmap.ttl")


def test_every_term_is_defined_and_every_definition_is_a_term() -> None:
    """The code's vocabulary and the ontology file name the same terms."""
    defined = sorted({str(term) for kind in DEFINITIONS for term in ONTOLOGY.subjects(RDF.type, kind)})
    assert defined == TERMS


@pytest.mark.parametrize("term", TERMS)
def test_terms_are_explained(term: str) -> None:
    """Every term has one kind, a label, a comment, and a way back to the ontology."""
    node = URIRef(term)
    assert [kind for kind in ONTOLOGY.objects(node, RDF.type) if kind in DEFINITIONS] == list(ONTOLOGY.objects(node, RDF.type))
    assert len(list(ONTOLOGY.objects(node, RDFS.label))) == 1
    assert len(str(ONTOLOGY.value(node, RDFS.comment))) > 20
    assert ONTOLOGY.value(node, RDFS.isDefinedBy) == URIRef("https://w3id.org/methodmap/ontology")


def test_header() -> None:
    """The ontology says what it is and which version."""
    header = URIRef("https://w3id.org/methodmap/ontology")
    assert (header, RDF.type, OWL.Ontology) in ONTOLOGY
    assert str(ONTOLOGY.value(header, OWL.versionIRI)) == f"{header}/{ONTOLOGY.value(header, OWL.versionInfo)}"


def test_domains_and_ranges_name_defined_classes() -> None:
    """No domain or range points at a class of ours that is not there."""
    named = {*ONTOLOGY.objects(None, RDFS.domain), *ONTOLOGY.objects(None, RDFS.range), *ONTOLOGY.objects(None, RDFS.subClassOf)}
    assert sorted(str(term) for term in named if str(term).startswith(v.MM) and str(term) not in TERMS) == []


def test_uses_claims_no_domain() -> None:
    """Papers and methods both use things: a domain would make every paper an entity."""
    assert list(ONTOLOGY.objects(URIRef(v.USES), RDFS.domain)) == []


def test_every_role_and_relation_has_a_property() -> None:
    """Each role that a type can have, and each relation, is written as one property."""
    assert sorted(v.ROLE_PROPERTIES) == sorted((type_, role) for type_, roles in ROLES.items() for role in roles)
    assert sorted(v.RELATION_PROPERTIES) == sorted(RELATION_TYPES) == sorted(get_args(RelationType))
    assert all(v.local_name(property_) == relation for relation, property_ in v.RELATION_PROPERTIES.items())
    assert sorted(v.TYPE_CLASSES) == sorted(ROLES)


def test_alignments_claim_no_identity() -> None:
    """Alignments say narrower or near, of terms that exist, and never the same."""
    alignments = _read("alignments.ttl")
    claims = {RDFS.subClassOf, RDFS.subPropertyOf, SKOS.closeMatch}
    aligned = {(subject, predicate) for subject, predicate in alignments.subject_predicates() if str(subject).startswith(v.MM)}
    assert {predicate for _, predicate in aligned} == claims
    assert sorted(str(subject) for subject, _ in aligned if str(subject) not in TERMS) == []
    for name in ("methodmap.ttl", "alignments.ttl", "shapes.ttl"):
        assert not {OWL.sameAs, OWL.equivalentClass, OWL.equivalentProperty} & set(_read(name).predicates())


def test_context_names_every_term() -> None:
    """The JSON-LD context has a short name for each term of ours, bound to that term, and the vocabulary's prefixes."""
    context = json.loads(FOLDER.joinpath("context.jsonld").read_text("utf-8"))["@context"]
    assert {prefix: context[prefix] for prefix in v.PREFIXES} == dict(v.PREFIXES)
    bound = {name: entry["@id"] if isinstance(entry, dict) else entry for name, entry in context.items()}
    assert {name: iri for name, iri in bound.items() if str(iri).startswith("mm:")} == {
        v.local_name(term): f"mm:{v.local_name(term)}" for term in TERMS
    }


def test_context_expands_plain_json() -> None:
    """A record with short names alone, read with the context, is the RDF that is meant."""
    context = json.loads(FOLDER.joinpath("context.jsonld").read_text("utf-8"))["@context"]
    record = {
        "@context": context,
        "id": "https://example.org/paper/1",
        "type": "Paper",
        "issued": "2026",
        "proposes": {"id": "https://example.org/method/neo", "prefLabel": "NEO", "paperCount": 3},
    }
    expected = """
        @prefix mm: <https://w3id.org/methodmap/ontology#> .
        <https://example.org/paper/1> a mm:Paper ;
            <http://purl.org/dc/terms/issued> "2026"^^<http://www.w3.org/2001/XMLSchema#gYear> ;
            mm:proposes <https://example.org/method/neo> .
        <https://example.org/method/neo> <http://www.w3.org/2004/02/skos/core#prefLabel> "NEO" ; mm:paperCount 3 .
    """
    assert set(Graph().parse(data=json.dumps(record), format="json-ld")) == set(Graph().parse(data=expected, format="turtle"))
