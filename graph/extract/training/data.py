"""Annotated abstracts as training examples."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer

from methodmap.graph.extract.encode import Window, windows
from methodmap.graph.extract.training.network import WIDTH
from methodmap.graph.model import ENTITY_TYPES, ROLE_ORDER
from methodmap.graph.text import to_plain

__all__ = ["Batch", "Example", "batches", "collate", "mark", "read_examples"]


@dataclass(frozen=True, slots=True)
class Example:
    """One window of an abstract. ``spans`` maps (word, length - 1) to (type, role, entity), all as indices."""

    window: Window
    spans: dict[tuple[int, int], tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors as :meth:`SpanTagger.forward` takes them, the words' mask, and the gold spans.

    ``gold`` is (spans, 6): row, word, length - 1, type, role and a number that mentions of one entity share.
    """

    ids: torch.Tensor
    shapes: torch.Tensor
    mask: torch.Tensor
    first: torch.Tensor
    last: torch.Tensor
    valid: torch.Tensor
    gold: torch.Tensor


def mark(text: str, entities: Sequence[dict[str, Any]]) -> dict[tuple[int, int], int]:
    """Find every word-bounded occurrence of the entities' mentions, longest first, without overlap: character span -> entity."""
    forms = sorted({(m, i) for i, e in enumerate(entities) for m in e["mentions"] if m}, key=lambda f: (-len(f[0]), f))
    taken = bytearray(len(text))
    out: dict[tuple[int, int], int] = {}
    for form, i in forms:
        for match in re.finditer(r"(?<!\w)" + re.escape(form) + r"(?!\w)", text):
            a, b = match.span()
            if not any(taken[a:b]):
                taken[a:b] = b"\1" * (b - a)
                out[a, b] = i
    return out


def read_examples(path: Path, tokenizer: Tokenizer) -> tuple[list[Example], int]:
    """Read annotated JSONL; the second number counts the gold mentions that no span of whole words can hold."""
    out, lost = [], 0
    for line in path.read_text(encoding="utf-8").splitlines():
        paper = json.loads(line)
        entities = paper["entities"]
        plain = to_plain(paper["abstract"])
        marked = {}
        for (a, b), i in mark(paper["abstract"], entities).items():
            span = plain.plain_span(a, b)
            if span is not None:
                marked[span] = i
        found = set()
        for window in windows(plain.text, tokenizer):
            begins = {a: n for n, (a, _) in enumerate(window.words)}
            ends = {b: n for n, (_, b) in enumerate(window.words)}
            spans = {}
            for (a, b), i in marked.items():
                if a in begins and b in ends and 0 <= ends[b] - begins[a] < WIDTH:
                    kind = ENTITY_TYPES.index(entities[i]["type"])
                    spans[begins[a], ends[b] - begins[a]] = (kind, ROLE_ORDER.index(entities[i]["role"]), i)
                    found.add((a, b))
            out.append(Example(window, spans))
        lost += len(marked.keys() - found)
    return out, lost


def batches(lengths: Sequence[int], size: int, rng: random.Random) -> list[list[int]]:
    """Shuffled batches of indices whose lengths are alike."""
    order = sorted(range(len(lengths)), key=lambda i: lengths[i] + rng.random() * 40)
    out = [order[i : i + size] for i in range(0, len(order), size)]
    rng.shuffle(out)
    return out


def collate(examples: Iterable[Example]) -> Batch:
    """Pad examples to one batch."""
    rows = list(examples)
    longest = max(len(e.window.ids) for e in rows)
    words = max(len(e.window.words) for e in rows)

    def padded(values: list[list[int]], width: int) -> torch.Tensor:
        return torch.tensor([v + [0] * (width - len(v)) for v in values])

    gold = [
        (row, word, length, kind, role, row * 1000 + entity)
        for row, example in enumerate(rows)
        for (word, length), (kind, role, entity) in sorted(example.spans.items())
    ]
    ends = torch.arange(words).unsqueeze(1) + torch.arange(WIDTH).unsqueeze(0)
    sizes = torch.tensor([len(e.window.words) for e in rows])
    return Batch(
        ids=padded([e.window.ids for e in rows], longest),
        shapes=padded([e.window.shapes for e in rows], longest),
        mask=padded([[1] * len(e.window.ids) for e in rows], longest),
        first=padded([e.window.first for e in rows], words),
        last=padded([e.window.last for e in rows], words),
        valid=ends.unsqueeze(0) < sizes.view(-1, 1, 1),
        gold=torch.tensor(gold).reshape(-1, 6),
    )
