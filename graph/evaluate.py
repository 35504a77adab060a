"""Measure extracted entities and relations against annotated abstracts, paper by paper.

Papers are dictionaries in the form of the annotation guide: ``{"id", "entities": [{"name", "type", "role", "mentions"}],
"relations": [{"head", "type", "tail"}]}``.

An entity is right when the same paper has a gold entity of the same type that shares a surface form with it, forms being compared without
case, markup, punctuation, a plural s and generic tails. Each entity matches at most one other. A role counts as right only on a matched
entity; a relation when its type is right and both its ends are matched to the gold ends.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from methodmap.graph.errors import SourceError

__all__ = ["Score", "comparable", "evaluate", "format_scores", "read_annotated", "surface_forms"]

Annotated: TypeAlias = Mapping[str, Any]

_MARKUP: Final = re.compile(r"\\(?:text\w+|emph|math\w+)\b")
_SIGNS: Final = re.compile(r"[$*{}~\\`^]")
_OTHER: Final = re.compile(r"[^0-9a-z+#@]+")
_TAILS: Final = frozenset(
    ("method", "approach", "framework", "strategy", "strategie", "scheme", "algorithm", "technique", "procedure", "mechanism", "paradigm")
)


@dataclass(slots=True)
class Score:
    """Counts of one row of the table."""

    matched: int = 0
    gold: int = 0
    predicted: int = 0

    @property
    def precision(self) -> float:
        """The share of what was predicted that is right; 0 if nothing was."""
        return self.matched / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of what there is that was found; 0 if there is nothing."""
        return self.matched / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.matched / (self.gold + self.predicted) if self.matched else 0.0


def comparable(form: str) -> str:
    r"""Reduce a surface form to what is compared.

    >>> comparable(r"\\textbf{Low-Rank} Adaptation methods"), comparable("LoRA"), comparable("mAP@0.5")
    ('low rank adaptation', 'lora', 'map@0 5')
    """
    plain = _SIGNS.sub("", _MARKUP.sub(" ", form))
    plain = _OTHER.sub(" ", (plain if "_" in form else plain.replace("_", "")).casefold())
    words = [w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in plain.split()]
    while len(words) > 1 and words[-1] in _TAILS:
        words.pop()
    return " ".join(words)


def evaluate(gold: Mapping[str, Annotated], predicted: Mapping[str, Annotated]) -> dict[str, Score]:
    """Count matches over all papers of either side; a paper that only one side has counts as errors of the other.

    The rows are ``all``, each type, each ``Type/role``, ``relations`` and each ``relation TYPE``, sorted.
    """
    rows: dict[str, Score] = defaultdict(Score)
    for paper in gold.keys() | predicted.keys():
        _count_paper(rows, gold.get(paper, {}), predicted.get(paper, {}))
    return dict(sorted(rows.items()))


def _count_paper(rows: dict[str, Score], gold: Annotated, predicted: Annotated) -> None:
    ours, theirs = predicted.get("entities", []), gold.get("entities", [])
    pairs = _match(theirs, ours)
    for entity in theirs:
        for key in ("all", entity["type"], f"{entity['type']}/{entity['role']}"):
            rows[key].gold += 1
    for entity in ours:
        for key in ("all", entity["type"], f"{entity['type']}/{entity['role']}"):
            rows[key].predicted += 1
    for i, j in pairs:
        kind, role = theirs[i]["type"], theirs[i]["role"]
        rows["all"].matched += 1
        rows[kind].matched += 1
        if role == ours[j]["role"]:
            rows[f"{kind}/{role}"].matched += 1
    gold_name = {ours[j]["name"]: theirs[i]["name"] for i, j in pairs}
    stated = {(r["head"], r["type"], r["tail"]) for r in gold.get("relations", [])}
    found = {(gold_name.get(r["head"]), r["type"], gold_name.get(r["tail"])) for r in predicted.get("relations", [])}
    for relation in stated:
        for key in ("relations", f"relation {relation[1]}"):
            rows[key].gold += 1
            rows[key].matched += relation in found
    for relation in predicted.get("relations", []):
        for key in ("relations", f"relation {relation['type']}"):
            rows[key].predicted += 1


def _match(gold: Sequence[Annotated], predicted: Sequence[Annotated]) -> list[tuple[int, int]]:
    ours = [surface_forms(e) for e in predicted]
    free = set(range(len(predicted)))
    pairs = []
    for i, entity in enumerate(gold):
        forms = surface_forms(entity)
        for j in sorted(free):
            if entity["type"] == predicted[j]["type"] and forms & ours[j]:
                pairs.append((i, j))
                free.discard(j)
                break
    return pairs


def surface_forms(entity: Annotated) -> set[str]:
    """The comparable forms of an entity's name and mentions; two entities that share one match."""
    return {f for f in map(comparable, (entity["name"], *entity["mentions"])) if f}


def read_annotated(path: Path) -> dict[str, Annotated]:
    """Read annotated JSONL by paper id.

    Raises:
        SourceError: the file cannot be read or holds no paper, a line is no paper in the form of the annotation guide, or two have one
            id; the message names the line.
    """
    out: dict[str, Annotated] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(str(path), f"cannot be read as annotated JSONL: {error}") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                paper = json.loads(line)
                id_ = _checked_id(paper)
                if id_ in out:
                    raise ValueError(f"the id {id_!r} is that of a paper above")
            except (ValueError, RecursionError) as error:
                raise SourceError(f"{path}:{number}", f"is not in the form of the annotation guide: {error}") from error
            out[id_] = paper
    if not out:
        raise SourceError(str(path), "holds no annotated paper")
    return out


def _checked_id(paper: object) -> str:
    """The id of a paper in the form of the guide; raises ``ValueError`` for what is none."""
    if not isinstance(paper, dict):
        raise ValueError("a paper must be a JSON object")
    if not isinstance(paper.get("id"), str | int):
        raise ValueError("the paper has no 'id'")
    for field, keys in (("entities", ("name", "type", "role")), ("relations", ("head", "type", "tail"))):
        items = paper.get(field, [])
        if not isinstance(items, list) or not all(isinstance(x, dict) and all(isinstance(x.get(k), str) for k in keys) for x in items):
            raise ValueError(f"{field!r} must be a list of objects with the strings {', '.join(keys)}")
    for entity in paper.get("entities", []):
        mentions = entity.get("mentions")
        if not isinstance(mentions, list) or not all(isinstance(mention, str) for mention in mentions):
            raise ValueError(f"the mentions of {entity['name']!r} must be a list of strings")
    return str(paper["id"])


def format_scores(rows: Mapping[str, Score]) -> str:
    """Lay out the table, one row a line."""
    return "\n".join(
        f"{key:24s} P {s.precision:.3f}  R {s.recall:.3f}  F1 {s.f1:.3f}  gold {s.gold:5d}  predicted {s.predicted:5d}"
        for key, s in rows.items()
    )
