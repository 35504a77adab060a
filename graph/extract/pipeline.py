"""The tagger as a spaCy component, and the pipeline that holds it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Final

import spacy
from spacy.language import Language
from spacy.tokenizer import Tokenizer  # type: ignore[import-not-found,unused-ignore]  # compiled, without types
from spacy.tokens import Doc
from spacy.tokens import Span as SpacySpan
from spacy.util import compile_suffix_regex, filter_spans

from methodmap.graph.extract.entities import PlainEntity
from methodmap.graph.extract.tagger import Tagger, load_tagger
from methodmap.graph.extract.tokenizer import BoundedTokenizer

__all__ = ["ENTITIES", "SPANS", "TaggerComponent", "create_tagger", "load_pipeline"]

ENTITIES: Final = "methodmap_entities"
"""``Doc._.methodmap_entities``: a tuple of :class:`PlainEntity`, offsets into ``doc.text``."""

SPANS: Final = "methodmap"
"""``doc.spans["methodmap"]``: every mention, its label the type (``Method``) and its id the role (``proposed``)."""

if not Doc.has_extension(ENTITIES):
    Doc.set_extension(ENTITIES, default=())


class TaggerComponent:
    """Puts entities on a document. ``pipe`` reads several documents side by side, ``jobs`` at a time, and keeps their order."""

    def __init__(self, tagger: Tagger, jobs: int) -> None:
        self.tagger = tagger
        self.jobs = jobs

    def __call__(self, doc: Doc) -> Doc:
        """Tag one document."""
        return _put(doc, self.tagger.entities(doc.text))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Tag a stream of documents."""
        if self.jobs == 1:
            yield from map(self, stream)
            return
        with ThreadPoolExecutor(self.jobs) as pool:
            docs = iter(stream)
            while batch := list(islice(docs, batch_size)):
                found = pool.map(self.tagger.entities, [doc.text for doc in batch])
                for doc, entities in zip(batch, found, strict=True):
                    yield _put(doc, entities)


def _put(doc: Doc, entities: list[PlainEntity]) -> Doc:
    doc._.set(ENTITIES, tuple(entities))
    spans: list[SpacySpan] = []
    for entity in entities:
        for start, end, _ in entity.mentions:
            span = doc.char_span(start, end, label=entity.type, span_id=entity.role, alignment_mode="expand")
            if span is not None:
                spans.append(span)
    doc.spans[SPANS] = filter_spans(spans)
    return doc


def _splitting_names(nlp: Language) -> Tokenizer:
    """Let the tokenizer take the full stop off "ImageNet-C.", which it would keep as it keeps an initial's: sentences end there."""
    tokenizer = nlp.tokenizer
    if not isinstance(tokenizer, Tokenizer):
        raise TypeError(f"spaCy's English pipeline has {tokenizer!r} for a tokenizer, not its rule-based one")
    suffixes = [*(nlp.Defaults.suffixes or ()), r"(?<=[-‐–/][A-Z])\."]
    tokenizer.suffix_search = compile_suffix_regex(suffixes).search
    return tokenizer


@Language.factory("methodmap_tagger", default_config={"model": None, "jobs": 0})
def create_tagger(nlp: Language, name: str, model: str | None, jobs: int) -> TaggerComponent:
    """Make the component. ``model`` is a model folder (the shipped one if None), ``jobs`` the texts read at once (0: one a processor)."""
    return TaggerComponent(load_tagger(None if model is None else Path(model)), jobs or os.cpu_count() or 1)


def load_pipeline(*, model: str | Path | None = None, jobs: int = 0) -> Language:
    """Load the spaCy pipeline that finds entities in English abstracts given as plain text.

    Args:
        model: a model folder; the one that ships with the package if None.
        jobs: how many texts :meth:`Language.pipe` reads at once; 0 for as many as there are processors.

    Raises:
        ModelError: the model folder is not usable.

    Mentions are on ``doc.spans["methodmap"]``, entities on ``doc._.methodmap_entities``:

        nlp = load_pipeline()
        doc = nlp("We propose NEO, a test-time adaptation method. NEO beats TENT on ImageNet-C.")
        [(span.text, span.label_, span.id_) for span in doc.spans["methodmap"]]
    """
    nlp = spacy.blank("en")
    nlp.tokenizer = BoundedTokenizer(nlp.vocab, _splitting_names(nlp))
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("methodmap_tagger", config={"model": None if model is None else str(model), "jobs": jobs})
    return nlp
