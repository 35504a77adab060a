"""The frozen records that carry what is known, and the words that prove it, through every stage.

All offsets are in code points. Those of :class:`Evidence` point into ``Paper.abstract``, which is the text exactly as its source gives it
(LaTeX, markdown and line ends included); ``Source`` leads from there into the file.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal, TypeAlias

__all__ = [
    "ENTITY_TYPES",
    "RELATION_TYPES",
    "ROLES",
    "ROLE_ORDER",
    "CanonicalEntity",
    "Direction",
    "Entity",
    "EntityType",
    "Evidence",
    "Extraction",
    "KnowledgeGraph",
    "Link",
    "Mention",
    "Paper",
    "Relation",
    "RelationType",
    "Result",
    "Role",
    "Source",
    "Statement",
    "text_hash",
]

EntityType: TypeAlias = Literal["Method", "Dataset", "Task", "Metric", "Concept"]
Role: TypeAlias = Literal["proposed", "baseline", "evaluated_on", "addressed", "reported", "used", "mentioned", "discussed"]
RelationType: TypeAlias = Literal[
    "appliedTo",
    "comparedWith",
    "evaluatedOn",
    "extends",
    "measuredBy",
    "outperforms",
    "partOf",
    "subClassOf",
    "supportsTask",
    "trainedOn",
    "uses",
]
Direction: TypeAlias = Literal["higher", "lower"]

ENTITY_TYPES: Final[tuple[EntityType, ...]] = ("Method", "Dataset", "Task", "Metric", "Concept")
ROLES: Final[dict[EntityType, tuple[Role, ...]]] = {
    "Method": ("proposed", "baseline", "used"),
    "Dataset": ("proposed", "evaluated_on", "used"),
    "Task": ("addressed", "mentioned"),
    "Metric": ("reported", "mentioned"),
    "Concept": ("discussed",),
}
ROLE_ORDER: Final[tuple[Role, ...]] = (
    "proposed",
    "baseline",
    "evaluated_on",
    "addressed",
    "reported",
    "used",
    "mentioned",
    "discussed",
)
"""Where several roles fit one entity of one paper, the first of these is its role."""
RELATION_TYPES: Final[tuple[RelationType, ...]] = (
    "evaluatedOn",
    "appliedTo",
    "outperforms",
    "comparedWith",
    "extends",
    "uses",
    "trainedOn",
    "measuredBy",
    "supportsTask",
    "subClassOf",
    "partOf",
)


def text_hash(text: str) -> str:
    """The hash that evidence carries of the text its offsets point into: SHA-256, 64 hexadecimal digits.

    >>> text_hash("LoRA")[:12]
    'c0f5e2c9f730'
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record stands: the file as the user named it, its first line (from 1) and the code point of its first character.

    ``offset`` is that of the abstract where the file holds it verbatim (text lists), and that of the record's first character where the
    format escapes it (JSON). The byte order mark counts as a character, as every line end does.
    """

    path: str
    line: int
    offset: int


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper as its source gives it. ``id`` is the given identifier, or ``sha256(normalised abstract)[:12]``."""

    id: str
    abstract: str
    source: Source
    title: str | None = None
    venue: str | None = None
    year: int | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words that say something: ``quote == abstract[start:end]``, inside ``sentence == abstract[sentence_start:sentence_end]``."""

    paper: str
    text_hash: str
    start: int
    end: int
    quote: str
    sentence_start: int
    sentence_end: int
    sentence: str
    confidence: float
    extractor: str
    hedged: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """One occurrence of an entity's name. ``text`` is the plain form: the quote without LaTeX and markdown, on one line."""

    text: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Entity:
    """What one paper names, with its one type and one role in that paper; mentions in the order of the text."""

    name: str
    type: EntityType
    role: Role
    mentions: tuple[Mention, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation that one paper states between two of its entities, given by their names."""

    head: str
    type: RelationType
    tail: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Result:
    """A figure that one paper states. Entities are given by name in an Extraction and by id in a KnowledgeGraph."""

    method: str | None
    dataset: str | None
    metric: str | None
    value: Decimal
    unit: str | None
    reference: Decimal | None
    comparator: str | None
    direction: Direction | None
    relative: bool
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that was read from one paper. ``extractor`` is its name and version, as in every piece of evidence."""

    paper: str
    text_hash: str
    extractor: str
    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    results: tuple[Result, ...] = ()


@dataclass(frozen=True, slots=True)
class CanonicalEntity:
    """One node of the map: ``id`` is ``<kind>/<slug>``, unique over all types ("method/lora").

    ``alt_labels`` are sorted, distinct, and never hold ``label``. ``baseline`` is derived: some paper links to it with that role.
    """

    id: str
    type: EntityType
    label: str
    alt_labels: tuple[str, ...] = ()
    baseline: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A paper names a canonical entity in a role. One link a pair; mentions in the order of the text."""

    paper: str
    entity: str
    role: Role
    confidence: float
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A relation between two canonical entities, with the evidence of every paper that states it, sorted by paper and offset."""

    head: str
    type: RelationType
    tail: str
    evidence: tuple[Evidence, ...]

    @property
    def confidence(self) -> float:
        """That of the surest evidence; 0 without any."""
        return max((piece.confidence for piece in self.evidence), default=0.0)


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """The whole map in memory. Every tuple is sorted by its records' identifying fields, so that equal maps are equal objects.

    Papers by id; entities by id; links by (paper, entity); statements by (head, type, tail); results by (paper, start, value).
    """

    papers: tuple[Paper, ...] = ()
    entities: tuple[CanonicalEntity, ...] = ()
    links: tuple[Link, ...] = ()
    statements: tuple[Statement, ...] = ()
    results: tuple[Result, ...] = ()
