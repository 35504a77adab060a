"""The best spans win, never overlap, and show no seam between windows."""

from __future__ import annotations

import numpy as np

from methodmap.graph.extract.decode import SpanLogits, SpanModel, best_spans
from methodmap.graph.extract.encode import Window

TEXT = "we use low rank adaptation now"
WORDS = [(0, 2), (3, 6), (7, 10), (11, 15), (16, 26), (27, 30)]


def _window(start: int, stop: int) -> Window:
    count = stop - start
    return Window([0] * count, [0] * count, list(range(count)), list(range(count)), WORDS[start:stop], start)


def _model(scores: dict[tuple[int, int], float]) -> SpanModel:
    """Score spans given by their first and last word in the whole text."""

    def run(window: Window) -> SpanLogits:
        count = len(window.words)
        score = np.full((count, 3), -9.0, dtype=np.float32)
        for (first, last), value in scores.items():
            if window.start <= first < window.start + count:
                score[first - window.start, last - first] = value
        kind = np.tile(np.arange(5, dtype=np.float32), (count, 3, 1))
        role = np.tile(np.arange(8, dtype=np.float32), (count, 3, 1))
        return SpanLogits(score, kind, role)

    return run


def test_best_of_overlapping_spans() -> None:
    """Of spans that overlap the most probable is kept; its offsets are the words' in the text, its logits those of the network."""
    (span,) = best_spans([_window(0, 6)], _model({(2, 4): 2.0, (3, 4): 1.0, (1, 2): 0.5}))
    assert TEXT[span.start : span.end] == "low rank adaptation"
    assert round(span.probability, 4) == 0.8808
    assert span.type == (0.0, 1.0, 2.0, 3.0, 4.0)
    assert span.role == (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)


def test_order_and_floor() -> None:
    """Spans come in the order of the text, and improbable ones not at all."""
    spans = best_spans([_window(0, 6)], _model({(5, 5): 3.0, (0, 0): 1.0, (2, 2): -4.0}))
    assert [TEXT[s.start : s.end] for s in spans] == ["we", "now"]


def test_ties_go_to_the_left() -> None:
    """Equal scores are decided by place, so that the answer never depends on the order of a sort."""
    (span,) = best_spans([_window(0, 6)], _model({(3, 5): 1.0, (2, 4): 1.0}))
    assert (span.start, span.end) == (7, 26)


def test_no_seam() -> None:
    """A span that two windows see is found once, also where it reaches over the border between them."""
    scores = {(2, 4): 2.0, (0, 0): 1.0}
    whole = best_spans([_window(0, 6)], _model(scores))
    assert best_spans([_window(0, 5), _window(1, 6)], _model(scores)) == whole


def test_a_span_past_the_end() -> None:
    """What the network scores past the last word is padding, not a mention."""
    assert best_spans([_window(0, 6)], _model({(5, 6): 9.0})) == []
