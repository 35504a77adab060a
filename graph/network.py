"""A map as a networkx graph, and back. Nodes are papers (``paper/<id>``) and entities (their ids); no record is lost on the way.

Attributes of nodes: ``kind``, ``label``, ``papers``; of entities also ``aliases``, ``baseline``, ``proposed_by``; of papers also
``record``, ``title``, ``venue``, ``year``. Edges from papers to entities have their role as key, and ``kind``, ``role``,
``confidence``, ``mentions``; edges between entities have their relation as key, and ``kind``, ``confidence``, ``evidence``.
Results are in the graph's own attribute ``results``.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import networkx as nx

from methodmap.graph.errors import GraphDataError
from methodmap.graph.labels import paper_labels
from methodmap.graph.model import CanonicalEntity, KnowledgeGraph, Link, Statement
from methodmap.ontology.vocabulary import ROLE_PROPERTIES, local_name

__all__ = ["PAPER_KIND", "PAPER_PREFIX", "from_network", "paper_node", "to_network"]

if TYPE_CHECKING:
    Network: TypeAlias = nx.MultiDiGraph[str]

PAPER_KIND: Final = "Paper"
"""The ``kind`` of nodes that are papers; that of entities is their type."""

PAPER_PREFIX: Final = "paper/"
"""What sets papers' nodes apart from entities', whose ids begin with their type."""


def paper_node(paper: str) -> str:
    """The node of the paper with this id.

    >>> paper_node("000-06")
    'paper/000-06'
    """
    return PAPER_PREFIX + paper


def to_network(graph: KnowledgeGraph) -> Network:
    """The map as a network whose nodes and edges stand in the map's order.

    Raises :class:`GraphDataError` where a link or statement names a paper or entity that the map lacks, or a role that the entity's
    type has not.
    """
    network: Network = nx.MultiDiGraph(results=graph.results)
    _add_papers(network, graph)
    _add_entities(network, graph)
    for link in graph.links:
        _add_link(network, link)
    for statement in graph.statements:
        _add_statement(network, statement)
    return network


def from_network(network: Network) -> KnowledgeGraph:
    """The map that :func:`to_network` made the network of, sorted as :class:`KnowledgeGraph` says; a subgraph gives its part of the map.

    Raises :class:`GraphDataError` where a node or edge lacks an attribute that ``to_network`` gives it.
    """
    papers, entities, links, statements = [], [], [], []
    for node, data in network.nodes(data=True):
        if _get(data, "kind", node) == PAPER_KIND:
            papers.append(_get(data, "record", node))
        else:
            entities.append(
                CanonicalEntity(node, data["kind"], _get(data, "label", node), _get(data, "aliases", node), _get(data, "baseline", node))
            )
    for tail, head, data in network.edges(data=True):
        edge = f"{tail} -> {head}"
        if network.nodes[tail]["kind"] == PAPER_KIND:
            paper = network.nodes[tail]["record"].id
            links.append(Link(paper, head, _get(data, "role", edge), _get(data, "confidence", edge), _get(data, "mentions", edge)))
        else:
            statements.append(Statement(tail, _get(data, "kind", edge), head, _get(data, "evidence", edge)))
    return KnowledgeGraph(
        papers=tuple(sorted(papers, key=lambda paper: paper.id)),
        entities=tuple(sorted(entities, key=lambda entity: entity.id)),
        links=tuple(sorted(links, key=lambda link: (link.paper, link.entity))),
        statements=tuple(sorted(statements, key=lambda statement: (statement.head, statement.type, statement.tail))),
        results=network.graph.get("results", ()),
    )


def _add_papers(network: Network, graph: KnowledgeGraph) -> None:
    labels = paper_labels(graph)
    for paper in graph.papers:
        network.add_node(
            paper_node(paper.id),
            kind=PAPER_KIND,
            label=labels[paper.id],
            papers=1,
            title=paper.title,
            venue=paper.venue,
            year=paper.year,
            record=paper,
        )


def _add_entities(network: Network, graph: KnowledgeGraph) -> None:
    papers = Counter(link.entity for link in graph.links)
    proposals = Counter(link.entity for link in graph.links if link.role == "proposed")
    for entity in graph.entities:
        network.add_node(
            entity.id,
            kind=entity.type,
            label=entity.label,
            papers=papers[entity.id],
            aliases=entity.alt_labels,
            baseline=entity.baseline,
            proposed_by=proposals[entity.id],
        )


def _add_link(network: Network, link: Link) -> None:
    paper = paper_node(link.paper)
    _require(network, paper, link.entity)
    type_ = network.nodes[link.entity]["kind"]
    property_ = ROLE_PROPERTIES.get((type_, link.role))
    if property_ is None:
        raise GraphDataError(link.entity, f"a {type_} cannot have the role {link.role!r}")
    network.add_edge(
        paper, link.entity, key=link.role, kind=local_name(property_), role=link.role, confidence=link.confidence, mentions=link.mentions
    )


def _add_statement(network: Network, statement: Statement) -> None:
    _require(network, statement.head, statement.tail)
    network.add_edge(
        statement.head,
        statement.tail,
        key=statement.type,
        kind=statement.type,
        confidence=statement.confidence,
        evidence=statement.evidence,
    )


def _require(network: Network, *nodes: str) -> None:
    for node in nodes:
        if node not in network:
            raise GraphDataError(node, "a link or statement of the map names it, but the map lacks it")


def _get(data: dict[str, Any], attribute: str, subject: str) -> Any:
    try:
        return data[attribute]
    except KeyError:
        raise GraphDataError(subject, f"it lacks the attribute {attribute!r} that to_network gives") from None
