"""RDF back to a map: the inverse of ``rdf.py``. Quads in any order; triples that are none of the map's are passed over."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from typing import TypeAlias, cast

from pyoxigraph import BlankNode, Literal, NamedNode, Quad

from methodmap.graph.errors import GraphDataError
from methodmap.graph.iris import read_id, read_paper_id
from methodmap.graph.model import (
    CanonicalEntity,
    Direction,
    EntityType,
    Evidence,
    KnowledgeGraph,
    Link,
    Mention,
    Paper,
    RelationType,
    Result,
    Role,
    Source,
    Statement,
)
from methodmap.graph.settings import Settings
from methodmap.ontology import vocabulary as v

__all__ = ["from_quads"]

_Index: TypeAlias = dict[str, dict[str, list[str]]]

_CLASS_TYPES = {iri: type_ for type_, iri in v.TYPE_CLASSES.items()}
_PROPERTY_RELATIONS = {iri: relation for relation, iri in v.RELATION_PROPERTIES.items()}


def from_quads(quads: Iterable[Quad], base: str = Settings().base_iri) -> KnowledgeGraph:
    """The map that :func:`methodmap.graph.rdf.to_quads` wrote with this base, sorted as :class:`KnowledgeGraph` says.

    Raises :class:`GraphDataError` where a node lacks a field that its class needs, or its IRI does not begin with the base.
    """
    index: _Index = {}
    members: dict[str, list[str]] = {}
    for quad in quads:
        subject, object_ = quad.subject, quad.object
        # No blank node and no quoted triple is ever written.
        if isinstance(subject, NamedNode) and isinstance(object_, NamedNode | BlankNode | Literal):
            index.setdefault(subject.value, {}).setdefault(quad.predicate.value, []).append(object_.value)
            if quad.predicate.value == v.TYPE:
                members.setdefault(object_.value, []).append(subject.value)
    return _Reader(index, members, base).graph()


class _Reader:
    def __init__(self, index: _Index, members: dict[str, list[str]], base: str) -> None:
        self._index = index
        self._members = members
        self._base = base
        self._entity_id = cache(lambda iri: read_id(iri, base))
        self._paper_id = cache(lambda iri: read_paper_id(iri, base))

    def graph(self) -> KnowledgeGraph:
        reified = sorted(set(self._members.get(v.STATEMENT, ())))
        results = [(self._result(iri), _number(iri)) for iri in set(self._members.get(v.RESULT, ()))]
        results.sort(key=lambda pair: (pair[0].evidence.paper, pair[0].evidence.start, pair[0].value, pair[1]))
        return KnowledgeGraph(
            papers=tuple(sorted(map(self._paper, set(self._members.get(v.PAPER, ()))), key=lambda paper: paper.id)),
            entities=tuple(sorted(map(self._entity, set(self._members.get(v.ENTITY, ()))), key=lambda entity: entity.id)),
            links=tuple(
                sorted(
                    (self._link(iri) for iri in reified if v.ROLE in self._index[iri]),
                    key=lambda link: (link.paper, link.entity),
                )
            ),
            statements=tuple(
                sorted(
                    (self._statement(iri) for iri in reified if v.ROLE not in self._index[iri]),
                    key=lambda statement: (statement.head, statement.type, statement.tail),
                )
            ),
            results=tuple(result for result, _ in results),
        )

    # ---- records ---------------------------------------------------------------------------------------------------------------------

    def _paper(self, iri: str) -> Paper:
        year = self._maybe(iri, v.ISSUED)
        venue = self._maybe(iri, v.IS_PART_OF)
        return Paper(
            id=self._paper_id(iri),
            abstract=self._one(iri, v.ABSTRACT),
            source=Source(self._one(iri, v.SOURCE_FILE), int(self._one(iri, v.SOURCE_LINE)), int(self._one(iri, v.SOURCE_OFFSET))),
            title=self._maybe(iri, v.TITLE),
            venue=None if venue is None else self._one(venue, v.LABEL),
            year=None if year is None else int(year),
            url=self._maybe(iri, v.URL),
        )

    def _entity(self, iri: str) -> CanonicalEntity:
        classes = self._index[iri][v.TYPE]
        types = sorted({_CLASS_TYPES[class_] for class_ in classes if class_ in _CLASS_TYPES})
        if len(types) != 1:
            raise GraphDataError(iri, f"an entity has one type, this one {types or 'none'}")
        return CanonicalEntity(
            id=self._entity_id(iri),
            type=cast(EntityType, types[0]),
            label=self._one(iri, v.PREF_LABEL),
            alt_labels=tuple(sorted(self._index[iri].get(v.ALT_LABEL, ()))),
            baseline=v.BASELINE in classes,
        )

    def _link(self, iri: str) -> Link:
        mentions = [(self._mention(node, iri), _number(node)) for node in self._index[iri].get(v.HAS_EVIDENCE, ())]
        mentions.sort(key=lambda pair: (pair[0].evidence.start, pair[1]))
        return Link(
            paper=self._paper_id(self._one(iri, v.SUBJECT)),
            entity=self._entity_id(self._one(iri, v.OBJECT)),
            role=cast(Role, self._one(iri, v.ROLE)),
            confidence=float(self._one(iri, v.CONFIDENCE)),
            mentions=tuple(mention for mention, _ in mentions),
        )

    def _statement(self, iri: str) -> Statement:
        relation = _PROPERTY_RELATIONS.get(self._one(iri, v.PREDICATE))
        if relation is None:
            raise GraphDataError(iri, f"{self._one(iri, v.PREDICATE)!r} is no relation between entities, and there is no mm:role")
        evidence = [(self._evidence(node, iri), _number(node)) for node in self._index[iri].get(v.HAS_EVIDENCE, ())]
        evidence.sort(key=lambda pair: (pair[0].paper, pair[0].start, pair[1]))
        return Statement(
            head=self._entity_id(self._one(iri, v.SUBJECT)),
            type=cast(RelationType, relation),
            tail=self._entity_id(self._one(iri, v.OBJECT)),
            evidence=tuple(piece for piece, _ in evidence),
        )

    def _result(self, iri: str) -> Result:
        reference = self._maybe(iri, v.REFERENCE)
        return Result(
            method=self._maybe_entity(iri, v.RESULT_METHOD),
            dataset=self._maybe_entity(iri, v.RESULT_DATASET),
            metric=self._maybe_entity(iri, v.RESULT_METRIC),
            value=Decimal(self._one(iri, v.VALUE)),
            unit=self._maybe(iri, v.UNIT),
            reference=None if reference is None else Decimal(reference),
            comparator=self._maybe_entity(iri, v.COMPARATOR),
            direction=cast("Direction | None", self._maybe(iri, v.DIRECTION)),
            relative=self._one(iri, v.RELATIVE) == "true",
            evidence=self._evidence(self._one(iri, v.HAS_EVIDENCE), iri),
        )

    def _mention(self, iri: str, owner: str) -> Mention:
        evidence = self._evidence(iri, owner)
        plain = self._maybe(iri, v.TEXT)
        return Mention(evidence.quote if plain is None else plain, evidence)

    def _evidence(self, iri: str, owner: str) -> Evidence:
        """Evidence with what its node leaves unsaid: what its paper, its owner or its other fields say already."""
        paper = self._one(iri, v.WAS_DERIVED_FROM)
        selector = self._one(self._one(iri, v.HAS_TARGET), v.HAS_SELECTOR)
        sentence = self._one(iri, v.SENTENCE)
        start = int(self._one(iri, v.SENTENCE_START))
        end, hash_ = self._maybe(iri, v.SENTENCE_END), self._maybe(iri, v.TEXT_HASH)
        return Evidence(
            paper=self._paper_id(paper),
            text_hash=self._one(paper, v.TEXT_HASH) if hash_ is None else hash_,
            start=int(self._one(selector, v.START)),
            end=int(self._one(selector, v.END)),
            quote=self._one(selector, v.EXACT),
            sentence_start=start,
            sentence_end=start + len(sentence) if end is None else int(end),
            sentence=sentence,
            confidence=float(self._one(iri, v.CONFIDENCE)),
            extractor=self._one(self._maybe(iri, v.WAS_GENERATED_BY) or self._one(owner, v.WAS_GENERATED_BY), v.LABEL),
            hedged=self._maybe(iri, v.HEDGED) == "true",
            negated=self._maybe(iri, v.NEGATED) == "true",
        )

    # ---- fields ----------------------------------------------------------------------------------------------------------------------

    def _one(self, iri: str, property_: str) -> str:
        values = self._index.get(iri, {}).get(property_, ())
        if not values:
            raise GraphDataError(iri, f"it lacks <{property_}>")
        return values[0]

    def _maybe(self, iri: str, property_: str) -> str | None:
        values = self._index[iri].get(property_, ())
        return values[0] if values else None

    def _maybe_entity(self, iri: str, property_: str) -> str | None:
        value = self._maybe(iri, property_)
        return None if value is None else self._entity_id(value)


def _number(iri: str) -> tuple[int, str]:
    """What sorts IRIs that differ in their last number only, which the writer gives to records that are otherwise alike."""
    return len(iri), iri
