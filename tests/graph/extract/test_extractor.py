"""What the pipeline finds leads back to the source's own characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from methodmap.graph.extract.entities import PlainEntity
from methodmap.graph.extract.extractor import SpacyExtractor, as_annotated
from methodmap.graph.extract.pipeline import SPANS, TaggerComponent
from methodmap.graph.extract.tagger import Tagger
from methodmap.graph.model import Paper, Source, text_hash

ABSTRACT = "We like ``it''.\nWe propose **Ra**LoRA-Pro,\r\n a \\textit{low-rank\nadapter}; it is 3$\\times$ faster."
PAPER = Paper("x", ABSTRACT, Source("x.txt", 1, 0))


class _Fixed(Tagger):
    """A tagger that finds the words it is told to."""

    def entities(self, text: str) -> list[PlainEntity]:
        found = []
        for form in ("RaLoRA-Pro", "low-rank adapter"):
            if form in text:
                start = text.index(form)
                found.append(PlainEntity(form, "Method", "proposed", 0.9, ((start, start + len(form), 0.8),)))
        return found


@pytest.fixture
def nlp(tmp_path_factory: pytest.TempPathFactory) -> Language:
    """A pipeline with the fixed tagger in the shipped one's place."""
    component = TaggerComponent(_Fixed(tmp_path_factory.mktemp("model"), "fixed", "1", {}), jobs=2)

    def create(nlp: Language, name: str) -> TaggerComponent:
        return component

    Language.factory("fixed_tagger", func=create)
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe("fixed_tagger", name="methodmap_tagger")
    return pipeline


def test_evidence_is_cut_from_the_source(nlp: Language) -> None:
    """Quotes and sentences are slices of the abstract as given, markup and line ends included; the mention's text is plain."""
    (extraction,) = SpacyExtractor(nlp).extract([PAPER])
    first, second = extraction.entities
    evidence = first.mentions[0].evidence
    assert (first.mentions[0].text, evidence.quote) == ("RaLoRA-Pro", "**Ra**LoRA-Pro")
    assert ABSTRACT[evidence.start : evidence.end] == evidence.quote
    assert evidence.sentence == ABSTRACT[ABSTRACT.index("We propose") :]
    assert second.mentions[0].evidence.quote == "low-rank\nadapter"
    assert (evidence.confidence, evidence.extractor, evidence.text_hash) == (0.8, "fixed/1", text_hash(ABSTRACT))


def test_annotated_form(nlp: Language) -> None:
    """An extraction is printed in the form of the annotation guide: mentions are exact substrings of the abstract."""
    (extraction,) = SpacyExtractor(nlp).extract([PAPER])
    assert as_annotated(extraction) == {
        "id": "x",
        "entities": [
            {"name": "RaLoRA-Pro", "type": "Method", "role": "proposed", "mentions": ["**Ra**LoRA-Pro"], "confidence": 0.9},
            {"name": "low-rank adapter", "type": "Method", "role": "proposed", "mentions": ["low-rank\nadapter"], "confidence": 0.9},
        ],
        "relations": [],
        "results": [],
    }


def test_order_and_completeness(nlp: Language) -> None:
    """One extraction a paper, in the order of the papers, also for those in which nothing is found."""
    papers = [Paper(str(i), ABSTRACT if i % 3 else "Nothing here.", Source("x.txt", i + 1, 0)) for i in range(200)]
    found = list(SpacyExtractor(nlp).extract(papers))
    assert [e.paper for e in found] == [p.id for p in papers]
    assert [len(e.entities) for e in found[:4]] == [0, 2, 2, 0]


def test_read_as_it_comes(nlp: Language) -> None:
    """Papers are taken as they are needed, so that progress shows and a stopped build has saved what it did."""
    taken = 0

    def papers() -> Iterator[Paper]:
        nonlocal taken
        for taken in range(1, 10_001):
            yield Paper(str(taken), "Nothing here.", Source("x.txt", taken, 0))

    stream: Iterable[object] = SpacyExtractor(nlp).extract(papers())
    next(iter(stream))
    assert taken < 5_000


def test_spacy_spans(nlp: Language) -> None:
    """Users of spaCy find the mentions on the document, type as label and role as id."""
    doc: Doc = nlp("We propose RaLoRA-Pro.")
    assert [(s.text, s.label_, s.id_) for s in doc.spans[SPANS]] == [("RaLoRA-Pro", "Method", "proposed")]
