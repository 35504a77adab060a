"""From a network's scores of every span to the mentions of a text. Pure numpy; the network may be ONNX or torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from methodmap.graph.extract.encode import Window

__all__ = ["FLOOR", "Span", "SpanLogits", "SpanModel", "best_spans"]

FLOOR: Final = 0.1
"""Spans less probable than this are never looked at; the thresholds that decide, one a type, lie well above."""


@dataclass(frozen=True, slots=True)
class SpanLogits:
    """What the network says of one window: ``score`` (words, widths), ``type`` (words, widths, types), ``role`` (words, widths, roles)."""

    score: NDArray[np.float32]
    type: NDArray[np.float32]
    role: NDArray[np.float32]


SpanModel: TypeAlias = Callable[[Window], SpanLogits]


@dataclass(frozen=True, slots=True)
class Span:
    """A mention as characters ``start:end`` of the plain text, with its probability and its type and role logits."""

    start: int
    end: int
    probability: float
    type: tuple[float, ...]
    role: tuple[float, ...]


def best_spans(windows: Sequence[Window], model: SpanModel, *, floor: float = FLOOR) -> list[Span]:
    """Return the spans of highest score that do not overlap, in the order of the text.

    Where windows overlap, a word belongs to the window in which it has more words around it, and a span to the window of its first word, so
    that no seam shows. Spans of equal score are taken from left to right, the shorter first.
    """
    candidates: list[tuple[float, int, int, SpanLogits, int]] = []
    for k, window in enumerate(windows):
        count = len(window.words)
        logits = model(window)
        low = _border(windows[k - 1], window) if k else 0
        high = _border(window, windows[k + 1]) if k + 1 < len(windows) else window.start + count
        probability = _sigmoid(logits.score)
        for word, length in np.argwhere(probability >= floor).tolist():
            first = window.start + word
            if low <= first < high and word + length < count:
                candidates.append((float(probability[word, length]), first, first + length, logits, window.start))
    candidates.sort(key=lambda c: (-c[0], c[1], c[2]))
    place = {window.start + i: span for window in windows for i, span in enumerate(window.words)}
    taken: set[int] = set()
    chosen: list[Span] = []
    for probability_, first, last, logits, start in candidates:
        covered = range(first, last + 1)
        if taken.isdisjoint(covered):
            taken.update(covered)
            at = (first - start, last - first)
            chosen.append(
                Span(
                    start=place[first][0],
                    end=place[last][1],
                    probability=probability_,
                    type=tuple(logits.type[at].tolist()),
                    role=tuple(logits.role[at].tolist()),
                )
            )
    return sorted(chosen, key=lambda s: s.start)


def _border(left: Window, right: Window) -> int:
    # The middle of the words that both windows hold.
    return (right.start + left.start + len(left.words)) // 2


def _sigmoid(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1.0 / (1.0 + np.exp(-x)), dtype=np.float32)
