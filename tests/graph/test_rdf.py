from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from examples import BEATS, GRAPH, LORA, LORA_PAPER, NEO, NEO_PAPER
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, RdfFormat, Store, parse, serialize

from methodmap.graph.errors import GraphDataError
from methodmap.graph.model import (
    RELATION_TYPES,
    ROLES,
    CanonicalEntity,
    Direction,
    EntityType,
    Evidence,
    KnowledgeGraph,
    Link,
    Mention,
    Paper,
    Result,
    Source,
    Statement,
    text_hash,
)
from methodmap.graph.rdf import from_quads, to_quads
from methodmap.ontology import vocabulary as v

BASE = "https://w3id.org/methodmap/"
PLAIN = """\
<paper/000-06> <rdf#type> <mm#Paper> .
<paper/000-06> <dcterms#identifier> "000-06" .
<paper/000-06> <skos#prefLabel> "NEO" .
<paper/000-06> <dcterms#abstract> "Test-time adaptation (TTA) is hard. \\\\textbf{NEO} outperforms TENT on ImageNet-C, \
from 55.6\\\\% to 59.2\\\\% accuracy." .
<paper/000-06> <mm#textHash> "NEO_HASH" .
<paper/000-06> <dcterms#issued> "2026"^^<xsd#gYear> .
<paper/000-06> <dcterms#isPartOf> <venue/ICLR_2026> .
<paper/000-06> <mm#sourceFile> "seeds/toy.txt" .
<paper/000-06> <mm#sourceLine> "3"^^<xsd#nonNegativeInteger> .
<paper/000-06> <mm#sourceOffset> "18"^^<xsd#nonNegativeInteger> .
<paper/lora-x> <rdf#type> <mm#Paper> .
<paper/lora-x> <dcterms#identifier> "lora-x" .
<paper/lora-x> <skos#prefLabel> "Extending \\"LoRA\\" <again>" .
<paper/lora-x> <dcterms#title> "Extending \\"LoRA\\" <again>" .
<paper/lora-x> <dcterms#abstract> "We may extend LoRA & test <it> on ImageNet-C." .
<paper/lora-x> <mm#textHash> "LORA_HASH" .
<paper/lora-x> <schema#url> "https://example.org/lora-x"^^<xsd#anyURI> .
<paper/lora-x> <mm#sourceFile> "more.jsonl" .
<paper/lora-x> <mm#sourceLine> "1"^^<xsd#nonNegativeInteger> .
<paper/lora-x> <mm#sourceOffset> "0"^^<xsd#nonNegativeInteger> .
<venue/ICLR_2026> <rdf#type> <mm#Venue> .
<venue/ICLR_2026> <rdfs#label> "ICLR 2026" .
<dataset/imagenet-c> <rdf#type> <mm#Entity> .
<dataset/imagenet-c> <rdf#type> <mm#Dataset> .
<dataset/imagenet-c> <skos#prefLabel> "ImageNet-C" .
<dataset/imagenet-c> <mm#paperCount> "2"^^<xsd#integer> .
<method/lora> <rdf#type> <mm#Entity> .
<method/lora> <rdf#type> <mm#Method> .
<method/lora> <skos#prefLabel> "LoRA" .
<method/lora> <mm#paperCount> "1"^^<xsd#integer> .
<method/neo> <rdf#type> <mm#Entity> .
<method/neo> <rdf#type> <mm#Method> .
<method/neo> <skos#prefLabel> "NEO" .
<method/neo> <mm#paperCount> "1"^^<xsd#integer> .
<method/tent> <rdf#type> <mm#Entity> .
<method/tent> <rdf#type> <mm#Method> .
<method/tent> <rdf#type> <mm#Baseline> .
<method/tent> <skos#prefLabel> "TENT" .
<method/tent> <mm#paperCount> "1"^^<xsd#integer> .
<metric/accuracy> <rdf#type> <mm#Entity> .
<metric/accuracy> <rdf#type> <mm#Metric> .
<metric/accuracy> <skos#prefLabel> "accuracy" .
<metric/accuracy> <mm#paperCount> "1"^^<xsd#integer> .
<task/test-time-adaptation> <rdf#type> <mm#Entity> .
<task/test-time-adaptation> <rdf#type> <mm#Task> .
<task/test-time-adaptation> <skos#prefLabel> "Test-time adaptation" .
<task/test-time-adaptation> <skos#altLabel> "TTA" .
<task/test-time-adaptation> <mm#paperCount> "1"^^<xsd#integer> .
<paper/000-06> <mm#evaluatesOn> <dataset/imagenet-c> .
<paper/000-06> <mm#proposes> <method/neo> .
<paper/000-06> <mm#comparesWith> <method/tent> .
<paper/000-06> <mm#reports> <metric/accuracy> .
<paper/000-06> <mm#addresses> <task/test-time-adaptation> .
<paper/lora-x> <mm#uses> <dataset/imagenet-c> .
<paper/lora-x> <mm#uses> <method/lora> .
<method/neo> <mm#evaluatedOn> <dataset/imagenet-c> .
<method/neo> <mm#outperforms> <method/tent> .
<paper/000-06> <mm#hasResult> <result/000-06/81/59.2> .
<result/000-06/81/59.2> <rdf#type> <mm#Result> .
<result/000-06/81/59.2> <mm#method> <method/neo> .
<result/000-06/81/59.2> <mm#dataset> <dataset/imagenet-c> .
<result/000-06/81/59.2> <mm#metric> <metric/accuracy> .
<result/000-06/81/59.2> <mm#comparator> <method/tent> .
<result/000-06/81/59.2> <mm#value> "59.2"^^<xsd#decimal> .
<result/000-06/81/59.2> <mm#unit> "%" .
<result/000-06/81/59.2> <mm#reference> "55.6"^^<xsd#decimal> .
<result/000-06/81/59.2> <mm#direction> "higher" .
<result/000-06/81/59.2> <mm#relative> "false"^^<xsd#boolean> .
""".replace("NEO_HASH", text_hash(NEO_PAPER.abstract)).replace("LORA_HASH", text_hash(LORA_PAPER.abstract))
LORA_EVIDENCE = """\
<link/lora-x/method/lora> <rdf#type> <mm#Statement> .
<link/lora-x/method/lora> <rdf#subject> <paper/lora-x> .
<link/lora-x/method/lora> <rdf#predicate> <mm#uses> .
<link/lora-x/method/lora> <rdf#object> <method/lora> .
<link/lora-x/method/lora> <mm#confidence> "0.9"^^<xsd#decimal> .
<link/lora-x/method/lora> <mm#role> "used" .
<link/lora-x/method/lora> <prov#wasGeneratedBy> <extraction/toy%2F1> .
<link/lora-x/method/lora> <mm#evidence> <mention/lora-x/method/lora/14> .
<mention/lora-x/method/lora/14> <rdf#type> <mm#Mention> .
<mention/lora-x/method/lora/14> <oa#hasBody> <method/lora> .
<mention/lora-x/method/lora/14> <oa#hasTarget> <mention/lora-x/method/lora/14#target> .
<mention/lora-x/method/lora/14> <mm#sentence> "We may extend LoRA & test <it> on ImageNet-C." .
<mention/lora-x/method/lora/14> <mm#sentenceStart> "0"^^<xsd#nonNegativeInteger> .
<mention/lora-x/method/lora/14> <mm#confidence> "0.9"^^<xsd#decimal> .
<mention/lora-x/method/lora/14> <prov#wasDerivedFrom> <paper/lora-x> .
<mention/lora-x/method/lora/14#target> <oa#hasSource> <paper/lora-x> .
<mention/lora-x/method/lora/14#target> <oa#hasSelector> <mention/lora-x/method/lora/14#selector> .
<mention/lora-x/method/lora/14#selector> <rdf#type> <oa#TextPositionSelector> .
<mention/lora-x/method/lora/14#selector> <oa#start> "14"^^<xsd#nonNegativeInteger> .
<mention/lora-x/method/lora/14#selector> <oa#end> "18"^^<xsd#nonNegativeInteger> .
<mention/lora-x/method/lora/14#selector> <oa#exact> "LoRA" .
<extraction/toy%2F1> <rdf#type> <prov#Activity> .
<extraction/toy%2F1> <rdfs#label> "toy/1" .
<extraction/toy%2F1> <prov#wasAssociatedWith> <software/toy%2F1> .
<software/toy%2F1> <rdf#type> <prov#SoftwareAgent> .
<software/toy%2F1> <rdfs#label> "toy" .
<software/toy%2F1> <schema#softwareVersion> "1" .
"""
UNUSUAL_EVIDENCE = """\
<mention/lora-x/method/lora/14/2> <mm#text> "lora" .
<mention/lora-x/method/lora/14/2> <mm#sentenceEnd> "44"^^<xsd#nonNegativeInteger> .
<mention/lora-x/method/lora/14/2> <mm#textHash> "of another text" .
<mention/lora-x/method/lora/14/2> <mm#hedged> "true"^^<xsd#boolean> .
<mention/lora-x/method/lora/14/2> <mm#negated> "true"^^<xsd#boolean> .
"""


def _lines(quads: list[Quad]) -> str:
    """The quads as N-Triples, with namespaces and the base cut short."""
    lines = serialize([quad.triple for quad in quads], format=RdfFormat.N_TRIPLES)
    assert lines is not None
    text = lines.decode()
    for prefix, namespace in v.PREFIXES.items():
        text = text.replace(f"<{namespace}", f"<{prefix}#")
    return text.replace(f"<{BASE}", "<")


def test_plain_graph_in_full() -> None:
    """The default graph of the toy map is these triples, in this order, and no others."""
    assert _lines([quad for quad in to_quads(GRAPH) if quad.graph_name == DefaultGraph()]) == PLAIN


def test_evidence_graph_of_one_link_in_full() -> None:
    """A link's evidence is a statement with its role, a Web Annotation for each mention, and how that was found."""
    graph = KnowledgeGraph((LORA_PAPER,), (CanonicalEntity("method/lora", "Method", "LoRA"),), GRAPH.links[-1:])
    evidence = [quad for quad in to_quads(graph) if quad.graph_name == NamedNode(BASE + "graph/evidence")]
    assert _lines(evidence) == LORA_EVIDENCE


def test_what_evidence_says_only_where_it_must() -> None:
    """Evidence tells of its own text, hash, end, flags and run where the words, the paper or the link tell otherwise, and then only."""
    odd = replace(LORA.evidence, sentence_end=44, text_hash="of another text", hedged=True, negated=True, extractor="")
    link = replace(GRAPH.links[-1], mentions=(LORA, Mention("lora", odd)))
    graph = KnowledgeGraph((LORA_PAPER,), (CanonicalEntity("method/lora", "Method", "LoRA"),), (link,))
    quads = list(to_quads(graph))
    usual = {NamedNode(v.TEXT), NamedNode(v.SENTENCE_END), NamedNode(v.TEXT_HASH), NamedNode(v.HEDGED), NamedNode(v.NEGATED)}
    evidence = [quad for quad in quads if quad.graph_name == NamedNode(BASE + "graph/evidence")]
    assert _lines([quad for quad in evidence if quad.predicate in usual]) == UNUSUAL_EVIDENCE
    runs = [(quad.subject, quad.object) for quad in evidence if quad.predicate == NamedNode(v.WAS_GENERATED_BY)]
    assert runs == [
        (NamedNode(BASE + "mention/lora-x/method/lora/14"), NamedNode(BASE + "extraction/toy%2F1")),
        (NamedNode(BASE + "mention/lora-x/method/lora/14/2"), NamedNode(BASE + "extraction/")),
    ]
    assert from_quads(quads) == graph


def test_there_and_back() -> None:
    """The toy map comes back equal from its quads, whatever their order."""
    assert from_quads(reversed(list(to_quads(GRAPH)))) == GRAPH


def test_there_and_back_through_a_store_and_nquads() -> None:
    """Oxigraph's own forms of numbers, and a written file, lose nothing."""
    store = Store()
    store.bulk_extend(to_quads(GRAPH))
    assert from_quads(store) == GRAPH
    written = serialize(to_quads(GRAPH), format=RdfFormat.N_QUADS)
    assert written is not None
    assert from_quads(parse(written, RdfFormat.N_QUADS)) == GRAPH


def test_same_map_same_bytes() -> None:
    """Writing twice gives the same quads in the same order, each once, and no blank node."""
    quads = list(to_quads(GRAPH))
    assert quads == list(to_quads(replace(GRAPH, papers=tuple(GRAPH.papers))))
    assert len(quads) == len(set(quads))
    assert not any(isinstance(term, BlankNode) for quad in quads for term in (quad.subject, quad.object, quad.graph_name))


def test_empty_map() -> None:
    """A map of nothing is no quads, and no quads are a map of nothing."""
    assert list(to_quads(KnowledgeGraph())) == []
    assert from_quads([]) == KnowledgeGraph()


def test_other_base() -> None:
    """Every resource stands under the given base, and reading with another one says so."""
    quads = list(to_quads(GRAPH, "https://example.org/kg/"))
    assert all(quad.subject.value.startswith("https://example.org/kg/") for quad in quads if isinstance(quad.subject, NamedNode))
    assert from_quads(quads, "https://example.org/kg/") == GRAPH
    with pytest.raises(GraphDataError, match=r"does not begin with 'https://w3id\.org/methodmap/'"):
        from_quads(quads)


def test_several_mentions_at_one_place() -> None:
    """Two entities may share a span, and one link may hold two readings of it: each mention keeps a node of its own, in order."""
    again = replace(LORA, text="the LoRA")
    entities = (CanonicalEntity("concept/lora", "Concept", "LoRA"), CanonicalEntity("method/lora", "Method", "LoRA"))
    links = (Link("lora-x", "concept/lora", "discussed", 0.5, (LORA,)), Link("lora-x", "method/lora", "used", 0.9, (LORA, again, LORA)))
    graph = KnowledgeGraph((LORA_PAPER,), entities, links)
    assert from_quads(to_quads(graph)) == graph


def test_equal_figures_stay_apart() -> None:
    """Results that differ in nothing that sorts them keep their order."""
    first = GRAPH.results[0]
    graph = replace(GRAPH, results=(first, replace(first, dataset=None), replace(first, unit=None, reference=None, direction=None)))
    assert from_quads(to_quads(graph)) == graph


def test_half_surrogates_are_replaced() -> None:
    """Text that no RDF can hold is written one character for one, and its paper's id still comes back exactly."""
    paper = replace(LORA_PAPER, id="\ud800", title="a\udc00b")
    assert from_quads(to_quads(KnowledgeGraph((paper,)))) == KnowledgeGraph((replace(paper, title="a\ufffdb"),))


def test_foreign_triples_are_passed_over() -> None:
    """Triples of other origin in the same store do not disturb reading."""
    note = Quad(BlankNode("x"), NamedNode(v.LABEL), Literal("a note"))
    other = Quad(NamedNode(BASE + "method/neo"), NamedNode("https://example.org/seen"), Literal("yes"))
    assert from_quads([note, other, *to_quads(GRAPH)]) == GRAPH


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (replace(GRAPH, papers=(NEO_PAPER,)), "names the paper 'lora-x', which the map lacks"),
        (replace(GRAPH, entities=GRAPH.entities[1:]), "names the entity 'dataset/imagenet-c', which the map lacks"),
        (replace(GRAPH, links=(Link("000-06", "method/neo", "discussed", 0.9, (NEO,)),)), "a Method cannot have the role 'discussed'"),
        (
            replace(GRAPH, statements=(Statement("method/neo", "extends", "method/gone", (BEATS,)),)),
            "names the entity 'method/gone', which the map lacks",
        ),
    ],
)
def test_contradictory_maps_are_refused(graph: KnowledgeGraph, message: str) -> None:
    """A map that points at nothing, or gives a type a role it cannot have, is not written; the error names the culprit."""
    with pytest.raises(GraphDataError, match=message):
        list(to_quads(graph))


def test_no_infinite_confidence() -> None:
    """A confidence that is no number is refused where it is written."""
    with pytest.raises(ValueError, match="nan is not a finite number"):
        list(to_quads(replace(GRAPH, links=(replace(GRAPH.links[0], confidence=float("nan")),))))


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        (v.ABSTRACT, "it lacks <http://purl.org/dc/terms/abstract>"),
        (v.EXACT, "#selector': it lacks <http://www.w3.org/ns/oa#exact>"),
        (v.TEXT_HASH, "paper/000-06': it lacks <https://w3id.org/methodmap/ontology#textHash>"),
        (v.WAS_GENERATED_BY, "it lacks <http://www.w3.org/ns/prov#wasGeneratedBy>"),
        (v.TYPE_CLASSES["Metric"], "an entity has one type, this one none"),
    ],
)
def test_incomplete_rdf_is_refused(missing: str, message: str) -> None:
    """RDF that lacks what a record needs names the node and what it lacks."""
    quads = [quad for quad in to_quads(GRAPH) if missing not in (quad.predicate.value, getattr(quad.object, "value", ""))]
    with pytest.raises(GraphDataError, match=message):
        from_quads(quads)


# ---- any map -------------------------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ['"quoted" <tag> \\', "line\r\nline\ttab\u2028", "👩🏽‍🔬 é é", "שלום עולם \u202e", "..", ".", "%2F", "a/b#c?d", "_ __", "\x00", ""]
)
IDS = TEXTS
DIRECTIONS: tuple[Direction | None, ...] = ("higher", "lower", None)
FLOATS = st.floats(0, 1)
DECIMALS = st.decimals(-(10**9), 10**9, allow_nan=False, allow_infinity=False)


@st.composite
def _evidence(draw: st.DrawFn, papers: tuple[Paper, ...]) -> Evidence:
    paper = draw(st.sampled_from(papers))
    ends = sorted(draw(st.lists(st.integers(0, len(paper.abstract)), min_size=4, max_size=4)))
    return Evidence(
        paper=paper.id,
        text_hash=draw(st.just(text_hash(paper.abstract)) | TEXTS),
        start=ends[1],
        end=ends[2],
        quote=paper.abstract[ends[1] : ends[2]],
        sentence_start=ends[0],
        sentence_end=draw(st.just(ends[3]) | st.integers(0, 99)),
        sentence=paper.abstract[ends[0] : ends[3]],
        confidence=draw(FLOATS),
        extractor=draw(TEXTS),
        hedged=draw(st.booleans()),
        negated=draw(st.booleans()),
    )


@st.composite
def _entities(draw: st.DrawFn) -> tuple[CanonicalEntity, ...]:
    kinds: list[EntityType] = list(ROLES)
    entities: dict[str, CanonicalEntity] = {}
    for kind, slug in draw(st.lists(st.tuples(st.sampled_from(kinds), IDS), max_size=4)):
        label, *others = draw(st.lists(TEXTS, min_size=1, max_size=3, unique=True))
        id_ = f"{kind.lower()}/{slug}"
        entities[id_] = CanonicalEntity(id_, kind, label, tuple(sorted(others)), draw(st.booleans()))
    return tuple(entities[id_] for id_ in sorted(entities))


@st.composite
def _papers(draw: st.DrawFn) -> tuple[Paper, ...]:
    maybe = st.none() | TEXTS
    papers: dict[str, Paper] = {}
    for id_ in draw(st.lists(IDS, max_size=3)):
        source = Source(draw(TEXTS), draw(st.integers(0, 10**6)), draw(st.integers(0, 10**9)))
        year = draw(st.none() | st.integers(-50, 12000))
        papers[id_] = Paper(id_, draw(TEXTS), source, draw(maybe), draw(maybe), year, draw(maybe))
    return tuple(papers[id_] for id_ in sorted(papers))


@st.composite
def maps(draw: st.DrawFn) -> KnowledgeGraph:
    """Small maps that hold to what the records say of themselves, and to nothing else."""
    papers, entities = draw(_papers()), draw(_entities())
    links: dict[tuple[str, str], Link] = {}
    statements: dict[tuple[str, str, str], Statement] = {}
    results: list[Result] = []
    if papers and entities:
        pieces = st.lists(_evidence(papers), max_size=3)
        for paper, entity in draw(st.lists(st.tuples(st.sampled_from(papers), st.sampled_from(entities)), max_size=4)):
            mentions = [Mention(draw(st.just(piece.quote) | TEXTS), piece) for piece in draw(st.lists(_evidence((paper,)), max_size=3))]
            mentions.sort(key=lambda mention: mention.evidence.start)
            role = draw(st.sampled_from(ROLES[entity.type]))
            links[paper.id, entity.id] = Link(paper.id, entity.id, role, draw(FLOATS), tuple(mentions))
        named = st.sampled_from([entity.id for entity in entities])
        for head, type_, tail in draw(st.lists(st.tuples(named, st.sampled_from(RELATION_TYPES), named), max_size=3)):
            evidence = tuple(sorted(draw(pieces), key=lambda piece: (piece.paper, piece.start)))
            statements[head, type_, tail] = Statement(head, type_, tail, evidence)
        one = st.none() | named
        for piece in draw(pieces):
            value, reference = draw(DECIMALS), draw(st.none() | DECIMALS)
            direction: Direction | None = draw(st.sampled_from(DIRECTIONS))
            unit, relative = draw(st.none() | TEXTS), draw(st.booleans())
            results.append(Result(draw(one), draw(one), draw(one), value, unit, reference, draw(one), direction, relative, piece))
    return KnowledgeGraph(
        papers,
        entities,
        tuple(links[key] for key in sorted(links)),
        tuple(statements[key] for key in sorted(statements)),
        tuple(sorted(results, key=lambda result: (result.evidence.paper, result.evidence.start, result.value))),
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(maps())
def test_any_map_comes_back_exactly(graph: KnowledgeGraph) -> None:
    """Whatever ids, names and texts hold, the map survives quads, a store, and a file."""
    quads = list(to_quads(graph))
    assert len(quads) == len(set(quads))
    assert from_quads(quads) == graph
    store = Store()
    store.bulk_extend(quads)
    assert from_quads(store) == graph
    written = serialize(quads, format=RdfFormat.N_QUADS)
    assert written is not None
    assert from_quads(parse(written, RdfFormat.N_QUADS)) == graph


@given(st.floats(0, 1))
def test_confidence_is_exact(confidence: float) -> None:
    """The very float comes back, from a literal without an exponent."""
    links = (Link("lora-x", "method/lora", "used", confidence, ()),)
    graph = KnowledgeGraph((LORA_PAPER,), (CanonicalEntity("method/lora", "Method", "LoRA"),), links)
    [literal] = [quad.object for quad in to_quads(graph) if quad.predicate.value == v.CONFIDENCE]
    assert isinstance(literal, Literal)
    assert Decimal(literal.value) == Decimal(repr(confidence))
    assert "e" not in literal.value.lower()
    assert from_quads(to_quads(graph)).links[0].confidence == confidence
