"""The key under which the forms of one name are equal: case, spelling, number and hyphens say nothing, meaningful punctuation stays."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from methodmap.graph.spelling import (
    BRITISH,
    DETERMINERS,
    GENERIC_TAILS,
    INVARIANT_S,
    IRREGULAR_PLURALS,
    ISE_WORDS,
    JOINED,
    MODIFIER_PARTS,
    PREFIXES,
)

__all__ = ["is_name", "normalise", "singular"]

_DASHES: Final = re.compile(r"[\u00ad\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d]")
_QUOTES: Final = re.compile(r"[\u2018\u2019\u201b\u02bc`\u00b4]")
# Zero-width characters and marks of ownership or footnotes: invisible in, or foreign to, the name.
_NOTHING: Final = re.compile(r"[\u200b-\u200f\u2060\ufeff\u2122\u00ae\u00a9\u2020\u2021]")
_BLANK: Final = re.compile(r"""[\s_"“”„«»,;:\[\]{}|\\~$%!?\u2022]+""")
_DOTS: Final = re.compile(r"[·⋅∙]")
_ASIDE: Final = re.compile(r"(?<!\w)\(([^()]*)\)")
_SLASH: Final = re.compile(r"(?<!\d)/|/(?!\d)")
_HYPHEN_AFTER_LETTER: Final = re.compile(rf"((?<![^\s-])[^\W\d_]|(?<!\S)(?:{'|'.join(sorted(DETERMINERS))}))-+(?=\w)")
_EDGE: Final = re.compile(r"(?:(?<=\s)|^)[.'/*^&-]+(?=\w)|(?<=\w)[.'/^-]+(?=\s|$)")
_POWER: Final = re.compile(r"(?<=[^\W\d])\^(?=\w)")
_AROUND_AT: Final = re.compile(r"\s*@\s*")
_POSSESSIVE: Final = re.compile(r"(?<=\w)'s?(?=\s|$)")
_LETTER_DIGIT: Final = re.compile(r"(?<=[^\W\d]) (?=\d)")
_LONE_LETTER: Final = re.compile(r"(?<!\S)([^\W\d_a]) (?=[^\W\d_]{2})")
_BRITISH: Final = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(BRITISH, key=len, reverse=True))})")
_ISE: Final = re.compile(r"(\w{3,}?)is(e|ed|er|es|ing|ation|able)")
_YSE: Final = re.compile(r"(\w+al)ys(e|ed|er|ing)")
_ISE_ENDINGS: Final = ("aise", "noise", "oise", "prise", "rcise", "uise", "vise", "wise")
_CAPITAL_PLURAL: Final = re.compile(r"\w*[A-Z]s")
_NAME_PART: Final = re.compile(r"(?=.*[A-Z])(?=.+[A-Z0-9]).{2,}|.*[^\W\d]\d.*|\d+[A-Za-z].*|.*@.*|\w[*#+]+", re.DOTALL)


def singular(word: str) -> str:
    """The singular of one word, folded to lower case; a final capital S that could be taken for a plural's stays a capital.

    A capital S is part of the name ("STARS" is not a plural of "STAR"), and a word with a digit has no plural.

    >>> [singular(w) for w in ("LLMs", "policies", "losses", "batches", "analyses", "Transformers")]
    ['llm', 'policy', 'loss', 'batch', 'analysis', 'transformer']
    >>> [singular(w) for w in ("bias", "analysis", "Adams", "GloVes", "7Bs", "MoEs", "STARS", "dynamics")]
    ['bias', 'analysis', 'adams', 'gloves', '7bs', 'moe', 'starS', 'dynamics']
    """
    low = word.casefold()
    if low in IRREGULAR_PLURALS:
        return IRREGULAR_PLURALS[low]
    if not low.endswith("s") or low in INVARIANT_S or any(c.isdigit() for c in low):
        return low
    if _CAPITAL_PLURAL.fullmatch(word):
        return low[:-1]
    if len(low) <= 3 or low.endswith(("ss", "us", "is", "ics")):
        return low
    if word.endswith("S"):
        return low[:-1] + "S"
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    if low.endswith(("sses", "xes", "ches", "shes", "oes")) and len(low) > 4:
        return low[:-2]
    return low[:-1]


def _american(word: str) -> str:
    word = _BRITISH.sub(lambda m: BRITISH[m[0]], word)
    if m := _YSE.fullmatch(word):
        return f"{m[1]}yz{m[2]}"
    m = _ISE.fullmatch(word)
    if not m or (base := f"{m[1]}ise") in ISE_WORDS or base.endswith(_ISE_ENDINGS):
        return word
    return f"{m[1]}iz{m[2]}"


def _joined(words: list[str]) -> list[str]:
    out: list[str] = []
    for word in words:
        if out and (pair := JOINED.get((out[-1], word))):
            out[-1] = pair
        elif out and out[-1] in PREFIXES and word[0].isalpha():
            out[-1] += word
        else:
            out.append(word)
    return out


def _fold(name: str) -> str:
    text = _NOTHING.sub("", _QUOTES.sub("'", _DASHES.sub("-", unicodedata.normalize("NFKC", name))))
    text = _DOTS.sub("-", text)
    if text.isupper() and len(text.split()) > 1:
        text = text.lower()  # a heading that shouts: its final S may be a plural's
    text = _SLASH.sub(" ", _ASIDE.sub(r" \1 ", _BLANK.sub(" ", text)))
    if text.count("(") != text.count(")"):
        text = text.replace("(", " ").replace(")", " ")
    text = _POWER.sub("", _AROUND_AT.sub("@", text))
    text = _HYPHEN_AFTER_LETTER.sub(r"\1", text) if "-" in text else text
    text = _POSSESSIVE.sub("", _EDGE.sub(" ", text).strip())
    words = [_american(singular(word)) for word in text.replace("-", " ").split()]
    while len(words) > 1 and words[0] in DETERMINERS:
        del words[0]
    words = _joined(words)
    while len(words) > 1 and words[-1] in GENERIC_TAILS:
        words.pop()
    return _LETTER_DIGIT.sub("", _LONE_LETTER.sub(r"\1", " ".join(words)))


@lru_cache(maxsize=1 << 16)
def normalise(name: str) -> str:
    """The key of a name: two forms with the same key name the same thing, if they are of one type.

    ``name`` is plain text (no LaTeX, no markdown). The key is for comparing, not for showing. Never empty unless the name is blank.
    Applied until nothing changes, so that the key of a key is itself.

    >>> normalise("Fine-Tuning") == normalise("fine tuning") == normalise("finetuning")
    True
    >>> [normalise(n) for n in ("Large Language Models", "the policy-gradient methods", "Optimisation of neighbourhoods")]
    ['large language model', 'policy gradient', 'optimization of neighborhood']
    >>> [normalise(n) for n in ("GPT-3.5", "GPT3.5", "GPT-35", "LLaMA-3.1-8B", "LLaMA-3-18B", "ViT-B/16", "ViT-B/32")]
    ['gpt3.5', 'gpt3.5', 'gpt35', 'llama3.1 8b', 'llama3 18b', 'vit b16', 'vit b32']
    >>> [normalise(n) for n in ("C", "C++", "C#", "Q", "Q*", "mAP@0.5", "pass@1", "Pass @ 10", "ImageNet-C", "ImageNet-R")]
    ['c', 'c++', 'c#', 'q', 'q*', 'map@0.5', 'pass@1', 'pass@10', 'imagenet c', 'imagenet r']
    >>> normalise("state-of-the-art") == normalise("state of the art")
    True
    >>> normalise("DALL·E 2") == normalise("DALL-E 2"), normalise("k-NN") == normalise("kNN"), normalise("A-GEM") == normalise("GEM")
    (True, True, False)
    """
    seen = {name}
    key = name
    while (folded := _fold(key) or key.casefold().strip()) not in seen:
        seen.add(folded)
        key = folded
    return folded


def is_name(form: str) -> bool:
    """Whether a form looks coined or abbreviated rather than spelt out: capitals inside words, all capitals, digits among letters.

    >>> [is_name(f) for f in ("LoRA", "LLMs", "GPT-4 Turbo", "ImageNet-C", "pass@k", "mIoU", "k-NN", "NEO")]
    [True, True, True, True, True, True, True, True]
    >>> [is_name(f) for f in ("Mixture-of-Experts", "Direct Preference Optimization", "LLM reasoning", "LLM-based agents", "Adam", "top-5")]
    [False, False, False, False, False, False]
    """
    found = False
    for word in form.split():
        parts = _DASHES.sub("-", word).split("-")
        named = any(_NAME_PART.fullmatch(part) for part in parts) and parts[-1].casefold() not in MODIFIER_PARTS
        if not named and word.islower() and len(word) > 1:
            return False
        if not named and len(parts) > 1 and parts[-1].casefold() in MODIFIER_PARTS:
            return False
        found = found or named
    return found
