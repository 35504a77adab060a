"""Names -> the readable last part of an IRI."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Final

__all__ = ["slug"]

SPOKEN: Final = {"+": "plus", "#": "sharp", "@": "at", "*": "star", "&": "and", "%": "percent"}
"""Signs that tell names apart, as words."""
LONGEST: Final = 80
"""Characters; an IRI is also a file's name and a cell of a table."""


def slug(name: str) -> str:
    """The slug of a name: lower case, hyphens, dots inside numbers and names; letters of every script stay as they are.

    >>> [slug(n) for n in ("ImageNet-C", "GPT-3.5", "C++", "mAP@0.5", "ViT-B/16", "Q*", "τ-bench", "Large Language Models")]
    ['imagenet-c', 'gpt-3.5', 'c-plus-plus', 'map-at-0.5', 'vit-b-16', 'q-star', 'τ-bench', 'large-language-models']

    A name without a letter or digit has a hash for its slug.

    >>> slug("∑")
    'x-be27c7179a'
    """
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    out = "".join(f"-{SPOKEN[c]}-" if c in SPOKEN else c if c == "." or unicodedata.category(c)[0] in "LMN" else "-" for c in text)
    words = [word for part in out.split("-") if (word := part.strip("."))]
    found = "-".join(words)[:LONGEST].strip("-.")
    if not any(c.isalnum() for c in text):
        return f"x-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"
    return found
