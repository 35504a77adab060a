"""Records as JSON text and back, exactly: what is read equals what was written, decimals and floats included."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from methodmap.graph.model import Entity, Evidence, Extraction, Paper

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["dump_extraction", "dump_paper", "load_extraction", "load_paper", "rebind"]


def dump_paper(paper: Paper) -> str:
    """Write a paper as one line of JSON, keys in the order of its fields.

    >>> from methodmap.graph.model import Source
    >>> dump_paper(Paper("p1", "We present NEO.", Source("a.txt", 1, 0)))[:44]
    '{"id":"p1","abstract":"We present NEO.","sou'
    """
    return _papers().dump_json(paper).decode("utf-8")


def load_paper(text: str) -> Paper:
    """Read back what :func:`dump_paper` wrote. Raises ``ValueError`` (pydantic's) for anything else."""
    return _papers().validate_json(text)


def dump_extraction(extraction: Extraction) -> str:
    """Write an extraction as one line of JSON, keys in the order of its fields; decimals are strings."""
    return _extractions().dump_json(extraction).decode("utf-8")


def load_extraction(text: str) -> Extraction:
    """Read back what :func:`dump_extraction` wrote. Raises ``ValueError`` (pydantic's) for anything else."""
    return _extractions().validate_json(text)


def rebind(extraction: Extraction, paper: str) -> Extraction:
    """Let another paper with the same abstract have this extraction: every piece of evidence names the new paper."""
    if extraction.paper == paper:
        return extraction

    def moved(evidence: Evidence) -> Evidence:
        return replace(evidence, paper=paper)

    def entity(old: Entity) -> Entity:
        return replace(old, mentions=tuple(replace(mention, evidence=moved(mention.evidence)) for mention in old.mentions))

    return replace(
        extraction,
        paper=paper,
        entities=tuple(map(entity, extraction.entities)),
        relations=tuple(replace(relation, evidence=moved(relation.evidence)) for relation in extraction.relations),
        results=tuple(replace(result, evidence=moved(result.evidence)) for result in extraction.results),
    )


# Importing pydantic and building an adapter takes longer than most queries, which need neither; a build needs them for every record.


@cache
def _papers() -> TypeAdapter[Paper]:
    from pydantic import TypeAdapter

    return TypeAdapter(Paper)


@cache
def _extractions() -> TypeAdapter[Extraction]:
    from pydantic import TypeAdapter

    return TypeAdapter(Extraction)
