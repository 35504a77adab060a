"""Mentions become entities: variants and abbreviations together, one type, one role, nothing generic, nothing unlikely."""

from __future__ import annotations

from methodmap.graph.extract.decode import Span
from methodmap.graph.extract.entities import Calibration, PlainEntity, group
from methodmap.graph.model import ENTITY_TYPES, ROLE_ORDER, EntityType, Role

PLAIN: dict[EntityType, Calibration] = {kind: Calibration() for kind in ENTITY_TYPES}


def _span(text: str, form: str, probability: float, kind: EntityType, role: Role, nth: int = 0) -> Span:
    """The nth occurrence of a form, its type and role as sure as 10 to 0."""
    start = -1
    for _ in range(nth + 1):
        start = text.index(form, start + 1)
    return Span(
        start,
        start + len(form),
        probability,
        tuple(10.0 * (k == kind) for k in ENTITY_TYPES),
        tuple(10.0 * (r == role) for r in ROLE_ORDER),
    )


def _forms(text: str, entity: PlainEntity) -> list[str]:
    return [text[a:b] for a, b, _ in entity.mentions]


def test_abbreviation_and_plural() -> None:
    """A full name, its abbreviation and its plural are one entity, named by the full form, as sure as its surest mention."""
    text = "Large Language Models (LLMs) are big. An LLM is costly."
    spans = [
        _span(text, "Large Language Models", 0.9, "Method", "used"),
        _span(text, "LLMs", 0.8, "Method", "used"),
        _span(text, "LLM", 0.7, "Method", "used", nth=1),
    ]
    (entity,) = group(text, spans, PLAIN)
    assert (entity.name, entity.type, entity.role) == ("Large Language Models", "Method", "used")
    assert _forms(text, entity) == ["Large Language Models", "LLMs", "LLM"]
    assert entity.confidence == 0.8998


def test_other_side_of_an_introduction() -> None:
    """Where only the abbreviation was found, the full name that the text gives for it is a mention too."""
    text = "We use Direct Preference Optimization (DPO) here."
    (entity,) = group(text, [_span(text, "DPO", 0.9, "Method", "used")], PLAIN)
    assert _forms(text, entity) == ["Direct Preference Optimization", "DPO"]


def test_last_words_of_a_long_form() -> None:
    """A mention that is only the end of what an abbreviation stands for stays an entity of its own."""
    text = "We propose QeRL, a Quantization-enhanced Reinforcement Learning (QeRL) system. Reinforcement learning is slow."
    spans = [
        _span(text, "QeRL", 0.9, "Method", "proposed"),
        _span(text, "Reinforcement Learning", 0.9, "Method", "used"),
        _span(text, "QeRL", 0.9, "Method", "proposed", nth=1),
        _span(text, "Reinforcement learning", 0.9, "Method", "used"),
    ]
    assert [(e.name, len(e.mentions)) for e in group(text, spans, PLAIN)] == [("QeRL", 2), ("Reinforcement Learning", 2)]


def test_type_and_role_belong_to_the_entity() -> None:
    """One type and one role are decided over all mentions, the surer counting more."""
    text = "We propose NEO. NEO runs. Later NEO ends."
    spans = [
        _span(text, "NEO", 0.9, "Method", "proposed"),
        _span(text, "NEO", 0.5, "Method", "used", nth=1),
        _span(text, "NEO", 0.2, "Dataset", "used", nth=2),
    ]
    (entity,) = group(text, spans, PLAIN)
    assert (entity.type, entity.role, len(entity.mentions)) == ("Method", "proposed", 3)


def test_a_role_that_the_type_can_have() -> None:
    """The role is one of the type's, whatever the scores of the others."""
    text = "accuracy rises"
    (entity,) = group(text, [_span(text, "accuracy", 0.9, "Metric", "proposed")], PLAIN)
    assert entity.role in ("reported", "mentioned")


def test_generic_words_are_no_entities() -> None:
    """Words that name nothing are dropped however sure the tagger is; with a qualifier they stay."""
    text = "Our method beats kernel methods and the state-of-the-art."
    spans = [
        _span(text, "method", 0.99, "Method", "proposed"),
        _span(text, "kernel methods", 0.9, "Method", "baseline"),
        _span(text, "state-of-the-art", 0.9, "Method", "baseline"),
    ]
    assert [e.name for e in group(text, spans, PLAIN)] == ["kernel methods"]


def test_threshold_of_each_type() -> None:
    """An entity is kept from its own type's threshold on, and its confidence is the calibrated one."""
    text = "LoRA on GLUE"
    spans = [_span(text, "LoRA", 0.8, "Method", "used"), _span(text, "GLUE", 0.8, "Dataset", "used")]
    rules = {**PLAIN, "Method": Calibration(threshold=0.81), "Dataset": Calibration(slope=0.5, offset=0.0, threshold=0.6)}
    (entity,) = group(text, spans, rules)
    assert (entity.name, entity.confidence) == ("GLUE", 0.6666)


def test_coined_name_stays_itself() -> None:
    """A coined name names its entity; its expansion is one of the mentions."""
    text = "TracIn (Tracing Influence) works."
    spans = [_span(text, "TracIn", 0.9, "Method", "proposed"), _span(text, "Tracing Influence", 0.6, "Method", "proposed")]
    (entity,) = group(text, spans, PLAIN)
    assert (entity.name, _forms(text, entity)) == ("TracIn", ["TracIn", "Tracing Influence"])


def test_order_of_the_text() -> None:
    """Entities come in the order of their first mention, whatever the order of the spans."""
    text = "LoRA on GLUE"
    spans = [_span(text, "GLUE", 0.9, "Dataset", "used"), _span(text, "LoRA", 0.8, "Method", "used")]
    assert [e.name for e in group(text, spans, PLAIN)] == ["LoRA", "GLUE"]
