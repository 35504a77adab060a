from __future__ import annotations

from functools import cache
from importlib.resources import files

import pytest
from examples import GRAPH
from pyoxigraph import RdfFormat, Store, serialize
from pyshacl import validate
from rdflib import RDF, SH, Graph, Namespace, URIRef
from rdflib.collection import Collection

from methodmap.graph.rdf import to_quads
from methodmap.ontology import vocabulary as v

SHAPES = Graph().parse(data=files("methodmap.ontology").joinpath("shapes.ttl").read_text("utf-8"), format="turtle")
PREFIXES = "".join(f"PREFIX {prefix}: <{namespace}>\n" for prefix, namespace in v.PREFIXES.items())
SHAPE = Namespace("https://w3id.org/methodmap/shapes#")


@cache
def _written() -> bytes:
    """The toy map as triples, both graphs in one."""
    triples = serialize([quad.triple for quad in to_quads(GRAPH)], format=RdfFormat.N_TRIPLES)
    assert triples is not None
    return triples


def _failures(data: Graph) -> set[URIRef]:
    """The shapes that the data breaks."""
    conforms, report, _ = validate(data, shacl_graph=SHAPES)
    assert isinstance(report, Graph)
    assert conforms is not bool(set(report.subjects(RDF.type, SH.ValidationResult)))
    broken: set[URIRef] = set()
    for source in report.objects(None, SH.sourceShape):
        owners = {owner for owner in SHAPES.subjects(SH.property, source) if isinstance(owner, URIRef)}
        broken |= owners or ({source} if isinstance(source, URIRef) else set())
    assert conforms is not bool(broken)
    return broken


def test_a_map_validates() -> None:
    """The toy map's RDF keeps to every shape, and the shapes to SHACL itself."""
    data = Graph().parse(data=_written(), format="nt")
    conforms, _, text = validate(data, shacl_graph=SHAPES, meta_shacl=True)
    assert conforms, text


def test_a_store_validates() -> None:
    """So does what Oxigraph gives back, whose numbers have other datatypes."""
    store = Store()
    store.bulk_extend(to_quads(GRAPH))
    data = Graph().parse(data=serialize([quad.triple for quad in store], format=RdfFormat.N_TRIPLES), format="nt")
    assert _failures(data) == set()


BROKEN = [
    ("a paper without abstract", "Paper", "DELETE WHERE { ?p dcterms:abstract ?a }"),
    ("a paper with two labels", "Paper", 'INSERT { ?p skos:prefLabel "another" } WHERE { ?p a mm:Paper }'),
    (
        "a year that is no year",
        "Paper",
        'DELETE { ?p dcterms:issued ?y } INSERT { ?p dcterms:issued "soon" } WHERE { ?p dcterms:issued ?y }',
    ),
    ("a paper comparing with a dataset", "Paper", "INSERT { ?p mm:comparesWith ?d } WHERE { ?p mm:evaluatesOn ?d }"),
    ("a negative line", "Paper", "DELETE { ?p mm:sourceLine ?l } INSERT { ?p mm:sourceLine -1 } WHERE { ?p mm:sourceLine ?l }"),
    ("an untyped proposer", "Paper", "INSERT { <urn:x> mm:proposes ?m } WHERE { ?p mm:proposes ?m }"),
    ("a venue without name", "Venue", "DELETE { ?v rdfs:label ?l } WHERE { ?v a mm:Venue ; rdfs:label ?l }"),
    ("an entity of two types", "Entity", "INSERT { ?m a mm:Dataset } WHERE { ?m a mm:Method }"),
    ("an entity of no type", "Entity", "DELETE WHERE { ?t a mm:Task }"),
    ("a name that is both main and other", "Entity", "INSERT { ?e skos:altLabel ?l } WHERE { ?e a mm:Entity ; skos:prefLabel ?l }"),
    ("an entity that beats a paper", "Entity", "INSERT { ?m mm:outperforms ?p } WHERE { ?p mm:proposes ?m }"),
    ("a baseline that is a dataset", "Baseline", "INSERT { ?d a mm:Baseline } WHERE { ?d a mm:Dataset }"),
    ("a result without figure", "Result", "DELETE WHERE { ?r mm:value ?x }"),
    ("a result going sideways", "Result", 'DELETE { ?r mm:direction ?x } INSERT { ?r mm:direction "left" } WHERE { ?r mm:direction ?x }'),
    ("a result of no paper", "Result", "DELETE WHERE { ?p mm:hasResult ?r }"),
    ("a statement about nothing", "Statement", "DELETE WHERE { ?s rdf:object ?o }"),
    (
        "a confidence of two",
        "Statement",
        "DELETE { ?s mm:confidence ?c } INSERT { ?s mm:confidence 2.0 } WHERE { ?s a mm:Statement ; mm:confidence ?c }",
    ),
    ("an unknown role", "Link", 'DELETE { ?s mm:role ?r } INSERT { ?s mm:role "hero" } WHERE { ?s mm:role ?r }'),
    ("evidence without sentence", "Evidence", "DELETE WHERE { ?e mm:sentence ?s }"),
    ("words that stand elsewhere", "Evidence", 'DELETE { ?s oa:exact ?w } INSERT { ?s oa:exact "elsewhere" } WHERE { ?s oa:exact ?w }'),
    ("words that end after their sentence", "Evidence", "DELETE { ?s oa:end ?n } INSERT { ?s oa:end 9999 } WHERE { ?s oa:end ?n }"),
    ("a paper without hash", "Paper", "DELETE WHERE { ?p mm:textHash ?h }"),
    ("a hash that is none", "Evidence", 'INSERT { ?m mm:textHash "abc" } WHERE { ?m a mm:Mention }'),
    ("evidence of no run", "Evidence", "DELETE WHERE { ?s prov:wasGeneratedBy ?r }"),
    ("evidence of two runs", "Evidence", "INSERT { ?e prov:wasGeneratedBy ?r } WHERE { ?s mm:evidence ?e ; prov:wasGeneratedBy ?r }"),
    ("evidence from no paper", "Evidence", "DELETE WHERE { ?e prov:wasDerivedFrom ?p }"),
    ("evidence that nothing rests on", "Evidence", "DELETE WHERE { ?s mm:evidence ?e }"),
    ("a mention of a paper", "Mention", "INSERT { ?m oa:hasBody ?p } WHERE { ?m a mm:Mention ; prov:wasDerivedFrom ?p }"),
    ("a target without selector", "Target", "DELETE WHERE { ?t oa:hasSelector ?s }"),
    ("a span that ends before it starts", "Selector", "DELETE { ?s oa:start ?n } INSERT { ?s oa:start 9999 } WHERE { ?s oa:start ?n }"),
    ("a selector without words", "Selector", "DELETE WHERE { ?q oa:exact ?w }"),
    ("a run of no software", "Extraction", "DELETE WHERE { ?a prov:wasAssociatedWith ?s }"),
    ("software without name", "Software", "DELETE { ?s rdfs:label ?l } WHERE { ?s a prov:SoftwareAgent ; rdfs:label ?l }"),
]


@pytest.mark.parametrize(("shape", "update"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_broken_maps_fail(shape: str, update: str) -> None:
    """Each shape catches what it is there for."""
    data = Graph().parse(data=_written(), format="nt")
    before = set(data)
    data.update(PREFIXES + update)
    assert set(data) != before
    assert SHAPE[shape] in _failures(data)


def test_every_shape_has_a_broken_map() -> None:
    """No shape goes untested, but for the parts that shapes share."""
    shapes = {shape for shape in SHAPES.subjects(RDF.type, SH.NodeShape) if shape != SHAPE.Count}
    assert {SHAPE[case[1]] for case in BROKEN} == shapes


def test_shapes_cover_what_is_written() -> None:
    """Every class and property in the toy map's RDF, and every one of ours, has a shape."""
    paths: set[str] = set()
    for path in SHAPES.objects(None, SH.path):
        paths |= {str(path)} if isinstance(path, URIRef) else {str(step) for step in Collection(SHAPES, path)}
    targets = {str(term) for term in SHAPES.objects(None, SH.targetClass)}
    data = Graph().parse(data=_written(), format="nt")
    assert {str(term) for term in data.predicates()} - paths == {v.TYPE}
    assert {str(term) for term in data.objects(None, RDF.type)} <= targets
    ours = {term for name in v.__all__ if isinstance(term := getattr(v, name), str) and term.startswith(v.MM) and term != v.MM}
    assert ours <= paths | targets
