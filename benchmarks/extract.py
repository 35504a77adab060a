"""Abstracts a second, with one reader and with one a processor, and where the time goes. Reads the seeds or the files it is given."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import methodmap
from methodmap.graph.extract.decode import SpanLogits, SpanModel, best_spans
from methodmap.graph.extract.encode import windows
from methodmap.graph.extract.entities import group
from methodmap.graph.extract.extractor import SpacyExtractor
from methodmap.graph.extract.tagger import load_tagger
from methodmap.graph.sources import read_sources
from methodmap.graph.text import to_plain


def seconds(run: Callable[[], object], times: int = 3) -> float:
    """The best of several runs, which other work on the machine disturbs least."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def main(paths: list[str]) -> None:
    """Print the table."""
    papers = list(read_sources(paths, rejected=print))
    tagger = load_tagger()
    plains = [to_plain(p.abstract).text for p in papers]
    encoded = [windows(text, tagger.tokenizer) for text in plains]
    logits = [[tagger.logits(w) for w in found] for found in encoded]
    spans = [best_spans(found, _replay(scores)) for found, scores in zip(encoded, logits, strict=True)]
    stages: dict[str, Callable[[], object]] = {
        "LaTeX and markdown": lambda: [to_plain(p.abstract) for p in papers],
        "subwords": lambda: [windows(text, tagger.tokenizer) for text in plains],
        "network": lambda: [[tagger.logits(w) for w in found] for found in encoded],
        "choosing spans": lambda: [best_spans(f, _replay(s)) for f, s in zip(encoded, logits, strict=True)],
        "grouping": lambda: [group(text, found, tagger.calibration) for text, found in zip(plains, spans, strict=True)],
    }
    took = {name: seconds(run) for name, run in stages.items()}
    for name, spent in took.items():
        print(f"{name:20s} {1000 * spent / len(papers):7.2f} ms an abstract  {spent / sum(took.values()):6.1%}")
    rates = {}
    for jobs in (1, 0):
        reader = SpacyExtractor(methodmap.load_pipeline(jobs=jobs))
        rates[jobs] = len(papers) / seconds(lambda reader=reader: list(reader.extract(papers)))
    print(f"one reader {rates[1]:.1f} abstracts/s, one a processor {rates[0]:.1f}: ratio {rates[0] / rates[1]:.2f}")


def _replay(scores: list[SpanLogits]) -> SpanModel:
    rest = iter(scores)
    return lambda window: next(rest)


if __name__ == "__main__":
    main(sys.argv[1:] or ["seeds"])
