"""Entities of annotated papers by any span model: what training and threshold choice are measured on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokenizers import Tokenizer

from methodmap.graph.extract.decode import SpanModel, best_spans
from methodmap.graph.extract.encode import windows
from methodmap.graph.extract.entities import Calibration, group
from methodmap.graph.model import ENTITY_TYPES, EntityType
from methodmap.graph.text import to_plain

__all__ = ["UNCALIBRATED", "predict"]

UNCALIBRATED: dict[EntityType, Calibration] = {kind: Calibration(threshold=0.4) for kind in ENTITY_TYPES}


def predict(
    papers: Mapping[str, Mapping[str, Any]],
    tokenizer: Tokenizer,
    model: SpanModel,
    calibration: Mapping[EntityType, Calibration] = UNCALIBRATED,
) -> dict[str, dict[str, Any]]:
    """Extract the papers' entities in the form of the annotation guide, with the plain forms as mentions and a confidence each."""
    out: dict[str, dict[str, Any]] = {}
    for key, paper in papers.items():
        plain = to_plain(paper["abstract"])
        found = group(plain.text, best_spans(windows(plain.text, tokenizer), model), calibration)
        out[key] = {
            "id": key,
            "entities": [
                {
                    "name": e.name,
                    "type": e.type,
                    "role": e.role,
                    "mentions": sorted({plain.text[a:b] for a, b, _ in e.mentions}),
                    "confidence": e.confidence,
                }
                for e in found
            ],
            "relations": [],
        }
    return out
