"""A model folder is used whole or refused with words that help."""

from __future__ import annotations

from pathlib import Path

import pytest

from methodmap.graph.errors import ModelError
from methodmap.graph.extract.pipeline import load_pipeline
from methodmap.graph.extract.tagger import MODEL_FILES, load_tagger


def test_missing_file(tmp_path: Path) -> None:
    """A folder that lacks a file is refused, and the file named."""
    (tmp_path / "model.onnx").write_bytes(b"")
    with pytest.raises(ModelError, match=r"tokenizer\.json is missing; install methodmap again"):
        load_tagger(tmp_path)


@pytest.mark.parametrize("damaged", MODEL_FILES)
def test_damaged_file(tmp_path: Path, damaged: str) -> None:
    """A folder with a damaged file is refused when it is loaded, not at the first text."""
    shipped = load_tagger().folder
    for name in MODEL_FILES:
        (tmp_path / name).write_bytes((shipped / name).read_bytes() if name != damaged else b"{}")
    with pytest.raises(ModelError, match="damaged or of another version"):
        load_tagger(tmp_path)


def test_same_text_same_answer() -> None:
    """What is found in a text does not depend on what was read before it."""
    tagger = load_tagger()
    text = "We propose NEO, a test-time adaptation method that outperforms TENT on ImageNet-C."
    first = tagger.spans(text)
    tagger.spans("Something else of another length, which a batch would have padded.")
    assert tagger.spans(text) == first


def test_a_sentence_that_anyone_can_read() -> None:
    """The shipped model finds the proposal, its baseline and the dataset in a plain sentence, with type and role."""
    text = "We propose NEO, a test-time adaptation method. NEO outperforms TENT on ImageNet-C."
    found = {(e.name, e.type, e.role) for e in load_tagger().entities(text)}
    assert {("NEO", "Method", "proposed"), ("TENT", "Method", "baseline"), ("ImageNet-C", "Dataset", "evaluated_on")} <= found


def test_long_text() -> None:
    """A text longer than the encoder's window is read to its end."""
    text = "Prior work is described here at length. " * 90 + "We propose NEO and evaluate NEO on ImageNet-C."
    assert "ImageNet-C" in {e.name for e in load_tagger().entities(text)}


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b", "a" * 100_000, "\u202eمرحبا \u0000\u0007", "🙂" * 500, "$" * 2000])
def test_hostile_text(text: str) -> None:
    """No text makes the tagger fail; one without names has no entities worth keeping."""
    assert len(load_tagger().entities(text)) <= 1


def test_a_sentence_ends_after_a_name_with_one_last_letter() -> None:
    """The full stop after "ImageNet-C" is none of the name's: the mention ends before it, and the sentence with it."""
    doc = load_pipeline()("NEO beats TENT on ImageNet-C. It is fast.")
    assert "ImageNet-C" in [span.text for span in doc.spans["methodmap"]]
    assert [sentence.text for sentence in doc.sents] == ["NEO beats TENT on ImageNet-C.", "It is fast."]
