"""Find entities and papers by what a person types: a label, an alias, an id, in any case and number."""

from __future__ import annotations

import difflib

from methodmap.graph.errors import EntityNotFoundError
from methodmap.graph.model import CanonicalEntity, KnowledgeGraph, Paper
from methodmap.graph.normalise import normalise

__all__ = ["lookup"]


def lookup(graph: KnowledgeGraph, name: str) -> tuple[Paper | None, tuple[CanonicalEntity, ...]]:
    """Return the paper of this id, and else the entities of this id or name, by id. ``paper/`` before a paper's id may be left out.

    An exact name wins over one that is equal only after normalisation, so that ``SAM`` finds the entity SAM before "Sam".

    Raises:
        EntityNotFoundError: nothing is called so; the error names what comes near.
    """
    wanted = name.strip()
    papers = {paper.id: paper for paper in graph.papers}
    paper = papers.get(wanted) or papers.get(wanted.removeprefix("paper/"))  # a paper's own id may begin so too
    if paper is not None:
        return paper, ()
    exact = tuple(e for e in graph.entities if wanted in (e.id, e.label, *e.alt_labels))
    if exact:
        return None, exact
    key = normalise(wanted)
    near = tuple(e for e in graph.entities if key and key in map(normalise, (e.label, *e.alt_labels)))
    if near:
        return None, near
    known = {label.casefold(): label for e in graph.entities for label in (*e.alt_labels, e.label)}
    close = difflib.get_close_matches(wanted.casefold(), sorted(known), n=3, cutoff=0.7)
    raise EntityNotFoundError(name, tuple(known[c] for c in close))
