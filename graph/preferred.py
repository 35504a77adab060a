"""The label of a canonical entity: a coined name for what was coined, the full form for a general term, as most papers write it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from methodmap.graph.cluster import Unit, key_of
from methodmap.graph.model import Mention
from methodmap.graph.normalise import is_name

__all__ = ["labels"]

SHARE: Final = 5
"""What one paper proposes names an entity only if at least one in so many of its papers call it so: an extractor's error names nothing."""

_DASHES: Final = re.compile("[\u2010-\u2015\u2212]")


def labels(units: Sequence[Unit]) -> tuple[str, tuple[str, ...]]:
    """The label of the entity that the units are, and its other surface forms, sorted.

    A general term goes by a full form, even where its abbreviation is more used; a coined name by itself. The case that stands inside
    sentences goes before that of a sentence's first word. Ties go to the form that sorts first.
    """
    kind = units[0].entity.type
    surfaces = _surfaces(units)
    keys: dict[str, set[str]] = defaultdict(set)
    for surface, papers in surfaces.items():
        keys[key_of(surface, kind)] |= papers
    full = {key for unit in units for key in unit.full}
    leading = {unit.full[0] for unit in units if unit.full}  # other full forms may name entities of their own elsewhere
    short = [key for key in keys if key not in full]
    candidates = short if short and (not full or _coined(units, surfaces, keys, full)) else [key for key in keys if key in leading]
    proposed = {key for key in _proposed(units) if SHARE * len(keys[key]) >= len({unit.paper for unit in units})}
    best = min(candidates, key=lambda key: (key not in proposed, -len(keys[key]), key))
    label = _most_used({s: papers for s, papers in surfaces.items() if key_of(s, kind) == best})
    forms = {form for unit in units for form in (unit.entity.name, *(m.text for m in unit.entity.mentions))}
    return label, tuple(sorted(forms - {label}))


def _most_used(surfaces: dict[str, set[str]]) -> str:
    """The surface form of most papers, dashes and spaces of all kinds counted together."""
    typed: dict[str, set[str]] = defaultdict(set)
    for surface, papers in surfaces.items():
        typed[_typography(surface)] |= papers
    return min(surfaces, key=lambda s: (-len(typed[_typography(s)]), _typography(s), -len(surfaces[s]), s))


def _typography(surface: str) -> str:
    return " ".join(_DASHES.sub("-", surface).split())


def _surfaces(units: Sequence[Unit]) -> dict[str, set[str]]:
    """The papers that use each surface form; a form that only a sentence's beginning capitalises counts as the one inside sentences."""
    inside: dict[str, set[str]] = defaultdict(set)
    first: dict[str, set[str]] = defaultdict(set)
    for unit in units:
        for mention in unit.entity.mentions:
            (first if _capitalised_by_place(mention) else inside)[mention.text].add(unit.paper)
        if all(mention.text != unit.entity.name for mention in unit.entity.mentions):
            inside[unit.entity.name].add(unit.paper)
    out: dict[str, set[str]] = defaultdict(set)
    for surface, papers in inside.items():
        out[surface] |= papers
    for surface, papers in first.items():
        lowered = surface[:1].lower() + surface[1:]
        out[lowered if lowered in inside else surface] |= papers
    return out


def _capitalised_by_place(mention: Mention) -> bool:
    text, evidence = mention.text, mention.evidence
    # Markup may stand between a sentence's beginning and its first word, a word may not.
    ahead = evidence.sentence[: max(0, evidence.start - evidence.sentence_start)]
    return text[:1].isupper() and text[1:2].islower() and " " not in ahead.strip()


def _coined(units: Sequence[Unit], surfaces: dict[str, set[str]], keys: dict[str, set[str]], full: set[str]) -> bool:
    """Whether an entity that has a full form goes by its short one all the same: "LoRA" and "GRPO" do, "LLMs" do not."""
    kind = units[0].entity.type
    if kind not in ("Method", "Dataset"):
        return False
    shorts = {s: papers for s, papers in surfaces.items() if key_of(s, kind) not in full}
    papers_in_all = len({unit.paper for unit in units})
    proposed = _proposed(units) & {key_of(s, kind) for s in shorts}
    if any(SHARE * len(keys[key]) >= papers_in_all for key in proposed):
        return True
    if any(len(s) > 2 and s.endswith("s") and s[-2].isupper() for s in shorts):
        return False  # what has a plural is a class of things
    longs = {s: papers for s, papers in surfaces.items() if key_of(s, kind) in full}
    capitalised = sum(len(papers) for s, papers in longs.items() if _title_case(s))
    mixed = any(is_name(s) and not s.isupper() for s in shorts)
    return 2 * capitalised > sum(map(len, longs.values())) or (
        mixed and max(len(keys[key_of(s, kind)]) for s in shorts) >= max(len(keys[key_of(s, kind)]) for s in longs)
    )


def _proposed(units: Sequence[Unit]) -> set[str]:
    return {key_of(u.entity.name, u.entity.type) for u in units if u.entity.role == "proposed"}


def _title_case(form: str) -> bool:
    words = [word for word in form.replace("-", " ").split() if len(word) > 3]
    return sum(word[0].isupper() for word in words) > len(words) / 2
