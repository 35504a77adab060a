"""Named toy objects that the tests share: two papers, what they say, and the map of it, written out in full."""

from __future__ import annotations

from decimal import Decimal

from methodmap.graph.model import (
    CanonicalEntity,
    Entity,
    Evidence,
    Extraction,
    KnowledgeGraph,
    Link,
    Mention,
    Paper,
    Relation,
    Result,
    Source,
    Statement,
    text_hash,
)

EXTRACTOR = "toy/1"

NEO_SENTENCE = r"\textbf{NEO} outperforms TENT on ImageNet-C, from 55.6\% to 59.2\% accuracy."
NEO_ABSTRACT = f"Test-time adaptation (TTA) is hard. {NEO_SENTENCE}"
LORA_ABSTRACT = "We may extend LoRA & test <it> on ImageNet-C."

NEO_PAPER = Paper(
    id="000-06",
    abstract=NEO_ABSTRACT,
    source=Source("seeds/toy.txt", 3, 18),
    venue="ICLR 2026",
    year=2026,
)
LORA_PAPER = Paper(
    id="lora-x",
    abstract=LORA_ABSTRACT,
    source=Source("more.jsonl", 1, 0),
    title='Extending "LoRA" <again>',
    url="https://example.org/lora-x",
)


def evidence(paper: Paper, quote: str, sentence: str, confidence: float = 0.9, *, hedged: bool = False) -> Evidence:
    """The evidence for the first occurrence of ``quote`` inside ``sentence``."""
    sentence_start = paper.abstract.index(sentence)
    start = paper.abstract.index(quote, sentence_start)
    return Evidence(
        paper=paper.id,
        text_hash=text_hash(paper.abstract),
        start=start,
        end=start + len(quote),
        quote=quote,
        sentence_start=sentence_start,
        sentence_end=sentence_start + len(sentence),
        sentence=sentence,
        confidence=confidence,
        extractor=EXTRACTOR,
        hedged=hedged,
    )


def _mention(paper: Paper, quote: str, sentence: str, confidence: float = 0.9) -> Mention:
    return Mention(quote, evidence(paper, quote, sentence, confidence))


TTA_SENTENCE = "Test-time adaptation (TTA) is hard."
NEO = _mention(NEO_PAPER, "NEO", NEO_SENTENCE, 0.95)
TENT = _mention(NEO_PAPER, "TENT", NEO_SENTENCE)
IMAGENET_C = _mention(NEO_PAPER, "ImageNet-C", NEO_SENTENCE)
ACCURACY = _mention(NEO_PAPER, "accuracy", NEO_SENTENCE, 0.8)
TTA = _mention(NEO_PAPER, "Test-time adaptation", TTA_SENTENCE)
TTA_SHORT = _mention(NEO_PAPER, "TTA", TTA_SENTENCE, 0.85)
LORA = _mention(LORA_PAPER, "LoRA", LORA_ABSTRACT)
IMAGENET_C_AGAIN = _mention(LORA_PAPER, "ImageNet-C", LORA_ABSTRACT, 0.7)

BEATS = evidence(NEO_PAPER, NEO_SENTENCE, NEO_SENTENCE, 0.6)
RUNS_ON = evidence(NEO_PAPER, NEO_SENTENCE, NEO_SENTENCE, 0.75, hedged=True)
FIGURE = evidence(NEO_PAPER, r"from 55.6\% to 59.2\%", NEO_SENTENCE, 0.8)

NEO_EXTRACTION = Extraction(
    paper="000-06",
    text_hash=text_hash(NEO_ABSTRACT),
    extractor=EXTRACTOR,
    entities=(
        Entity("Test-time adaptation", "Task", "addressed", (TTA, TTA_SHORT), 0.9),
        Entity("NEO", "Method", "proposed", (NEO,), 0.95),
        Entity("TENT", "Method", "baseline", (TENT,), 0.9),
        Entity("ImageNet-C", "Dataset", "evaluated_on", (IMAGENET_C,), 0.9),
        Entity("accuracy", "Metric", "reported", (ACCURACY,), 0.8),
    ),
    relations=(
        Relation("NEO", "outperforms", "TENT", BEATS),
        Relation("NEO", "evaluatedOn", "ImageNet-C", RUNS_ON),
    ),
    results=(
        Result(
            method="NEO",
            dataset="ImageNet-C",
            metric="accuracy",
            value=Decimal("59.2"),
            unit="%",
            reference=Decimal("55.6"),
            comparator="TENT",
            direction="higher",
            relative=False,
            evidence=FIGURE,
        ),
    ),
)
LORA_EXTRACTION = Extraction(
    paper="lora-x",
    text_hash=text_hash(LORA_ABSTRACT),
    extractor=EXTRACTOR,
    entities=(
        Entity("LoRA", "Method", "used", (LORA,), 0.9),
        Entity("ImageNet-C", "Dataset", "used", (IMAGENET_C_AGAIN,), 0.7),
    ),
)

GRAPH = KnowledgeGraph(
    papers=(NEO_PAPER, LORA_PAPER),
    entities=(
        CanonicalEntity("dataset/imagenet-c", "Dataset", "ImageNet-C"),
        CanonicalEntity("method/lora", "Method", "LoRA"),
        CanonicalEntity("method/neo", "Method", "NEO"),
        CanonicalEntity("method/tent", "Method", "TENT", baseline=True),
        CanonicalEntity("metric/accuracy", "Metric", "accuracy"),
        CanonicalEntity("task/test-time-adaptation", "Task", "Test-time adaptation", ("TTA",)),
    ),
    links=(
        Link("000-06", "dataset/imagenet-c", "evaluated_on", 0.9, (IMAGENET_C,)),
        Link("000-06", "method/neo", "proposed", 0.95, (NEO,)),
        Link("000-06", "method/tent", "baseline", 0.9, (TENT,)),
        Link("000-06", "metric/accuracy", "reported", 0.8, (ACCURACY,)),
        Link("000-06", "task/test-time-adaptation", "addressed", 0.9, (TTA, TTA_SHORT)),
        Link("lora-x", "dataset/imagenet-c", "used", 0.7, (IMAGENET_C_AGAIN,)),
        Link("lora-x", "method/lora", "used", 0.9, (LORA,)),
    ),
    statements=(
        Statement("method/neo", "evaluatedOn", "dataset/imagenet-c", (RUNS_ON,)),
        Statement("method/neo", "outperforms", "method/tent", (BEATS,)),
    ),
    results=(
        Result(
            method="method/neo",
            dataset="dataset/imagenet-c",
            metric="metric/accuracy",
            value=Decimal("59.2"),
            unit="%",
            reference=Decimal("55.6"),
            comparator="method/tent",
            direction="higher",
            relative=False,
            evidence=FIGURE,
        ),
    ),
)
