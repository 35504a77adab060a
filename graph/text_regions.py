"""Where LaTeX is in a text that may also be prose: formulas, pairs of braces, the signs that are only signs, and damage to undo.

A price is no formula, ``92.3% fewer`` no comment, ``{a, b`` no group. Such signs are masked, one character for one, so that offsets stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from pylatexenc.latex2text import get_default_latex_context_db  # type: ignore[import-untyped]  # it has neither stubs nor py.typed

from methodmap.graph.text_buffer import Edit, in_order
from methodmap.graph.text_macros import ARGUMENTS, CITATIONS, DECLARATIONS, SYMBOLS, WORDS

__all__ = ["LITERAL", "Regions", "find_regions", "known_symbols", "repairs"]

LITERAL: Final = "\x01"
"""Masks a sign that shows as it stands."""
_EATEN_LETTERS: Final = {"\t": "t", "\n": "n", "\r": "r", "\x07": "a", "\x08": "b", "\x0b": "v", "\x0c": "f"}
_EATEN: Final = re.compile(r"(\$?)([\t\n\r\x07\x08\x0b\x0c])([a-z]+)(\{?)")
_DOUBLED: Final = re.compile(r"(?<!\\)\\(?=\\(?:([A-Za-z]{3,})|[%{}_&#$]))")
_PERCENT: Final = re.compile(r"(?<!\\)%")
_DOLLAR: Final = re.compile(r"\\.|\$", re.DOTALL)
_BRACE: Final = re.compile(r"\\[()\[\]]|\\.|[{}$]", re.DOTALL)
_MATH_SIGN: Final = re.compile(r"[\\^_={}<>|]")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_CLOSERS: Final = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}

_MAX_FORMULA: Final = 600  # characters; two dollars further apart than this are prices
_MAX_DEPTH: Final = 20  # braces in braces; the parser recurses, and no abstract nests deeper


@dataclass(slots=True)
class Regions:
    """What was found. ``formulas`` leads from a formula's start to its inner start, inner end and end; ``partners`` from brace to brace."""

    masked: str
    formulas: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    partners: dict[int, int] = field(default_factory=dict)


@cache
def known_symbols() -> dict[str, str]:
    """The commands that show fixed characters: pylatexenc's table, and ours where it differs."""
    known: dict[str, str] = {
        spec.macroname: spec.simplify_repl
        for spec in get_default_latex_context_db().iter_macro_specs()
        if isinstance(spec.simplify_repl, str) and len(spec.simplify_repl) == 1
    }
    return known | {word: word for word in WORDS} | SYMBOLS


def repairs(source: str) -> list[Edit]:
    r"""The edits that undo what exports do to commands: double their backslash, or read the ``\t`` of ``\times`` as a tab.

    >>> repairs(r"by 50\\%")
    [(5, 6, '')]
    """
    edits = [(m.start(), m.end(), "") for m in _DOUBLED.finditer(source) if m[1] is None or _is_known(m[1])]
    edits += [(m.start(2), m.end(2), "\\" + _EATEN_LETTERS[m[2]]) for m in _EATEN.finditer(source) if _is_eaten(m)]
    return in_order(edits)


def find_regions(source: str) -> Regions:
    """Find the formulas and groups of a text, in linear time."""
    regions = Regions(_mask(source, [m.start() for m in _PERCENT.finditer(source)]))
    regions.masked = _mask(regions.masked, _find_formulas(regions))
    regions.masked = _mask(regions.masked, _pair_braces(regions))
    return regions


def _mask(text: str, positions: list[int]) -> str:
    if not positions:
        return text
    characters = list(text)
    for position in positions:
        characters[position] = LITERAL
    return "".join(characters)


def _is_known(name: str) -> bool:
    return name in ARGUMENTS or name in CITATIONS or name in DECLARATIONS or name in known_symbols()


def _is_eaten(match: re.Match[str]) -> bool:
    r"""Whether a control character is what some export made of a command's start: ``\times`` read as a tab and ``imes``."""
    dollar, control, rest, brace = match.groups()
    if control in "\n\r" or (control == "\t" and len(rest) < 4):
        return bool(dollar or brace) and _is_known(_EATEN_LETTERS[control] + rest)
    return _is_known(_EATEN_LETTERS[control] + rest)


def _find_formulas(regions: Regions) -> list[int]:
    """Fill ``formulas``; return the places of the dollars that are only dollars."""
    text = regions.masked
    tokens = [m.span() for m in _DOLLAR.finditer(text) if m[0] == "$" or m[0][1] in "()[]"]
    lone: list[int] = []
    i = 0
    while i < len(tokens):
        used = _formula(text, tokens, i)
        if used:
            start, (inner, close, end) = tokens[i][0], used[1:]
            regions.formulas[start] = inner, close, end
        elif text[tokens[i][0]] == "$":
            lone.append(tokens[i][0])
        i += used[0] if used else 1
    return lone


def _formula(text: str, tokens: list[tuple[int, int]], i: int) -> tuple[int, int, int, int] | None:
    """The formula that token ``i`` opens, if any: how many tokens it takes, its inner start, inner end, end."""
    for width in (2, 1):
        opener, closer = tokens[i : i + width], tokens[i + width : i + 2 * width]
        if len(closer) < width or opener[-1][1] - opener[0][0] > 2 or (width == 2 and closer[0][1] != closer[1][0]):
            continue
        start, inner, close, end = opener[0][0], opener[-1][1], closer[0][0], closer[-1][1]
        if _CLOSERS.get(text[start:inner]) != text[close:end]:
            continue
        content = text[inner:close]
        if (text[start] == "\\" and len(content) <= _MAX_FORMULA) or _looks_like_math(content, text[end : end + 1]):
            return 2 * width, inner, close, end
    return None


def _looks_like_math(content: str, follower: str) -> bool:
    """Whether what stands between two dollars is a formula, not the words between two prices."""
    words = content.strip()
    if not words or len(content) > _MAX_FORMULA or "\n\n" in content:
        return False
    if words[0].isdigit() and follower.isdigit():
        return "\\" in content
    if _MATH_SIGN.search(content) or not any(character.isspace() for character in words):
        return True
    if content[0].isspace() or content[-1].isspace():
        return False
    return all(word in known_symbols() for word in _WORD.findall(content))


def _pair_braces(regions: Regions) -> list[int]:
    """Fill ``partners``; return the places of the braces that have none. No pair crosses a formula's edge."""
    lone: list[int] = []
    prose: list[int] = []
    formula: list[int] = []
    formula_end = 0
    for match in _BRACE.finditer(regions.masked):
        start, sign = match.start(), match[0]
        if start >= formula_end:
            lone += formula
            formula = []
            formula_end = regions.formulas.get(start, (0, 0, 0))[2]
        stack = formula if start < formula_end else prose
        if sign == "{":
            stack.append(start)
        elif sign == "}":
            opener = stack.pop() if stack else None
            if opener is None or len(stack) >= _MAX_DEPTH:
                lone += [start] if opener is None else [opener, start]
            else:
                regions.partners[opener] = start
    return [*lone, *formula, *prose]
