"""Scores count what the annotation guide calls the same, and nothing twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from methodmap.graph.errors import SourceError
from methodmap.graph.evaluate import evaluate, format_scores, read_annotated


def _entity(name: str, kind: str, role: str, *mentions: str) -> dict[str, Any]:
    return {"name": name, "type": kind, "role": role, "mentions": list(mentions or (name,))}


GOLD: dict[str, dict[str, Any]] = {
    "a": {
        "id": "a",
        "entities": [
            _entity("Low-Rank Adaptation", "Method", "used", "Low-Rank Adaptation", "LoRA"),
            _entity("NEO", "Method", "proposed"),
            _entity("ImageNet-C", "Dataset", "evaluated_on"),
        ],
        "relations": [
            {"head": "NEO", "type": "outperforms", "tail": "Low-Rank Adaptation"},
            {"head": "NEO", "type": "evaluatedOn", "tail": "ImageNet-C"},
        ],
    }
}
PREDICTED: dict[str, dict[str, Any]] = {
    "a": {
        "id": "a",
        "entities": [
            _entity(r"\textbf{LoRA} methods", "Method", "baseline"),
            _entity("neo", "Method", "proposed"),
            _entity("ImageNet-C", "Method", "used"),
        ],
        "relations": [{"head": "neo", "type": "outperforms", "tail": r"\textbf{LoRA} methods"}],
    },
    "b": {"id": "b", "entities": [_entity("NEO", "Method", "proposed")]},
}


def test_table() -> None:
    """Forms match without case, markup, plural and tails; a wrong type, a wrong role and a paper too many are errors."""
    assert format_scores(evaluate(GOLD, PREDICTED)) == (
        "Dataset                  P 0.000  R 0.000  F1 0.000  gold     1  predicted     0\n"
        "Dataset/evaluated_on     P 0.000  R 0.000  F1 0.000  gold     1  predicted     0\n"
        "Method                   P 0.500  R 1.000  F1 0.667  gold     2  predicted     4\n"
        "Method/baseline          P 0.000  R 0.000  F1 0.000  gold     0  predicted     1\n"
        "Method/proposed          P 0.500  R 1.000  F1 0.667  gold     1  predicted     2\n"
        "Method/used              P 0.000  R 0.000  F1 0.000  gold     1  predicted     1\n"
        "all                      P 0.500  R 0.667  F1 0.571  gold     3  predicted     4\n"
        "relation evaluatedOn     P 0.000  R 0.000  F1 0.000  gold     1  predicted     0\n"
        "relation outperforms     P 1.000  R 1.000  F1 1.000  gold     1  predicted     1\n"
        "relations                P 1.000  R 0.500  F1 0.667  gold     2  predicted     1"
    )


def test_matched_once() -> None:
    """Two predictions of one gold entity are one hit and one error."""
    twice = {"a": {"entities": [_entity("NEO", "Method", "proposed"), _entity("Neo", "Method", "used")]}}
    score = evaluate({"a": {"entities": [_entity("NEO", "Method", "proposed")]}}, twice)["Method"]
    assert (score.matched, score.gold, score.predicted) == (1, 1, 2)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[]", "a paper must be a JSON object"),
        ("{", "Expecting property name"),
        ("[" * 100_000, "recursion"),
        ('{"entities": []}', "the paper has no 'id'"),
        ('{"id": null}', "the paper has no 'id'"),
        ('{"id": "x", "entities": []}', "the id 'x' is that of a paper above"),
        ('{"id": "a", "entities": "none"}', "'entities' must be a list of objects with the strings name, type, role"),
        ('{"id": "a", "entities": [{"name": 1}]}', "'entities' must be a list"),
        ('{"id": "a", "entities": [{"name": "NEO", "type": "Method", "role": "used"}]}', "the mentions of 'NEO' must be a list of strings"),
        ('{"id": "a", "relations": [{"head": "NEO"}]}', "'relations' must be a list of objects with the strings head, type, tail"),
    ],
)
def test_malformed_line(tmp_path: Path, line: str, reason: str) -> None:
    """A line that is no annotated paper is named by file and number, and its mistake in words."""
    file = tmp_path / "gold.jsonl"
    file.write_text('{"id": "x", "entities": []}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(SourceError, match=rf"gold\.jsonl:2: is not in the form of the annotation guide: .*{reason}"):
        read_annotated(file)


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff"])
def test_no_annotated_paper(tmp_path: Path, content: str) -> None:
    """A file without papers is a mistake, not an empty table."""
    (tmp_path / "gold.jsonl").write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match="holds no annotated paper"):
        read_annotated(tmp_path / "gold.jsonl")


def test_ids_are_those_of_the_sources(tmp_path: Path) -> None:
    """A number is the id that a source makes of it; a byte order mark is none of the text."""
    (tmp_path / "gold.jsonl").write_text('\ufeff{"id": 7}\n', encoding="utf-8")
    assert read_annotated(tmp_path / "gold.jsonl") == {"7": {"id": 7}}
