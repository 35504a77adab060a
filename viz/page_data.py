"""What the page's panel shows about nodes and edges, as compact JSON-ready tables that name nodes, texts and sentences by index.

Offsets are converted from code points to the UTF-16 units in which a browser counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import networkx as nx

from methodmap.graph.model import Evidence, Paper, Result

__all__ = ["Json", "panel_tables", "sorted_edges"]

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

HEDGED = 1
NEGATED = 2


class _Texts:
    """The texts that evidence is cut from: each paper's abstract once, and each sentence of it once."""

    def __init__(self, papers: Mapping[str, tuple[int, Paper]]) -> None:
        self.papers = papers
        self.texts: list[Json] = []
        self.sentences: list[Json] = []
        self._texts: dict[tuple[str, str], int] = {}
        self._sentences: dict[tuple[int, int, int], int] = {}

    def text(self, paper: str, text: str) -> int:
        """The index of a text of a paper: ``[node or -1, paper's id, text]``."""
        if (paper, text) not in self._texts:
            self._texts[paper, text] = len(self.texts)
            self.texts.append([self.papers[paper][0] if paper in self.papers else -1, paper, text])
        return self._texts[paper, text]

    def evidence(self, item: Evidence) -> Json:
        """One piece of evidence: ``[sentence, start, end, confidence, flags]``, offsets into the sentence."""
        text, start, end = item.sentence, 0, len(item.sentence)
        if item.paper in self.papers:
            abstract = self.papers[item.paper][1].abstract
            if abstract[item.sentence_start : item.sentence_end] == item.sentence:
                text, start, end = abstract, item.sentence_start, item.sentence_end
        key = (self.text(item.paper, text), _utf16(text, start), _utf16(text, end))
        if key not in self._sentences:
            self._sentences[key] = len(self.sentences)
            self.sentences.append([*key])
        first = min(max(item.start - item.sentence_start, 0), len(item.sentence))
        last = min(max(item.end - item.sentence_start, first), len(item.sentence))
        flags = HEDGED * item.hedged + NEGATED * item.negated
        marks = (_utf16(item.sentence, first), _utf16(item.sentence, last))
        return [self._sentences[key], *marks, round(item.confidence, 2), flags]


def panel_tables(g: nx.MultiDiGraph[Any], keys: list[Any]) -> dict[str, Json]:
    """The tables for the nodes ``keys`` (their order gives the indices) and the edges in the order of :func:`sorted_edges`.

    ``facts`` (one a node), ``evidence`` and ``confidence`` (one an edge), ``sentences`` as ``[text, start, end]``, ``texts`` as
    ``[node, paper's id, text]``, and ``results``.
    """
    index = {key: position for position, key in enumerate(keys)}
    papers: dict[str, tuple[int, Paper]] = {}
    for key in keys:
        record = g.nodes[key].get("record")
        if isinstance(record, Paper):
            papers[record.id] = (index[key], record)
    texts = _Texts(papers)
    facts: list[Json] = [_facts(g.nodes[key], texts) for key in keys]
    evidence: list[Json] = []
    confidence: list[Json] = []
    for _, _, _, attributes in sorted_edges(g):
        items = [mention.evidence for mention in attributes.get("mentions", ())] or attributes.get("evidence", ())
        evidence.append([texts.evidence(item) for item in items])
        confidence.append(round(float(attributes.get("confidence", 1.0)), 2))
    results: list[Json] = []
    for result in g.graph.get("results", ()):
        if index.keys() & {result.method, result.dataset, result.metric}:
            results.append(_result(result, index, papers, texts))
    return {
        "facts": facts,
        "evidence": evidence,
        "confidence": confidence,
        "results": results,
        "sentences": texts.sentences,
        "texts": texts.texts,
    }


def sorted_edges(g: nx.MultiDiGraph[Any]) -> list[tuple[Any, Any, Any, dict[str, Any]]]:
    """The edges by start, end and key, with their attributes."""
    return sorted(g.edges(keys=True, data=True), key=lambda edge: (str(edge[0]), str(edge[1]), str(edge[2])))


def _facts(attributes: Mapping[str, Any], texts: _Texts) -> Json:
    facts: dict[str, Json] = {}
    record = attributes.get("record")
    if isinstance(record, Paper):
        facts = {
            "id": record.id,
            "title": record.title,
            "venue": record.venue,
            "year": record.year,
            "url": record.url,
            "source": f"{record.source.path}:{record.source.line}",
            "text": texts.text(record.id, record.abstract),
        }
    else:
        facts = {
            "aliases": list(attributes.get("aliases", ())),
            "papers": int(attributes.get("papers", 0)),
            "baseline": bool(attributes.get("baseline", False)),
            "proposed": int(attributes.get("proposed_by", 0)),
        }
    return {name: value for name, value in facts.items() if value is not None and value is not False and value != []}


def _result(result: Result, index: Mapping[Any, int], papers: Mapping[str, tuple[int, Paper]], texts: _Texts) -> Json:
    """A figure with its entities as ``[node or -1, name]``; ids of entities that are not drawn serve as names."""

    def named(key: str | None) -> Json:
        return None if key is None else [index.get(key, -1), key]

    paper = papers.get(result.evidence.paper)
    return {
        "paper": paper[0] if paper else -1,
        "method": named(result.method),
        "dataset": named(result.dataset),
        "metric": named(result.metric),
        "comparator": named(result.comparator),
        "value": f"{result.value}",
        "unit": result.unit,
        "reference": None if result.reference is None else f"{result.reference}",
        "relative": result.relative,
        "evidence": [texts.evidence(result.evidence)],
    }


def _utf16(text: str, offset: int) -> int:
    """An offset in code points as one in UTF-16 units, in which everything beyond the basic plane counts twice.

    >>> _utf16("a😀b", 2)
    3
    """
    return offset if text.isascii() else len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2
