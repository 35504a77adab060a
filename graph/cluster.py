"""Which entities of different papers are one: the rules of resolution, one entity type at a time.

Every form of an entity has a key (:func:`methodmap.graph.normalise.normalise`). A key is *short* if its forms look coined or abbreviated
("LoRA", "LLMs", "NEO"), else *full*. Entities with the same full key are one. A short key stands for one thing only as far as the corpus
says so:

- it has no full form anywhere: it is a name of its own;
- one full form holds at least ``DOMINANT`` of the papers that pair it with any: it stands for that one, also where it stands alone;
- else it is ambiguous: papers that explain it go with their full form, the rest share an entity of their own. Nothing is joined through it.

Papers that propose a coined name keep their own entities unless they share its full form, because two papers hardly propose the same
thing; papers that only use such a name then name neither for sure and share one more entity. But where more papers use the name than
propose it, it is known to its field and the roles are in doubt rather than the name: all stay one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

from methodmap.graph.ledger import Reason
from methodmap.graph.model import Entity
from methodmap.graph.normalise import is_name, normalise
from methodmap.graph.spelling import CLASS_NOUNS

__all__ = ["Cluster", "Joint", "Unit", "cluster", "is_coined"]

DOMINANT: Final = 0.8
"""Share of the papers that explain a short form which must agree: one stray grouping in five is common, two are a homonym."""
SHORTEST_SURE: Final = 3
"""Letters. Shorter forms ("AD", "CL") are explained in so many ways that one paper's explanation does not hold for others."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One paper's entity with the keys of its forms, full keys first, each sorted but for the name's own key, which leads."""

    paper: str
    entity: Entity
    full: tuple[str, ...]
    short: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Joint:
    """A reason that holds a cluster together: the keys it is about, the papers that use one of them, and those that vouch for it."""

    reason: Reason
    keys: tuple[str, ...]
    papers: tuple[str, ...]
    support: int


@dataclass(frozen=True, slots=True)
class Cluster:
    """Units that are one entity. ``anchor`` tells apart clusters of the same name and does not depend on the order of the input."""

    anchor: str
    units: tuple[Unit, ...]
    joints: tuple[Joint, ...]


def is_coined(form: str) -> bool:
    """Whether a form is a coined or abbreviated name, single capitalised words included.

    >>> [is_coined(f) for f in ("LoRA", "Mamba", "LLMs", "Low-Rank Adaptation", "dropout")]
    [True, True, True, False, False]
    """
    return is_name(form) or (form[:1].isupper() and "-" not in form and len(form.split()) == 1)


def key_of(form: str, kind: str) -> str:
    """The key of a form for one type of entity, without a noun that says no more than the type.

    >>> key_of("GSM8K benchmark", "Dataset"), key_of("image dataset", "Dataset")
    ('gsm8k', 'image dataset')
    """
    head, _, last = form.rstrip().rpartition(" ")
    return normalise(head if head and last.casefold() in CLASS_NOUNS.get(kind, ()) and is_name(head) else form)


_Pairs: TypeAlias = dict[tuple[str, str], set[str]]


class _Forest:
    """Disjoint sets of keys; the root is the smallest key, so that it depends on the sets alone."""

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}

    def root(self, key: str) -> str:
        while (parent := self.parent.get(key, key)) != key:
            key = parent
        return key

    def join(self, a: str, b: str) -> None:
        low, high = sorted((self.root(a), self.root(b)))
        if low != high:
            self.parent[high] = low


def cluster(named: Iterable[tuple[str, Entity]]) -> tuple[Cluster, ...]:
    """Group ``(paper id, entity)`` of one type, in any order; clusters are sorted by anchor, their units by paper."""
    units = _units(sorted(named, key=lambda pair: (pair[0], pair[1].name, pair[1].role, [m.evidence.start for m in pair[1].mentions])))
    papers: dict[str, set[str]] = defaultdict(set)
    pairs: _Pairs = defaultdict(set)
    for unit in units:
        keys = [*unit.full, *unit.short]
        for key in keys:
            papers[key].add(unit.paper)
        for pair in combinations(sorted(keys), 2):
            pairs[pair].add(unit.paper)
    short = {key for unit in units for key in unit.short}
    forest = _Forest()
    for (a, b), both in sorted(pairs.items()):
        if (a in short) == (b in short) and 2 * len(both) > min(len(papers[a]), len(papers[b])):
            forest.join(a, b)
    meaning = _meanings(short, pairs, papers, forest)
    groups: dict[str, list[Unit]] = defaultdict(list)
    own = {(u.paper, s): forest.root(_lead(u, papers)) for u in units if u.full for s in u.short}
    for unit in units:
        groups[_place(unit, papers, forest, meaning, own)].append(unit)
    out = [part for anchor, members in groups.items() for part in _apart(anchor, members)]
    return tuple(
        sorted((Cluster(anchor, tuple(members), tuple(_joints(members, short))) for anchor, members in out), key=lambda c: c.anchor)
    )


def _units(named: Sequence[tuple[str, Entity]]) -> list[Unit]:
    votes: Counter[str] = Counter()
    keyed: list[tuple[str, Entity, str, set[str]]] = []
    for paper, entity in named:
        forms = {entity.name, *(m.text for m in entity.mentions)}
        keys: set[str] = set()
        for form in forms:
            key = key_of(form, entity.type)
            keys.add(key)
            votes[key] += 1 if is_coined(form) else -1
        keyed.append((paper, entity, key_of(entity.name, entity.type), keys))
    return [
        Unit(
            paper,
            entity,
            tuple(sorted((k for k in keys if votes[k] < 0), key=lambda k: (k != name, k))),
            tuple(sorted((k for k in keys if votes[k] >= 0), key=lambda k: (k != name, k))),
        )
        for paper, entity, name, keys in keyed
    ]


def _meanings(short: set[str], pairs: _Pairs, papers: dict[str, set[str]], forest: _Forest) -> dict[str, str | None]:
    """What each short key stands for, by its root: the root of a full key, itself if it has no full form, None if it is ambiguous."""
    explained: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for (a, b), both in pairs.items():
        if (a in short) != (b in short):
            abbreviation, full = (a, b) if a in short else (b, a)
            explained[forest.root(abbreviation)][forest.root(full)] |= both
    meaning: dict[str, str | None] = {}
    for root in sorted({forest.root(key) for key in short}):
        if root not in explained:
            meaning[root] = root
            continue
        best, stated = min(explained[root].items(), key=lambda item: (-len(item[1]), item[0]))
        total = len(set().union(*explained[root].values()))
        sure = len(stated) >= DOMINANT * total and (len(root) >= SHORTEST_SURE or len(stated) > 1)
        meaning[root] = best if sure else None
    return meaning


def _lead(unit: Unit, papers: dict[str, set[str]]) -> str:
    """The full key that a unit goes by: that of its name, else the one that most papers use."""
    name = key_of(unit.entity.name, unit.entity.type)
    return name if name in unit.full else min(unit.full, key=lambda k: (-len(papers[k]), k))


def _place(
    unit: Unit, papers: dict[str, set[str]], forest: _Forest, meaning: dict[str, str | None], own: dict[tuple[str, str], str]
) -> str:
    if unit.full:
        return forest.root(_lead(unit, papers))
    for key in unit.short:
        if (unit.paper, key) in own:  # a paper's own explanation comes before the corpus's
            return own[unit.paper, key]
    root = forest.root(unit.short[0])
    return meaning[root] or root


def _apart(anchor: str, members: list[Unit]) -> Iterator[tuple[str, list[Unit]]]:
    """Split what several papers propose under one coined name, unless more papers use it than propose it."""
    proposals = [u for u in members if u.entity.role == "proposed" and is_coined(u.entity.name)]
    proposers = {u.paper for u in proposals}
    users = {u.paper for u in members} - proposers
    claims = {_claim(u) for u in proposals}
    if len(proposers) < 2 or len(claims) < 2 or len(users) > len(proposers):
        yield anchor, members
        return
    by_paper = {u.paper: _claim(u) for u in proposals}
    parts: dict[str, list[Unit]] = defaultdict(list)
    for unit in members:
        claim = by_paper.get(unit.paper) or _claim(unit)
        parts[f"{anchor}\t{claim}" if claim in claims else anchor].append(unit)
    yield from parts.items()


def _claim(unit: Unit) -> str:
    return f"full {unit.full[0]}" if unit.full else f"paper {unit.paper}"


def _joints(members: Sequence[Unit], short: set[str]) -> Iterator[Joint]:
    users: dict[str, set[str]] = defaultdict(set)
    both: _Pairs = defaultdict(set)
    for unit in members:
        keys = sorted([*unit.full, *unit.short])
        for key in keys:
            users[key].add(unit.paper)
        for pair in combinations(keys, 2):
            both[pair].add(unit.paper)
    for key, papers in sorted(users.items()):
        if len(papers) > 1:
            yield Joint("same normalised form", (key,), tuple(sorted(papers)), len(papers))
    for (a, b), stating in sorted(both.items()):
        papers = users[a] | users[b]
        if users[a] - users[b] or users[b] - users[a]:
            reason: Reason = "named together" if (a in short) == (b in short) else "abbreviation pair"
            yield Joint(reason, (a, b), tuple(sorted(papers)), len(stating))
