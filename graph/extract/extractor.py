"""Papers in, extractions out: the one place that a different extractor would replace."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from spacy.language import Language
from spacy.tokens import Doc

from methodmap.graph.extract.entities import PlainEntity
from methodmap.graph.extract.pipeline import ENTITIES, TaggerComponent
from methodmap.graph.model import Entity, Evidence, Extraction, Mention, Paper, text_hash
from methodmap.graph.text import PlainText, to_plain

__all__ = ["Extractor", "SpacyExtractor", "as_annotated"]


class Extractor(Protocol):
    """Reads papers. ``name`` is its name and version: extractions of another name are made anew."""

    name: str

    def extract(self, papers: Iterable[Paper]) -> Iterator[Extraction]:
        """Yield one extraction a paper, in the order of the papers."""
        ...


class SpacyExtractor:
    """The extractor that ships: the spaCy pipeline of :func:`load_pipeline`."""

    def __init__(self, nlp: Language) -> None:
        component = nlp.get_pipe("methodmap_tagger")
        if not isinstance(component, TaggerComponent):
            raise TypeError(f"the pipeline's methodmap_tagger is {component!r}, not what load_pipeline() puts there")
        self.nlp = nlp
        self.name = f"{component.tagger.name}/{component.tagger.version}"

    def extract(self, papers: Iterable[Paper]) -> Iterator[Extraction]:
        """Yield one extraction a paper, in the order of the papers."""
        read = ((plain.text, (paper, plain)) for paper, plain in ((p, to_plain(p.abstract)) for p in papers))
        for doc, (paper, plain) in self.nlp.pipe(read, as_tuples=True):
            yield _extraction(paper, plain, doc, self.name)


def _extraction(paper: Paper, plain: PlainText, doc: Doc, extractor: str) -> Extraction:
    digest = text_hash(paper.abstract)
    sentences = [(s.start_char, s.end_char) for s in doc.sents]
    starts = [a for a, _ in sentences]

    def mention(start: int, end: int, confidence: float) -> Mention:
        a, b = plain.source_span(start, end)
        first, last = (sentences[max(0, bisect.bisect_right(starts, at) - 1)] for at in (start, end - 1))
        sentence_a, sentence_b = plain.source_span(first[0], last[1])
        sentence_a, sentence_b = min(a, sentence_a), max(b, sentence_b)
        return Mention(
            plain.text[start:end],
            Evidence(
                paper=paper.id,
                text_hash=digest,
                start=a,
                end=b,
                quote=paper.abstract[a:b],
                sentence_start=sentence_a,
                sentence_end=sentence_b,
                sentence=paper.abstract[sentence_a:sentence_b],
                confidence=confidence,
                extractor=extractor,
            ),
        )

    found: tuple[PlainEntity, ...] = doc._.get(ENTITIES)
    return Extraction(
        paper=paper.id,
        text_hash=digest,
        extractor=extractor,
        entities=tuple(Entity(e.name, e.type, e.role, tuple(mention(*m) for m in e.mentions), e.confidence) for e in found),
    )


def as_annotated(extraction: Extraction) -> dict[str, Any]:
    """Give an extraction the form of the annotation guide, each entity with its confidence too."""
    return {
        "id": extraction.paper,
        "entities": [
            {
                "name": e.name,
                "type": e.type,
                "role": e.role,
                "mentions": list(dict.fromkeys(m.evidence.quote for m in e.mentions)),
                "confidence": e.confidence,
            }
            for e in extraction.entities
        ],
        "relations": [{"head": r.head, "type": r.type, "tail": r.tail} for r in extraction.relations],
        "results": [
            {
                "method": r.method,
                "dataset": r.dataset,
                "metric": r.metric,
                "value": f"{r.value}{r.unit or ''}",
                "reference": None if r.reference is None else f"{r.reference}{r.unit or ''}",
                "comparator": r.comparator,
                "quote": r.evidence.quote,
            }
            for r in extraction.results
        ],
    }
