"""Which entities of different papers are one: the rules of resolution, one entity type at a time.

Every form of an entity has a key (:func:`methodmap.graph.normalise.normalise`). A key is *short* if its forms look coined or abbreviated
("LoRA", "LLMs", "NEO"), else *full*. Entities that go by the same full key are one, and so are those whose full keys expand the same short
key in nearly the same words ("rotary position embedding", "rotary positional embedding" for RoPE). Two full forms of an entity of one
paper ("accuracy", "classification accuracy") say nothing about other papers. A short key stands for one thing only as far as the corpus
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
from itertools import combinations, product
from math import ceil
from typing import Final, TypeAlias

from methodmap.graph.ledger import Reason
from methodmap.graph.model import Entity
from methodmap.graph.normalise import is_name, normalise
from methodmap.graph.spelling import CLASS_NOUNS, LINK_WORDS

__all__ = ["Cluster", "Joint", "Unit", "cluster", "is_coined", "key_of"]

DOMINANT: Final = 0.8
"""Share of the papers that explain a short form which must agree: one stray grouping in five is common, two are a homonym."""
SHORTEST_SURE: Final = 3
"""Letters and digits. Shorter forms ("AD", "CL") are explained in so many ways that one paper's explanation does not hold for others."""
SAME_WORD: Final = 0.6
"""Share of the longer word that two forms of one word begin with: "position(al)" is above it, "multi(modal|lingual)" below."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One paper's entity with the keys of its forms, sorted, but for the name's own key, which leads. It goes by its first full key."""

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


_Explained: TypeAlias = dict[str, dict[str, set[str]]]
"""The full keys of each short key, with the papers that use both for one entity."""


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
    short = {key for unit in units for key in unit.short}
    explained: _Explained = defaultdict(lambda: defaultdict(set))
    for unit in units:
        for key in unit.short:
            for full in unit.full:
                explained[key][full].add(unit.paper)
    forest = _Forest()
    for fulls in explained.values():
        for a, b in combinations(sorted(fulls), 2):
            if _alike(a, b):
                forest.join(a, b)
    meaning = _meanings(short, explained, forest)
    groups: dict[str, list[Unit]] = defaultdict(list)
    own = {(u.paper, s): forest.root(u.full[0]) for u in units if u.full for s in u.short}
    for unit in units:
        groups[_place(unit, forest, meaning, own)].append(unit)
    out = [part for anchor, members in groups.items() for part in _apart(anchor, members)]
    return tuple(sorted((Cluster(anchor, tuple(members), tuple(_joints(members))) for anchor, members in out), key=lambda c: c.anchor))


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


def _alike(a: str, b: str) -> bool:
    """Whether two full keys have the same words, link words and endings apart."""
    left, right = ([word for word in key.split() if word not in LINK_WORDS] for key in (a, b))
    return len(left) == len(right) and all(
        x == y or x[: (n := max(4, ceil(SAME_WORD * max(len(x), len(y)))))] == y[:n] for x, y in zip(left, right, strict=True)
    )


def _meanings(short: set[str], explained: _Explained, forest: _Forest) -> dict[str, str | None]:
    """What each short key stands for: the root of a full key, itself if it has no full form, None if it is ambiguous."""
    meaning: dict[str, str | None] = {}
    for key in short:
        stating: dict[str, set[str]] = defaultdict(set)
        for full, papers in explained.get(key, {}).items():
            stating[forest.root(full)] |= papers
        if not stating:
            meaning[key] = key
            continue
        best, stated = min(stating.items(), key=lambda item: (-len(item[1]), item[0]))
        sure = len(stated) >= DOMINANT * len(set().union(*stating.values())) and (len(key) >= SHORTEST_SURE or len(stated) > 1)
        meaning[key] = best if sure else None
    return meaning


def _place(unit: Unit, forest: _Forest, meaning: dict[str, str | None], own: dict[tuple[str, str], str]) -> str:
    if unit.full:
        return forest.root(unit.full[0])
    for key in unit.short:
        if (unit.paper, key) in own:  # a paper's own explanation comes before the corpus's
            return own[unit.paper, key]
    return meaning[unit.short[0]] or unit.short[0]


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


def _joints(members: Sequence[Unit]) -> Iterator[Joint]:
    users: dict[str, set[str]] = defaultdict(set)
    both: dict[tuple[str, str], set[str]] = defaultdict(set)
    for unit in members:
        for key in (*unit.full, *unit.short):
            users[key].add(unit.paper)
        for pair in product(unit.short, unit.full):
            both[pair].add(unit.paper)
    for key, papers in sorted(users.items()):
        if len(papers) > 1:
            yield Joint("same normalised form", (key,), tuple(sorted(papers)), len(papers))
    for (short, full), stating in sorted(both.items()):
        if users[short] != users[full]:
            yield Joint("abbreviation pair", (short, full), tuple(sorted(users[short] | users[full])), len(stating))
