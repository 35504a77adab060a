"""LaTeX to the characters it shows, each with its place in the source. pylatexenc parses; what is shown, and from where, is decided here.

The parser gets one command with its arguments, or one formula, at a time: prose between them is never parsed (an abstract's ``92.3% fewer``
is no comment), and what the parser cannot read stays as it is without harm to the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from pylatexenc import latexwalker as lw  # type: ignore[import-untyped]  # neither stubs nor py.typed exist
from pylatexenc.latex2text import get_default_latex_context_db  # type: ignore[import-untyped]  # as above
from pylatexenc.macrospec import LatexContextDb, MacroSpec  # type: ignore[import-untyped]  # as above

from methodmap.graph.text_macros import (
    ACCENTS,
    ARGUMENTS,
    CITATIONS,
    DECLARATIONS,
    DOUBLE_STRUCK,
    HIDDEN,
    LETTERS_THAT_TAKE_ACCENTS,
    SPACES,
    SYMBOLS,
    WORDS,
)

__all__ = ["Rendering", "render_latex"]

_TOKEN: Final = re.compile(r"\\(?:[A-Za-z]+\*?|.)|\$\$?|[{}]", re.DOTALL)
_ENVIRONMENT: Final = re.compile(r"\\(?:begin|end)\{[A-Za-z]{1,30}\*?\}")
_DOUBLED: Final = re.compile(r"\\(?=\\(?:([A-Za-z]+)|[%{}_&#$]))")
_PERCENT: Final = re.compile(r"(?<!\\)%")
_MATH_SIGN: Final = re.compile(r"[\\^_={}<>|]")
_LONG_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_OPTIONAL: Final = re.compile(r"\[[^\[\]{}$]{0,200}\]")
_OPERATOR: Final = re.compile(r"[-+/*=<> ,]")
_GAP: Final = re.compile(r"[ \t]{0,3}")

_MATH_CLOSERS: Final = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_MAX_FORMULA: Final = 600  # characters; two dollars further apart than this are prices
_MAX_ARGUMENT: Final = 2000  # characters; longer arguments are shown as running text, since the parser is slow and deep
_MAX_DEPTH: Final = 20  # braces in braces; the parser recurses, and no abstract nests deeper
_LITERAL: Final = "\x01"
_DROPPED: Final = "\x02"


@dataclass(slots=True)
class Rendering:
    """Text under way to plain: each character with its source span, whether markdown may read it, and the markup that was taken off.

    ``marks`` are ``(outer start, outer end, inner start, inner end)`` in the source: the inner part shows, the rest is markup around it.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    shield: bytearray | None = None
    marks: list[tuple[int, int, int, int]] = field(default_factory=list)
    is_latex: bool = False


def render_latex(source: str) -> Rendering:
    """What the LaTeX in ``source`` shows. Never raises: what is no LaTeX, or cannot be parsed, is shown as it stands."""
    if not any(sign in source for sign in "\\${"):
        return Rendering(source, range(len(source)), range(1, len(source) + 1))
    return _Renderer(source).render()


@cache
def _symbols() -> dict[str, str]:
    known = {
        spec.macroname: spec.simplify_repl
        for spec in get_default_latex_context_db().iter_macro_specs()
        if isinstance(spec.simplify_repl, str) and len(spec.simplify_repl) == 1
    }
    return known | {word: word for word in WORDS} | SYMBOLS


@cache
def _context() -> Any:
    database = LatexContextDb()
    specs = [MacroSpec(name, arguments) for name, arguments in sorted(ARGUMENTS.items())]
    specs += [MacroSpec(name, "[[{") for name in sorted(CITATIONS)]
    specs += [MacroSpec(name, "{") for name in sorted(ACCENTS)]
    database.add_context_category("methodmap", macros=specs)
    database.set_unknown_macro_spec(MacroSpec("", ""))
    return database


def _is_known(name: str) -> bool:
    return name in ARGUMENTS or name in CITATIONS or name in DECLARATIONS or name in _symbols()


def _looks_like_math(content: str, follower: str) -> bool:
    """Whether what stands between two dollars is a formula, not the words between two prices."""
    if not content.strip() or len(content) > _MAX_FORMULA or "\n\n" in content:
        return False
    if _MATH_SIGN.search(content):
        return not (follower.isdigit() and content[0].isdigit() and "\\" not in content)
    if content[0].isspace() or content[-1].isspace() or follower.isdigit():
        return False
    return " " not in content or _LONG_WORD.search(content) is None


class _Renderer:
    """One pass over one source."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.masked = source
        self.math: dict[int, tuple[int, int, int]] = {}
        self.closing: dict[int, int] = {}
        self.pieces: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.shield = bytearray()
        self.marks: list[tuple[int, int, int, int]] = []

    def render(self) -> Rendering:
        masks = [(m.start(), _DROPPED) for m in _DOUBLED.finditer(self.source) if m[1] is None or _is_known(m[1])]
        self._mask(masks)
        self._mask([(m.start(), _LITERAL) for m in _PERCENT.finditer(self.masked)])
        self._mask(self._find_math())
        self._mask(self._pair_braces())
        is_latex = bool(self.math) or re.search(r"\\[A-Za-z]", self.source) is not None
        self._running(0, len(self.source), is_latex)
        return Rendering("".join(self.pieces), self.starts, self.ends, self.shield, self.marks, is_latex)

    def _mask(self, masks: list[tuple[int, str]]) -> None:
        if masks:
            characters = list(self.masked)
            for position, character in masks:
                characters[position] = character
            self.masked = "".join(characters)

    def _find_math(self) -> list[tuple[int, str]]:
        """Fill ``self.math`` (start -> inner start, inner end, end); return masks for the dollars that are only dollars."""
        text = self.masked
        tokens = [m for m in re.finditer(r"\\.|\$\$?", text, re.DOTALL) if m[0] in _MATH_CLOSERS or m[0] in ("\\)", "\\]")]
        masks: list[tuple[int, str]] = []
        i = 0
        while i < len(tokens):
            opener, closer = tokens[i], tokens[i + 1] if i + 1 < len(tokens) else None
            if closer and closer[0] == _MATH_CLOSERS.get(opener[0]):
                content = text[opener.end() : closer.start()]
                if _looks_like_math(content, text[closer.end() : closer.end() + 1]) or (
                    opener[0][0] == "\\" and len(content) <= _MAX_FORMULA
                ):
                    self.math[opener.start()] = (opener.end(), closer.start(), closer.end())
                    i += 2
                    continue
            if opener[0][0] == "$":
                masks += [(position, _LITERAL) for position in range(opener.start(), opener.end())]
            i += 1
        return masks

    def _pair_braces(self) -> list[tuple[int, str]]:
        """Fill ``self.closing`` (brace -> its partner); return masks for the braces that have none. No pair crosses a formula's edge."""
        text, masks = self.masked, []
        prose: list[int] = []
        formula: list[int] = []
        inside_until = 0
        for match in re.finditer(r"\\.|[{}]|\$|(?<=\\)[(\[]", text, re.DOTALL):
            start = match.start()
            if start >= inside_until:
                masks += formula
                formula = []
                if start in self.math:
                    inside_until = self.math[start][2]
                    continue
            stack = formula if start < inside_until else prose
            if match[0] == "{":
                stack.append(start)
            elif match[0] == "}":
                if stack and len(stack) <= _MAX_DEPTH:
                    opener = stack.pop()
                    self.closing[opener] = start
                else:
                    masks.append(start)
                    if stack:
                        masks.append(stack.pop())
        return [(position, _LITERAL) for position in sorted({*masks, *formula, *prose})]

    # Writing

    def _raw(self, start: int, end: int, shielded: bool = False) -> None:
        """Show the source's own characters."""
        if _DROPPED in self.masked[start:end]:
            for position in range(start, end):
                if self.masked[position] != _DROPPED:
                    self._show(self.source[position], position, position + 1, shielded)
            return
        self.pieces.append(self.source[start:end])
        self.starts.extend(range(start, end))
        self.ends.extend(range(start + 1, end + 1))
        self.shield.extend((b"\x01" if shielded else b"\x00") * (end - start))

    def _show(self, text: str, start: int, end: int, shielded: bool = True) -> None:
        """Show characters that stand for the whole of ``source[start:end]``."""
        self.pieces.append(text)
        self.starts.extend([start] * len(text))
        self.ends.extend([end] * len(text))
        self.shield.extend((b"\x01" if shielded else b"\x00") * len(text))

    def _mark(self, start: int, end: int, inner_start: int, inner_end: int) -> None:
        self.marks.append((start, end, inner_start, inner_end))

    def _undo_to(self, length: int, pieces: int, marks: int) -> None:
        del self.pieces[pieces:], self.marks[marks:], self.starts[length:], self.ends[length:], self.shield[length:]

    # Running text

    def _running(self, position: int, end: int, is_latex: bool) -> None:
        hidden: set[int] = set()
        while position < end:
            match = _TOKEN.search(self.masked, position, end)
            if match is None:
                self._raw(position, end)
                return
            self._raw(position, match.start())
            position = self._token(match, hidden, is_latex)

    def _token(self, match: re.Match[str], hidden: set[int], is_latex: bool) -> int:
        """Show one token of running text; return where reading goes on."""
        start, end = match.span()
        if start in self.math:
            inner, close, after = self.math[start]
            self._mark(start, after, inner, close)
            self._parsed(inner, close, math=True)
            return after
        if match[0] == "{":
            partner = self.closing[start]
            content = self.source[start + 1 : partner] if partner - start < _MAX_ARGUMENT else ""
            if content.startswith("\\") or self.source[start - 1 : start] in ("^", "_") or (is_latex and "," not in content):
                hidden.update((start, partner))
                self._mark(start, partner + 1, start + 1, partner)
        if match[0] in "{}":
            if start not in hidden:
                self._raw(start, end)
            return end
        if match[0][0] == "\\":
            environment = _ENVIRONMENT.match(self.masked, start)
            if environment:
                self._show(" ", *environment.span())
                return environment.end()
            return self._command(match, hidden)
        self._raw(start, end)
        return end

    def _command(self, match: re.Match[str], hidden: set[int]) -> int:
        start, end = match.span()
        name = match[0][1:]
        if name.endswith("*") and name not in ARGUMENTS:
            name, end = name[:-1], end - 1
        stop = self._arguments_end(name, end)
        if stop - end > _MAX_ARGUMENT:
            opener = self.masked.index("{", end)
            close = self.closing[opener]
            hidden.update((opener, close))
            self._mark(start, close + 1, opener + 1, close)
            return opener + 1
        if name in CITATIONS and stop > end:
            while self.pieces and self.pieces[-1] and self.pieces[-1][-1] in " ~\n":
                self.pieces[-1] = self.pieces[-1][:-1]
                del self.starts[-1], self.ends[-1], self.shield[-1]
            return stop
        if name in DECLARATIONS and name not in SPACES:
            return stop + (self.masked[stop : stop + 1] == " ")
        self._parsed(start, stop, math=False)
        return stop

    def _arguments_end(self, name: str, end: int) -> int:
        """Where the command's arguments end in the source."""
        if name in ACCENTS and not self.masked.startswith("{", end):
            letter = self.masked[end : end + 1]
            before = self.source[end - 3 : end - 2]
            accented = letter != "" and letter in LETTERS_THAT_TAKE_ACCENTS and (name != '"' or before.isalnum() or letter.isupper())
            return end + 1 if accented and not name.isalpha() else end
        arguments = ARGUMENTS.get(name, "[[{" if name in CITATIONS else "{" if name in ACCENTS else "")
        known = arguments != "" or name in _symbols()
        groups = arguments.count("{") if known else 3
        if not known and not name.isalpha():
            return end
        if "[" in arguments:
            while optional := _OPTIONAL.match(self.masked, end):
                end = optional.end()
        for _ in range(groups):
            gap = _GAP.match(self.masked, end)
            opener = gap.end() if gap and known else end
            if opener not in self.closing or self.masked[opener] != "{":
                break
            end = self.closing[opener] + 1
        return end

    # Parsed stretches

    def _parsed(self, start: int, end: int, *, math: bool) -> None:
        """Parse ``source[start:end]`` and show it; show it as it stands where the parser fails."""
        undo = len(self.starts), len(self.pieces), len(self.marks)
        try:
            walker = lw.LatexWalker(self.masked[start:end], latex_context=_context(), tolerant_parsing=True)
            state = walker.make_parsing_state(in_math_mode=math)
            nodes, _, length = walker.get_latex_nodes(0, parsing_state=state)
            if length != end - start:
                raise ValueError(length)
            self._nodes(nodes, start, math)
        except Exception:  # whatever the parser trips over, the reader still gets the characters
            self._undo_to(*undo)
            self._raw(start, end, shielded=True)

    def _nodes(self, nodes: Sequence[Any], offset: int, math: bool) -> None:
        nodes = [node for node in nodes if node is not None]
        skip = False
        for i, node in enumerate(nodes):
            start, end = offset + node.pos, offset + node.pos + node.len
            if skip:
                skip = False
                continue
            if isinstance(node, lw.LatexMacroNode):
                following = nodes[i + 1] if i + 1 < len(nodes) else None
                skip = self._macro(node, start, end, following if isinstance(following, lw.LatexGroupNode) else None, offset, math)
            elif isinstance(node, lw.LatexGroupNode) and node.delimiters[0] == "{":
                self._mark(start, end, start + 1, end - 1)
                self._nodes(node.nodelist, offset, math)
            elif isinstance(node, lw.LatexMathNode):
                self._mark(start, end, start + len(node.delimiters[0]), end - len(node.delimiters[1]))
                self._nodes(node.nodelist, offset, True)
            elif isinstance(node, lw.LatexEnvironmentNode):
                self._nodes(node.nodelist, offset, math)
            else:
                self._raw(start, end, shielded=math)

    def _macro(self, node: Any, start: int, end: int, group: Any, offset: int, math: bool) -> bool:
        """Show one command; true if the group after it was shown with it."""
        name: str = node.macroname
        space = len(node.macro_post_space or "")
        arguments: Sequence[Any] = node.nodeargd.argnlist if node.nodeargd else ()
        symbols = _symbols()
        if name in SPACES:
            self._show(" ", start, end)
        elif name in CITATIONS or name in DECLARATIONS:
            pass
        elif name in ACCENTS and arguments and arguments[0] is not None:
            letter = "".join(c for c in self.source[offset + arguments[0].pos : end] if c not in "{}\\")
            self._show(unicodedata.normalize("NFC", letter[:1] + ACCENTS[name]) + letter[1:], start, end)
        elif name in ARGUMENTS:
            self._with_arguments(name, arguments, start, end, offset, math)
        elif name in symbols:
            self._show(symbols[name], start, end - space)
            self._raw(end - space, end, shielded=True)
        elif not name.isalpha():
            if len(name) == 1:
                self._show(name, start, end)
        elif group is not None and group.pos + offset == end and space == 0 and group.nodelist:
            self._mark(start, end + group.len, end + 1, end + group.len - 1)
            self._nodes(group.nodelist, offset, math)
            return True
        else:
            self._show(name[0], start, start + 2)
            self._raw(start + 2, end, shielded=True)
            return group is not None and group.pos + offset == end and not group.nodelist
        return False

    def _with_arguments(self, name: str, arguments: Sequence[Any], start: int, end: int, offset: int, math: bool) -> None:
        hidden = HIDDEN.get(name, ())
        shown = [argument for i, argument in enumerate(arguments) if argument is not None and i not in hidden]
        if name == "sqrt":
            self._show("√", start, start + len("\\sqrt"))
        grouped = name == "sqrt" or name.endswith("frac")
        for i, argument in enumerate(shown):
            first, last = offset + argument.pos, offset + argument.pos + argument.len
            if i and name.endswith("frac"):
                self._show("/", first, first + 1)
            inner = self.source[first:last]
            wrapped = grouped and _OPERATOR.search(inner) is not None
            if inner.startswith("{"):
                self._mark(start, end, first + 1, last - 1) if len(shown) == 1 else self._mark(first, last, first + 1, last - 1)
            if wrapped:
                self._show("(", first, first + 1)
            if name == "mathbb" and inner.strip("{} ") in DOUBLE_STRUCK:
                self._show(DOUBLE_STRUCK[inner.strip("{} ")], start, end)
            elif inner.startswith("{") and hasattr(argument, "nodelist"):
                self._nodes(argument.nodelist, offset, math and name not in ("text", "textrm", "mbox"))
            else:
                self._nodes([argument], offset, math)
            if wrapped:
                self._show(")", last - 1, last)
