"""The shipped model: a folder with the quantised network, its tokenizer and its settings, run by onnxruntime on the CPU."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

import numpy as np
from tokenizers import Tokenizer

from methodmap.graph.errors import ModelError
from methodmap.graph.extract.decode import Span, SpanLogits, best_spans
from methodmap.graph.extract.encode import Window, windows
from methodmap.graph.extract.entities import Calibration, PlainEntity, group
from methodmap.graph.model import ENTITY_TYPES, EntityType

__all__ = ["MODEL_FILES", "Tagger", "load_tagger"]

MODEL_FILES: Final = ("model.onnx", "tokenizer.json", "config.json")


@dataclass(frozen=True)
class Tagger:
    """Finds the entities of plain texts. Safe to call from several threads at once.

    Each text is run alone, never padded to its neighbours: what is found in it does not depend on what is read with it.
    """

    folder: Path
    name: str
    version: str
    calibration: dict[EntityType, Calibration]

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer, without truncation and padding."""
        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # texts are read side by side instead
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(str(self.folder / "model.onnx"), options, providers=["CPUExecutionProvider"])

    def logits(self, window: Window) -> SpanLogits:
        """Run the network on one window."""
        feed = {
            "ids": np.array([window.ids], dtype=np.int64),
            "shapes": np.array([window.shapes], dtype=np.int64),
            "first": np.array([window.first], dtype=np.int64),
            "last": np.array([window.last], dtype=np.int64),
        }
        score, kind, role = self._session.run(("score", "type", "role"), feed)
        return SpanLogits(score[0], kind[0], role[0])

    def spans(self, text: str) -> list[Span]:
        """Return every likely mention, before any threshold is applied."""
        return best_spans(windows(text, self.tokenizer), self.logits)

    def entities(self, text: str) -> list[PlainEntity]:
        """Return the entities of one plain text, in the order of their first mention."""
        return group(text, self.spans(text), self.calibration)


def load_tagger(folder: Path | None = None) -> Tagger:
    """Load a model folder, by default the one that ships with the package.

    Raises:
        ModelError: a file is missing or is none of this version's.
    """
    if folder is None:
        with as_file(files("methodmap.graph.extract") / "model") as shipped:
            folder = shipped
    for name in MODEL_FILES:
        if not (folder / name).is_file():
            raise ModelError(folder, f"{name} is missing")
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        calibration = {kind: Calibration(**config["calibration"][kind]) for kind in ENTITY_TYPES}
        tagger = Tagger(folder, config["name"], config["version"], calibration)
        # Loaded here and not at the first text, so that a damaged file is said at once and threads find both ready.
        tagger.tokenizer  # noqa: B018
        tagger._session  # noqa: B018
    except Exception as error:  # onnxruntime and tokenizers raise bare Exceptions for files that they cannot read
        raise ModelError(folder, f"it is damaged or of another version: {error!r}") from error
    return tagger
