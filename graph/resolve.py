"""The entities of all papers -> canonical entities, and the map over them. A pure function: the order of its input does not matter."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, replace

from methodmap.graph.cluster import Cluster, cluster, key_of
from methodmap.graph.ledger import Merge
from methodmap.graph.model import (
    ENTITY_TYPES,
    ROLE_ORDER,
    CanonicalEntity,
    Entity,
    EntityType,
    Evidence,
    Extraction,
    KnowledgeGraph,
    Link,
    Mention,
    Paper,
    RelationType,
    Result,
    Statement,
)
from methodmap.graph.preferred import labels
from methodmap.graph.slug import slug

__all__ = ["Merge", "resolve"]


def resolve(papers: Sequence[Paper], extractions: Sequence[Extraction]) -> tuple[KnowledgeGraph, tuple[Merge, ...]]:
    """Merge the entities of all papers into canonical ones, and give the whole map with the ledger of every merge.

    The rules are those of :mod:`methodmap.graph.cluster`, applied to each entity type alone: a name that some papers take for a Task and
    others for a Method stays two entities. Every mention of the extractions is on exactly one link, but for a span that one entity of a
    paper holds twice. Relations whose ends fall together or name no entity are dropped; results keep None for what names no entity.

    Raises ValueError if an extraction is of a paper that is not among ``papers``, or if two papers share an id.
    """
    known = {paper.id for paper in papers}
    if len(known) != len(papers):
        raise ValueError(f"two papers share an id: {len(papers)} papers have {len(known)} ids; give each its own")
    for extraction in extractions:
        if extraction.paper not in known:
            raise ValueError(f"the extraction of {extraction.paper!r} has no paper: pass its paper too, or leave it out")
    clusters = [(found, *labels(found.units)) for found in _clusters(extractions)]
    ids = _ids([(f"{found.units[0].entity.type.lower()}/{slug(label)}", found) for found, label, _ in clusters])
    links = _links(ids, [found for found, _, _ in clusters])
    baselines = {link.entity for link in links if link.role == "baseline"}
    entities = [
        CanonicalEntity(id_, found.units[0].entity.type, label, others, baseline=id_ in baselines)
        for id_, (found, label, others) in zip(ids, clusters, strict=True)
    ]
    placed = {(u.paper, u.entity.type, u.entity.name): id_ for id_, (found, _, _) in zip(ids, clusters, strict=True) for u in found.units}
    by_name = {
        # Of two entities of one name, which only types can tell apart, the first of the paper is meant.
        extraction.paper: {e.name: placed[extraction.paper, e.type, e.name] for e in reversed(extraction.entities)}
        for extraction in extractions
    }
    graph = KnowledgeGraph(
        papers=tuple(sorted(papers, key=lambda paper: paper.id)),
        entities=tuple(sorted(entities, key=lambda entity: entity.id)),
        links=links,
        statements=_statements(extractions, by_name),
        results=_results(extractions, by_name),
    )
    return graph, tuple(sorted(merge for id_, (found, _, _) in zip(ids, clusters, strict=True) for merge in _merges(id_, found)))


def _clusters(extractions: Sequence[Extraction]) -> list[Cluster]:
    named: dict[EntityType, list[tuple[str, Entity]]] = {kind: [] for kind in ENTITY_TYPES}
    for extraction in extractions:
        for entity in extraction.entities:
            named[entity.type].append((extraction.paper, entity))
    return [found for kind in ENTITY_TYPES for found in cluster(named[kind])]


def _ids(described: Sequence[tuple[str, Cluster]]) -> list[str]:
    """The id of each cluster, given the one it would have alone.

    Of clusters that would share an id, the one with more papers than all others together has it; the rest get a hash of what tells them
    apart, so that a rare homonym changes no other entity's id.
    """
    rivals: dict[str, list[int]] = defaultdict(list)
    sizes = [len({unit.paper for unit in found.units}) for _, found in described]
    for (id_, _), size in zip(described, sizes, strict=True):
        rivals[id_].append(size)
    keeps = [2 * size > sum(rivals[id_]) for (id_, _), size in zip(described, sizes, strict=True)]
    marks = [hashlib.sha256(found.anchor.encode("utf-8", "surrogatepass")).hexdigest() for _, found in described]
    for length in range(6, 65):
        ids = [id_ if keep else f"{id_}-{mark[:length]}" for (id_, _), keep, mark in zip(described, keeps, marks, strict=True)]
        if len(set(ids)) == len(ids):
            break
    return ids


def _links(ids: Sequence[str], clusters: Sequence[Cluster]) -> tuple[Link, ...]:
    of: dict[tuple[str, str], list[Entity]] = defaultdict(list)
    for id_, found in zip(ids, clusters, strict=True):
        for unit in found.units:
            of[unit.paper, id_].append(unit.entity)
    return tuple(
        Link(
            paper=paper,
            entity=id_,
            role=min((e.role for e in entities), key=ROLE_ORDER.index),
            confidence=max(e.confidence for e in entities),
            mentions=_mentions(entities),
        )
        for (paper, id_), entities in sorted(of.items())
    )


def _mentions(entities: Sequence[Entity]) -> tuple[Mention, ...]:
    best: dict[tuple[int, int], Mention] = {}
    for mention in (m for entity in entities for m in entity.mentions):
        span = mention.evidence.start, mention.evidence.end
        other = best.get(span)
        if other is None or _preference(mention) < _preference(other):
            best[span] = mention
    return tuple(mention for _, mention in sorted(best.items()))


def _preference(mention: Mention) -> tuple[float, str, tuple[object, ...]]:
    return -mention.evidence.confidence, mention.text, astuple(mention.evidence)


def _statements(extractions: Sequence[Extraction], by_name: Mapping[str, Mapping[str, str]]) -> tuple[Statement, ...]:
    stated: dict[tuple[str, RelationType, str], set[Evidence]] = defaultdict(set)
    for extraction in extractions:
        ids = by_name[extraction.paper]
        for relation in extraction.relations:
            head, tail = ids.get(relation.head), ids.get(relation.tail)
            if head is not None and tail is not None and head != tail:
                stated[head, relation.type, tail].add(relation.evidence)
    return tuple(
        Statement(head, kind, tail, tuple(sorted(evidence, key=_evidence_order))) for (head, kind, tail), evidence in sorted(stated.items())
    )


def _results(extractions: Sequence[Extraction], by_name: Mapping[str, Mapping[str, str]]) -> tuple[Result, ...]:
    results = {
        replace(
            result,
            method=ids.get(result.method or ""),
            dataset=ids.get(result.dataset or ""),
            metric=ids.get(result.metric or ""),
            comparator=ids.get(result.comparator or ""),
        )
        for extraction in extractions
        for ids in (by_name[extraction.paper],)
        for result in extraction.results
    }
    return tuple(sorted(results, key=lambda r: (r.evidence.paper, r.evidence.start, r.value, repr(r))))


def _evidence_order(evidence: Evidence) -> tuple[object, ...]:
    return evidence.paper, evidence.start, astuple(evidence)


def _merges(id_: str, found: Cluster) -> Iterator[Merge]:
    for joint in found.joints:
        forms = {
            form
            for unit in found.units
            for form in (unit.entity.name, *(m.text for m in unit.entity.mentions))
            if key_of(form, unit.entity.type) in joint.keys
        }
        yield Merge(id_, joint.reason, tuple(sorted(forms)), joint.papers, joint.support)
