from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from methodmap.graph.identify import abstract_digest, normalise_abstract, paper_id


def test_id_is_the_start_of_the_digest() -> None:
    """An id is twelve hexadecimal digits of the digest, the same on every machine."""
    assert abstract_digest("We extend LoRA.") == "a019652e9b5d0cb8872bd87d0cd54364a18c7cecbd085f7ed4ecf9a6935ae5b2"
    assert paper_id("We  EXTEND\r\nLoRA.") == "a019652e9b5d0cb8872bd87d0cd54364a18c7cecbd085f7ed4ecf9a6935ae5b2"[:12]


def test_markup_makes_a_difference() -> None:
    """Only case, white space and compatibility forms are folded."""
    assert normalise_abstract("**LoRA**  uses\tx² and \ufb01ne-tuning") == "**lora** uses x2 and fine-tuning"
    assert paper_id("**LoRA** wins") != paper_id("LoRA wins")


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    """The normal form of any text is its own normal form, so equal texts stay equal however often they pass."""
    assert normalise_abstract(normalise_abstract(text)) == normalise_abstract(text)
