"""A map as RDF: the plain triples in the default graph, and the evidence for them in a named graph of their own.

Every node has an IRI made of what it stands for, so that equal maps give equal bytes. ``rdf_read.py`` is the way back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from pyoxigraph import Literal, NamedNode, Quad

from methodmap.graph.errors import GraphDataError
from methodmap.graph.iris import entity_iri, paper_iri, segment, venue_iri
from methodmap.graph.labels import paper_labels
from methodmap.graph.model import CanonicalEntity, Evidence, KnowledgeGraph, Link, Paper, Result, Statement, text_hash
from methodmap.graph.rdf_read import from_quads
from methodmap.graph.rdf_terms import FALSE, TRUE, decimal, integer, offset, term, text, year
from methodmap.graph.settings import Settings
from methodmap.ontology import vocabulary as v

__all__ = ["from_quads", "to_quads"]


def to_quads(graph: KnowledgeGraph, base: str = Settings().base_iri) -> Iterator[Quad]:
    """The map as quads, in an order that depends on the map alone.

    Text that no RDF syntax can hold (half of a surrogate pair) becomes U+FFFD, one character for one, so that offsets still hold.

    Raises :class:`GraphDataError` where a link, statement or result names a paper or entity that the map lacks, or a role that the
    entity's type has not; ``ValueError`` where a confidence or a figure is not a finite number, or the base is no IRI.
    """
    return _Writer(graph, base).quads()


class _Piece(NamedTuple):
    """Evidence, the IRI of its node, and the plain form of a mention."""

    iri: str
    evidence: Evidence
    plain: str | None = None


class _Writer:
    """What is looked up again and again while one map is written."""

    def __init__(self, graph: KnowledgeGraph, base: str) -> None:
        self._graph = graph
        self._base = base
        self._evidence_graph = NamedNode(base + v.EVIDENCE_GRAPH)
        self._papers = {paper.id: NamedNode(paper_iri(paper.id, base)) for paper in graph.papers}
        self._hashes = {paper.id: text_hash(paper.abstract) for paper in graph.papers}
        self._entities = {entity.id: NamedNode(entity_iri(entity.id, base)) for entity in graph.entities}
        self._types = {entity.id: entity.type for entity in graph.entities}
        self._extractors: dict[str, NamedNode] = {}

    def quads(self) -> Iterator[Quad]:
        labels = paper_labels(self._graph)
        counts = Counter(link.entity for link in self._graph.links)
        return chain(
            chain.from_iterable(self._paper(paper, labels[paper.id]) for paper in self._graph.papers),
            self._venues(),
            chain.from_iterable(self._entity(entity, counts[entity.id]) for entity in self._graph.entities),
            chain.from_iterable(map(self._link, self._graph.links)),
            chain.from_iterable(map(self._statement, self._graph.statements)),
            self._results(),
            self._runs(),
        )

    # ---- the default graph -----------------------------------------------------------------------------------------------------------

    def _paper(self, paper: Paper, label: str) -> Iterator[Quad]:
        node = self._papers[paper.id]
        yield Quad(node, term(v.TYPE), term(v.PAPER))
        yield Quad(node, term(v.IDENTIFIER), text(paper.id))
        yield Quad(node, term(v.PREF_LABEL), text(label))
        if paper.title is not None:
            yield Quad(node, term(v.TITLE), text(paper.title))
        yield Quad(node, term(v.ABSTRACT), text(paper.abstract))
        yield Quad(node, term(v.TEXT_HASH), text(self._hashes[paper.id]))
        if paper.year is not None:
            yield Quad(node, term(v.ISSUED), year(paper.year))
        if paper.venue is not None:
            yield Quad(node, term(v.IS_PART_OF), NamedNode(venue_iri(paper.venue, self._base)))
        if paper.url is not None:
            yield Quad(node, term(v.URL), text(paper.url, v.XSD_ANY_URI))
        yield Quad(node, term(v.SOURCE_FILE), text(paper.source.path))
        yield Quad(node, term(v.SOURCE_LINE), offset(paper.source.line))
        yield Quad(node, term(v.SOURCE_OFFSET), offset(paper.source.offset))

    def _venues(self) -> Iterator[Quad]:
        for venue in sorted({paper.venue for paper in self._graph.papers if paper.venue is not None}):
            node = NamedNode(venue_iri(venue, self._base))
            yield Quad(node, term(v.TYPE), term(v.VENUE))
            yield Quad(node, term(v.LABEL), text(venue))

    def _entity(self, entity: CanonicalEntity, papers: int) -> Iterator[Quad]:
        node = self._entities[entity.id]
        yield Quad(node, term(v.TYPE), term(v.ENTITY))
        yield Quad(node, term(v.TYPE), term(v.TYPE_CLASSES[entity.type]))
        if entity.baseline:
            yield Quad(node, term(v.TYPE), term(v.BASELINE))
        yield Quad(node, term(v.PREF_LABEL), text(entity.label))
        for label in entity.alt_labels:
            yield Quad(node, term(v.ALT_LABEL), text(label))
        yield Quad(node, term(v.PAPER_COUNT), integer(papers))

    def _results(self) -> Iterator[Quad]:
        seen: Counter[str] = Counter()
        for result in self._graph.results:
            evidence = result.evidence
            iri = f"{self._base}result/{segment(evidence.paper)}/{evidence.start}/{decimal(result.value).value}"
            yield from self._result(result, NamedNode(_numbered(iri, seen)))

    def _result(self, result: Result, node: NamedNode) -> Iterator[Quad]:
        yield Quad(self._paper_node(result.evidence.paper, node), term(v.HAS_RESULT), node)
        yield Quad(node, term(v.TYPE), term(v.RESULT))
        for entity, property_ in (
            (result.method, v.RESULT_METHOD),
            (result.dataset, v.RESULT_DATASET),
            (result.metric, v.RESULT_METRIC),
            (result.comparator, v.COMPARATOR),
        ):
            if entity is not None:
                yield Quad(node, term(property_), self._entity_node(entity, node))
        yield Quad(node, term(v.VALUE), decimal(result.value))
        if result.unit is not None:
            yield Quad(node, term(v.UNIT), text(result.unit))
        if result.reference is not None:
            yield Quad(node, term(v.REFERENCE), decimal(result.reference))
        if result.direction is not None:
            yield Quad(node, term(v.DIRECTION), text(result.direction))
        yield Quad(node, term(v.RELATIVE), TRUE if result.relative else FALSE)
        yield from self._proof(node, [_Piece(f"{node.value}/evidence", result.evidence)])

    # ---- links and statements: one triple in the default graph, the rest in the evidence graph ---------------------------------------

    def _link(self, link: Link) -> list[Quad]:
        key = f"{segment(link.paper)}/{entity_iri(link.entity, '')}"
        node = NamedNode(f"{self._base}link/{key}")
        paper, entity = self._paper_node(link.paper, node), self._entity_node(link.entity, node)
        property_ = v.ROLE_PROPERTIES.get((self._types[link.entity], link.role))
        if property_ is None:
            raise GraphDataError(link.entity, f"a {self._types[link.entity]} cannot have the role {link.role!r}")
        seen: Counter[str] = Counter()
        pieces = [
            _Piece(_numbered(f"{self._base}mention/{key}/{mention.evidence.start}", seen), mention.evidence, mention.text)
            for mention in link.mentions
        ]
        return [
            Quad(paper, term(property_), entity),
            *self._reified(node, paper, term(property_), entity, decimal(link.confidence)),
            Quad(node, term(v.ROLE), text(link.role), self._evidence_graph),
            *self._proof(node, pieces, entity),
        ]

    def _statement(self, statement: Statement) -> list[Quad]:
        key = f"{entity_iri(statement.head, '')}/{statement.type}/{entity_iri(statement.tail, '')}"
        node = NamedNode(f"{self._base}statement/{key}")
        head, tail = self._entity_node(statement.head, node), self._entity_node(statement.tail, node)
        property_ = term(v.RELATION_PROPERTIES[statement.type])
        seen: Counter[str] = Counter()
        pieces = [
            _Piece(_numbered(f"{self._base}evidence/{key}/{segment(evidence.paper)}/{evidence.start}", seen), evidence)
            for evidence in statement.evidence
        ]
        return [
            Quad(head, property_, tail),
            *self._reified(node, head, property_, tail, decimal(statement.confidence)),
            *self._proof(node, pieces),
        ]

    def _reified(self, node: NamedNode, subject: NamedNode, predicate: NamedNode, object_: NamedNode, confidence: Literal) -> list[Quad]:
        graph = self._evidence_graph
        return [
            Quad(node, term(v.TYPE), term(v.STATEMENT), graph),
            Quad(node, term(v.SUBJECT), subject, graph),
            Quad(node, term(v.PREDICATE), predicate, graph),
            Quad(node, term(v.OBJECT), object_, graph),
            Quad(node, term(v.CONFIDENCE), confidence, graph),
        ]

    # ---- the evidence graph: most of a map's quads, so that what can be told once, or follows from the rest, is left out ---------------

    def _proof(self, owner: NamedNode, pieces: Sequence[_Piece], entity: NamedNode | None = None) -> list[Quad]:
        """The evidence of one link, statement or result. Its run is told once where all of it has the same."""
        shared = len({piece.evidence.extractor for piece in pieces}) == 1
        quads: list[Quad] = []
        if shared:
            quads.append(Quad(owner, term(v.WAS_GENERATED_BY), self._run(pieces[0].evidence.extractor), self._evidence_graph))
        for piece in pieces:
            quads += self._evidence(owner, piece, entity)
            if not shared:
                quads.append(
                    Quad(NamedNode(piece.iri), term(v.WAS_GENERATED_BY), self._run(piece.evidence.extractor), self._evidence_graph)
                )
        return quads

    def _evidence(self, owner: NamedNode, piece: _Piece, entity: NamedNode | None) -> list[Quad]:
        """The annotation of one stretch of text (https://www.w3.org/TR/annotation-model/): a mention if it names an entity."""
        graph, evidence = self._evidence_graph, piece.evidence
        node, target, selector = NamedNode(piece.iri), NamedNode(piece.iri + "#target"), NamedNode(piece.iri + "#selector")
        paper = self._paper_node(evidence.paper, node)
        quads = [
            Quad(owner, term(v.HAS_EVIDENCE), node, graph),
            Quad(node, term(v.TYPE), term(v.EVIDENCE if entity is None else v.MENTION), graph),
            Quad(node, term(v.HAS_BODY), owner if entity is None else entity, graph),
            Quad(node, term(v.HAS_TARGET), target, graph),
            Quad(node, term(v.SENTENCE), text(evidence.sentence), graph),
            Quad(node, term(v.SENTENCE_START), offset(evidence.sentence_start), graph),
            Quad(node, term(v.CONFIDENCE), decimal(evidence.confidence), graph),
            Quad(node, term(v.WAS_DERIVED_FROM), paper, graph),
            Quad(target, term(v.HAS_SOURCE), paper, graph),
            Quad(target, term(v.HAS_SELECTOR), selector, graph),
            Quad(selector, term(v.TYPE), term(v.TEXT_POSITION_SELECTOR), graph),
            Quad(selector, term(v.START), offset(evidence.start), graph),
            Quad(selector, term(v.END), offset(evidence.end), graph),
            Quad(selector, term(v.EXACT), text(evidence.quote), graph),
        ]
        if piece.plain is not None and piece.plain != evidence.quote:
            quads.append(Quad(node, term(v.TEXT), text(piece.plain), graph))
        if evidence.sentence_end != evidence.sentence_start + len(evidence.sentence):
            quads.append(Quad(node, term(v.SENTENCE_END), offset(evidence.sentence_end), graph))
        if evidence.text_hash != self._hashes[evidence.paper]:
            quads.append(Quad(node, term(v.TEXT_HASH), text(evidence.text_hash), graph))
        if evidence.hedged:
            quads.append(Quad(node, term(v.HEDGED), TRUE, graph))
        if evidence.negated:
            quads.append(Quad(node, term(v.NEGATED), TRUE, graph))
        return quads

    def _run(self, extractor: str) -> NamedNode:
        if extractor not in self._extractors:
            self._extractors[extractor] = NamedNode(f"{self._base}extraction/{segment(extractor)}")
        return self._extractors[extractor]

    def _runs(self) -> Iterator[Quad]:
        graph = self._evidence_graph
        for extractor, node in sorted(self._extractors.items()):
            software = NamedNode(f"{self._base}software/{segment(extractor)}")
            name, _, version = extractor.rpartition("/")
            yield Quad(node, term(v.TYPE), term(v.ACTIVITY), graph)
            yield Quad(node, term(v.LABEL), text(extractor), graph)
            yield Quad(node, term(v.WAS_ASSOCIATED_WITH), software, graph)
            yield Quad(software, term(v.TYPE), term(v.SOFTWARE_AGENT), graph)
            yield Quad(software, term(v.LABEL), text(name or version), graph)
            if name:
                yield Quad(software, term(v.SOFTWARE_VERSION), text(version), graph)

    # ---- looking nodes up ------------------------------------------------------------------------------------------------------------

    def _paper_node(self, paper: str, user: NamedNode) -> NamedNode:
        try:
            return self._papers[paper]
        except KeyError:
            raise GraphDataError(user.value, f"it names the paper {paper!r}, which the map lacks") from None

    def _entity_node(self, entity: str, user: NamedNode) -> NamedNode:
        try:
            return self._entities[entity]
        except KeyError:
            raise GraphDataError(user.value, f"it names the entity {entity!r}, which the map lacks") from None


def _numbered(iri: str, seen: Counter[str]) -> str:
    """The IRI, with a number from 2 on if it was given out before."""
    seen[iri] += 1
    return iri if seen[iri] == 1 else f"{iri}/{seen[iri]}"
