"""A map, an entity or a paper in words, for people at a terminal."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from methodmap.graph.labels import paper_labels
from methodmap.graph.lookup import lookup
from methodmap.graph.model import ROLE_ORDER, CanonicalEntity, KnowledgeGraph, Link, Paper
from methodmap.terminal import printable

__all__ = ["describe_map", "describe_node"]

WIDTH = 100


def describe_map(facts: Mapping[str, Any]) -> str:
    """Lay out what :meth:`methodmap.api.Map.info` counts."""
    lines = [f"{facts['map']}: {facts['papers']} papers, {facts['mentions']} mentions, made by {facts['extractor']}", ""]
    for kind, number in facts["entities"].items():
        roles = ", ".join(f"{count} {key.split('/')[1]}" for key, count in facts["links"].items() if key.startswith(f"{kind}/"))
        lines.append(f"{number:6d} {kind.lower()}s ({roles})" if roles else f"{number:6d} {kind.lower()}s")
        lines += textwrap.wrap(
            ", ".join(f"{e['label']} {e['papers']}" for e in facts["top"][kind]), WIDTH, initial_indent=" " * 9, subsequent_indent=" " * 9
        )
    lines += ["", "from " + ", ".join(f"{venue} ({count})" for venue, count in facts["venues"].items())]
    lines += [f"     {source['path']}" for source in facts["sources"]]
    return printable("\n".join(lines))


def describe_node(graph: KnowledgeGraph, name: str) -> str:
    """Tell everything about the entities of a name, alias or id, or about a paper.

    Raises ``EntityNotFoundError``, with the names that come near.
    """
    paper, entities = lookup(graph, name)
    if paper is not None:
        return printable(_describe_paper(graph, paper))
    papers = paper_labels(graph)
    return printable("\n\n".join(_describe_entity(graph, entity, papers) for entity in entities))


def _describe_entity(graph: KnowledgeGraph, entity: CanonicalEntity, papers: Mapping[str, str]) -> str:
    lines = [f"{entity.label}  ({entity.type}, {entity.id})"]
    if entity.alt_labels:
        lines += textwrap.wrap("also: " + ", ".join(entity.alt_labels), WIDTH, initial_indent="  ", subsequent_indent="  ")
    labels = {e.id: e.label for e in graph.entities}
    for statement in graph.statements:
        if entity.id in (statement.head, statement.tail):
            lines.append(f"  {labels[statement.head]} {statement.type} {labels[statement.tail]}")
    by_role: dict[str, list[Link]] = defaultdict(list)
    for link in graph.links:
        if link.entity == entity.id:
            by_role[link.role].append(link)
    for role in ROLE_ORDER:
        for link in by_role[role]:
            lines += ["", f"  {role} in {link.paper}: {papers[link.paper]}  [{link.confidence:.2f}]"]
            lines += _sentences(link)
    return "\n".join(lines)


def _describe_paper(graph: KnowledgeGraph, paper: Paper) -> str:
    entities = {e.id: e for e in graph.entities}
    facts = [
        f for f in (paper.venue, str(paper.year) if paper.year and str(paper.year) not in (paper.venue or "") else None, paper.url) if f
    ]
    lines = [f"{paper.id}: {paper_labels(graph)[paper.id]}", f"  {', '.join([*facts, f'{paper.source.path}:{paper.source.line}'])}"]
    links = [link for link in graph.links if link.paper == paper.id]
    for link in sorted(links, key=lambda k: (ROLE_ORDER.index(k.role), k.mentions[0].evidence.start)):
        entity = entities[link.entity]
        lines += ["", f"  {link.role}: {entity.label}  ({entity.type}, {entity.id})  [{link.confidence:.2f}]"]
        lines += _sentences(link)
    return "\n".join(lines)


def _sentences(link: Link) -> Iterable[str]:
    shown = dict.fromkeys((m.evidence.sentence_start, " ".join(m.evidence.sentence.split())) for m in link.mentions)
    for _, sentence in shown:
        yield from textwrap.wrap(sentence, WIDTH, initial_indent="    “", subsequent_indent="     ") or [""]
