"""One paper's mentions -> its entities, each with one type, one role and all its surface forms.

Type and role belong to the entity, not to the mention: the logits of all its mentions are averaged, weighted by their probability, before
either is decided.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from methodmap.graph.extract.abbreviations import Abbreviation, find
from methodmap.graph.extract.decode import Span
from methodmap.graph.model import ENTITY_TYPES, ROLE_ORDER, ROLES, EntityType, Role
from methodmap.graph.normalise import is_name, normalise

__all__ = ["Calibration", "PlainEntity", "group"]


@dataclass(frozen=True, slots=True)
class Calibration:
    """How raw scores of entities of one type become confidences, and which are kept.

    The confidence is ``sigmoid(slope * logit + offset)`` (Platt 1999); entities with a confidence below ``threshold`` are dropped.
    """

    slope: float = 1.0
    offset: float = 0.0
    threshold: float = 0.5


@dataclass(frozen=True, slots=True)
class PlainEntity:
    """An entity with its mentions as ``(start, end, probability)`` in the plain text, in the order of the text."""

    name: str
    type: EntityType
    role: Role
    confidence: float
    mentions: tuple[tuple[int, int, float], ...]


_ROLE_MASK: Final = np.array([[0.0 if role in ROLES[kind] else -1e9 for role in ROLE_ORDER] for kind in ENTITY_TYPES])


@cache
def _generic() -> frozenset[str]:
    text = (files("methodmap.graph.extract") / "lexicon" / "generic.txt").read_text(encoding="utf-8")
    return frozenset(normalise(line) for line in text.splitlines() if line and not line.startswith("#"))


def group(text: str, spans: Sequence[Span], calibration: Mapping[EntityType, Calibration]) -> list[PlainEntity]:
    """Group the mentions of one plain text into entities, decide type and role, and drop what is unlikely or generic.

    Two mentions are one entity when their normalised forms are equal or when the text introduces one as the abbreviation of the other.
    Entities come in the order of their first mention.
    """
    abbreviations = find(text)
    clusters: dict[str, str] = {}

    def root(key: str) -> str:
        while clusters.setdefault(key, key) != key:
            key = clusters[key]
        return key

    mentions = [*spans, *_introduced(spans, abbreviations)]
    keys = [normalise(text[s.start : s.end]) for s in mentions]
    at_end: dict[int, tuple[Span, str]] = {s.end: (s, key) for s, key in zip(mentions, keys, strict=True)}
    for pair in abbreviations:
        short, long = at_end.get(pair.short_end), at_end.get(pair.long_end)
        if short is not None and long is not None and _is_long_form(text, long[0], pair):
            clusters[root(short[1])] = root(long[1])
    members: dict[str, list[Span]] = defaultdict(list)
    for span, key in zip(mentions, keys, strict=True):
        if key and key not in _generic():
            members[root(key)].append(span)
    entities = [entity for found in members.values() if (entity := _decide(text, found, calibration))]
    return sorted(entities, key=lambda e: e.mentions[0])


def _introduced(spans: Sequence[Span], abbreviations: Sequence[Abbreviation]) -> list[Span]:
    # Where the tagger found only one side of "Long Form (LF)", the other side is a mention as sure as the first.
    out: list[Span] = []
    by_end = {s.end: s for s in spans}
    for pair in abbreviations:
        short, long = by_end.get(pair.short_end), by_end.get(pair.long_end)
        if (short is None) == (long is None):
            continue
        known = short or long
        start, end = (pair.long_start, pair.long_end) if long is None else (pair.short_start, pair.short_end)
        if known and not any(s.start < end and start < s.end for s in spans):
            out.append(Span(start, end, known.probability, known.type, known.role))
    return out


def _is_long_form(text: str, mention: Span, pair: Abbreviation) -> bool:
    # Mentions may begin a word earlier or later than the letters say, but the last words alone ("reinforcement learning" at the end of
    # QeRL's long form) are something else.
    return mention.start <= pair.long_start or text[mention.start].casefold() == text[pair.short_start].casefold()


def _decide(text: str, spans: list[Span], calibration: Mapping[EntityType, Calibration]) -> PlainEntity | None:
    weights = np.array([s.probability for s in spans])
    weights /= weights.sum()
    types = weights @ np.array([s.type for s in spans])
    kind_index = int(types.argmax())
    kind = ENTITY_TYPES[kind_index]
    roles = weights @ np.array([s.role for s in spans]) + _ROLE_MASK[kind_index]
    shares = np.exp(types - types.max())
    raw = max(s.probability for s in spans) * float(shares[kind_index] / shares.sum())
    rule = calibration[kind]
    confidence = _calibrated(raw, rule)
    if confidence < rule.threshold:
        return None
    ordered = sorted(spans, key=lambda s: s.start)
    return PlainEntity(
        name=_name(text, ordered),
        type=kind,
        role=ROLE_ORDER[int(roles.argmax())],
        confidence=confidence,
        mentions=tuple((s.start, s.end, min(confidence, _calibrated(s.probability, rule))) for s in ordered),
    )


def _calibrated(probability: float, rule: Calibration) -> float:
    p = min(max(probability, 1e-6), 1 - 1e-6)
    return round(1 / (1 + math.exp(-(rule.slope * math.log(p / (1 - p)) + rule.offset))), 4)


def _name(text: str, spans: Sequence[Span]) -> str:
    """Choose the form that names the entity: a coined name stays itself, a general term takes its full form (guide, rule 3)."""
    forms = [re.sub(r"\s+", " ", text[s.start : s.end]) for s in spans]
    longest = max(forms, key=lambda f: (len(f), -forms.index(f)))
    coined = [f for f in forms if is_name(f) and not f.removesuffix("s").isupper()]
    if coined and not is_name(longest):
        return max(coined, key=lambda f: (forms.count(f), -forms.index(f)))
    return longest
