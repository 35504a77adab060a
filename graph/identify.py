"""What makes two abstracts the same text, and the identifier of a paper that came without one."""

from __future__ import annotations

import hashlib
import unicodedata

__all__ = ["ID_LENGTH", "abstract_digest", "normalise_abstract", "paper_id"]

ID_LENGTH = 12
"""Hexadecimal digits of a computed id: 48 bits, so that a million papers collide with a chance of 0.2 %."""


def normalise_abstract(abstract: str) -> str:
    r"""The form in which equal abstracts are equal strings: compatibility forms folded, case folded, white space folded.

    Markup is kept: two sources that write one abstract differently are near duplicates, not the same text.

    >>> normalise_abstract("  We ﬁne-tune\r\n  LoRA\u00a0on ImageNet. ")
    'we fine-tune lora on imagenet.'
    >>> normalise_abstract("STRASSE") == normalise_abstract("Straße")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", abstract).casefold()).split())


def abstract_digest(abstract: str) -> str:
    """SHA-256 of the normalised abstract, 64 hexadecimal digits.

    >>> abstract_digest("We extend LoRA.") == abstract_digest("we extend  LoRA.")
    True
    """
    return hashlib.sha256(normalise_abstract(abstract).encode("utf-8", "surrogatepass")).hexdigest()


def paper_id(abstract: str) -> str:
    """The id of a paper that came without one: the first twelve digits of :func:`abstract_digest`.

    >>> paper_id("We extend LoRA.")
    'a019652e9b5d'
    """
    return abstract_digest(abstract)[:ID_LENGTH]
