"""LaTeX to the characters it shows, each with its place in the source. pylatexenc parses; what shows, and from where, is decided here.

The parser gets one command with its arguments, or one formula, at a time: prose between them is never parsed, and what the parser cannot
read stays as it stands without harm to the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from pylatexenc import latexwalker as lw  # type: ignore[import-untyped]  # it has neither stubs nor py.typed
from pylatexenc.macrospec import LatexContextDb, MacroSpec  # type: ignore[import-untyped]  # as above

from methodmap.graph.text_buffer import Buffer, Writer
from methodmap.graph.text_macros import (
    ACCENTS,
    ARGUMENTS,
    CITATIONS,
    DECLARATIONS,
    DOUBLE_STRUCK,
    HIDDEN,
    LETTERS_THAT_TAKE_ACCENTS,
    SPACES,
)
from methodmap.graph.text_regions import LITERAL, Regions, find_regions, known_symbols, repairs

__all__ = ["render_latex"]

_TOKEN: Final = re.compile(r"\\(?:[A-Za-z]+\*?|.)|[{}$]", re.DOTALL)
_ENVIRONMENT: Final = re.compile(r"\\(?:begin|end)\{[A-Za-z]{1,30}\*?\}")
_COMMAND: Final = re.compile(r"\\[A-Za-z]")
_OPTIONAL: Final = re.compile(r"\[[^\[\]{}$]{0,200}\]")
_GAP: Final = re.compile(r"[ \t]{0,3}")
_OPERATOR: Final = re.compile(r"[-+/*=<> ,]")
_CODE_POINT: Final = re.compile(r"\{x([0-9A-Fa-f]{2,5})\}")

_MAX_ARGUMENT: Final = 2000  # characters; longer arguments are shown as running text, since the parser is slow
_MAX_UNKNOWN_ARGUMENTS: Final = 3  # groups right after a command that nobody knows


def render_latex(source: str) -> Buffer:
    """What the LaTeX in ``source`` shows. Never raises: what is no LaTeX, or cannot be parsed, shows as it stands."""
    if not any(sign in source for sign in "\\${"):
        return Buffer.unchanged(source)
    edits = repairs(source)
    if not edits:
        return _Renderer(source, find_regions(source)).render()
    repaired = Buffer.unchanged(source)
    repaired.apply(edits)
    buffer = _Renderer(repaired.text, find_regions(repaired.text)).render()
    buffer.lead_through(repaired)
    return buffer


@cache
def _context() -> Any:
    """The commands whose arguments the parser must know."""
    database = LatexContextDb()
    specs = [MacroSpec(name, arguments) for name, arguments in sorted(ARGUMENTS.items())]
    specs += [MacroSpec(name, "[[{") for name in sorted(CITATIONS)]
    specs += [MacroSpec(name, "{") for name in sorted(ACCENTS)]
    database.add_context_category("methodmap", macros=specs)
    database.set_unknown_macro_spec(MacroSpec("", ""))
    return database


class _Renderer:
    """One pass over one source, writing a buffer."""

    def __init__(self, source: str, regions: Regions) -> None:
        self.source = source
        self.masked = regions.masked
        self.regions = regions
        self.out = Writer(source)
        self.is_latex = bool(regions.formulas) or _COMMAND.search(self.masked) is not None
        self.hidden: set[int] = set()

    def render(self) -> Buffer:
        position, end = 0, len(self.source)
        while position < end:
            match = _TOKEN.search(self.masked, position)
            self.out.raw(position, match.start() if match else end)
            position = self._token(match) if match else end
        return self.out.buffer(is_latex=self.is_latex)

    # Running text

    def _token(self, match: re.Match[str]) -> int:
        """Show one token of running text; return where reading goes on."""
        start, end = match.span()
        if start in self.regions.formulas:
            inner, close, after = self.regions.formulas[start]
            self._parsed(*self.out.mark_formula(start, after, inner, close), math=True)
            return after
        if match[0] == "{" and self._hides(start, self.regions.partners[start]):
            partner = self.regions.partners[start]
            self._hide(start, start, partner)
        if match[0] in "{}$":
            if start not in self.hidden:
                self.out.raw(start, end)
            return end
        environment = _ENVIRONMENT.match(self.masked, start)
        if environment:
            self.out.show(" ", *environment.span())
            return environment.end()
        return self._command(start, end, match[0][1:])

    def _hides(self, start: int, partner: int) -> bool:
        """Whether braces in running text are LaTeX's, which do not show, and not an author's set or template."""
        if self.masked[start + 1] == "\\" or self.source[start - 1 : start] in ("^", "_"):
            return True
        return self.is_latex and partner - start < _MAX_ARGUMENT and "," not in self.source[start:partner]

    def _hide(self, outer_start: int, opener: int, partner: int) -> None:
        self.hidden.update((opener, partner))
        self.out.mark(outer_start, partner + 1, opener + 1, partner)

    def _command(self, start: int, end: int, name: str) -> int:
        """Show one command of running text; return where reading goes on."""
        if len(name) > 1 and name.endswith("*") and name not in ARGUMENTS:
            name, end = name[:-1], end - 1
        stop, groups = self._arguments(name, end)
        if stop - end > _MAX_ARGUMENT:
            self._hide(start, groups[0], self.regions.partners[groups[0]])
            return groups[0] + 1
        if name == " " and (start == 0 or self.source[start - 1].isspace()):
            self.out.raw(start, end)
            return end
        if name in CITATIONS and groups:
            self.out.take_back_space()
            return stop
        if stop > end:
            self._parsed(start, stop, math=False)
            return stop
        if name in ARGUMENTS and self.masked[end : end + 1] == LITERAL:
            self.out.raw(start, end)
        elif name in DECLARATIONS and name not in SPACES:
            return end + (self.masked[end : end + 1] == " ")
        elif name not in ARGUMENTS:
            self._bare(name, start, end)
        return end

    def _arguments(self, name: str, end: int) -> tuple[int, list[int]]:
        """Where the command's arguments end in the source, and where each group of them starts."""
        if name in ACCENTS and not self.masked.startswith("{", end):
            letter, before = self.masked[end : end + 1], self.source[end - 3 : end - 2]
            accented = letter in LETTERS_THAT_TAKE_ACCENTS and (name != '"' or before == "{" or before.isalnum() or letter.isupper())
            return (end + 1 if letter and accented and not name.isalpha() else end), []
        arguments = ARGUMENTS.get(name, "[[{" if name in CITATIONS else "{" if name in ACCENTS else "")
        known = arguments != "" or name in known_symbols() or name in DECLARATIONS or not name.isalpha()
        optional = _OPTIONAL.match(self.masked, end) if "[" in arguments else None
        while optional:
            end = optional.end()
            optional = _OPTIONAL.match(self.masked, end)
        groups: list[int] = []
        for _ in range(arguments.count("{") if known else _MAX_UNKNOWN_ARGUMENTS):
            gap = _GAP.match(self.masked, end) if known else None
            opener = gap.end() if gap else end
            if self.masked[opener : opener + 1] != "{":
                break
            groups.append(opener)
            end = self.regions.partners[opener] + 1
        return end, groups

    def _bare(self, name: str, start: int, end: int) -> None:
        """Show a command that has no argument."""
        if name in SPACES:
            self.out.show(" ", start, end)
        elif name in known_symbols():
            self.out.show(known_symbols()[name], start, end)
        elif name in DECLARATIONS or name in CITATIONS:
            pass
        elif name.isalpha():
            self.out.show(name[0], start, start + 2)
            self.out.raw(start + 2, start + 1 + len(name), settled=True)
        else:
            self.out.show(name, start, end)

    # Parsed stretches

    def _parsed(self, start: int, end: int, *, math: bool) -> None:
        """Parse ``source[start:end]`` and show it; show it as it stands where the parser fails."""
        before = self.out.state()
        try:
            walker = lw.LatexWalker(self.masked[start:end], latex_context=_context(), tolerant_parsing=True)
            nodes, _, parsed = walker.get_latex_nodes(0, parsing_state=walker.make_parsing_state(in_math_mode=math))
            if parsed != end - start:
                raise ValueError(parsed)
            self._nodes(nodes, start, math)
        except Exception:  # whatever the parser trips over, the reader still gets the characters
            self.out.undo(before)
            self.out.raw(start, end, settled=True)

    def _nodes(self, nodes: Sequence[Any], offset: int, math: bool) -> None:
        nodes = [node for node in nodes if node is not None]
        done = 0
        for node, following in zip(nodes, [*nodes, None][1:], strict=True):
            start, end = offset + node.pos, offset + node.pos + node.len
            if start < done:
                continue
            if isinstance(node, lw.LatexMacroNode):
                group = following if isinstance(following, lw.LatexGroupNode) and following.pos == node.pos + node.len else None
                done = self._macro(node, group, offset, math)
            elif isinstance(node, lw.LatexGroupNode) and node.delimiters[0] == "{":
                self.out.mark(start, end, start + 1, end - 1)
                self._nodes(node.nodelist, offset, math)
            elif isinstance(node, lw.LatexMathNode):
                self.out.mark_formula(start, end, start + len(node.delimiters[0]), end - len(node.delimiters[1]))
                self._nodes(node.nodelist, offset, True)
            elif isinstance(node, lw.LatexEnvironmentNode):
                self._nodes(node.nodelist, offset, math)
            elif math:
                for tie in self.source[start:end].split("~")[:-1]:
                    self.out.raw(start, start + len(tie), settled=True)
                    self.out.show(" ", start + len(tie), start + len(tie) + 1)
                    start += len(tie) + 1
                self.out.raw(start, end, settled=True)
            else:
                self.out.raw(start, end)

    def _macro(self, node: Any, group: Any, offset: int, math: bool) -> int:
        """Show one parsed command, with the group after it if nobody knows the command; return where its source ends."""
        name: str = node.macroname
        start: int = offset + node.pos
        end: int = start + node.len
        space = len(node.macro_post_space or "")
        arguments: Sequence[Any] = node.nodeargd.argnlist if node.nodeargd else ()
        if name in ACCENTS and arguments and arguments[0] is not None:
            letter = "".join(c for c in self.source[offset + arguments[0].pos : end] if c not in "{}\\")
            self.out.show(unicodedata.normalize("NFC", letter[:1] + ACCENTS[name]) + letter[1:], start, end)
        elif name in ARGUMENTS:
            self._with_arguments(name, arguments, start, end, offset, math)
        elif name in CITATIONS or name in DECLARATIONS:
            pass
        elif group is None or space or not name.isalpha() or name in known_symbols():
            self._bare(name, start, end - space)
            self.out.raw(end - space, end, settled=True)
        elif group.nodelist:
            self.out.mark(start, end + group.len, end + 1, end + group.len - 1)
            self._nodes(group.nodelist, offset, math)
            after: int = end + group.len
            return after
        else:
            self._bare(name, start, end)
            end += group.len
            self.out.ends[-1] = end
        return end

    def _with_arguments(self, name: str, arguments: Sequence[Any], start: int, end: int, offset: int, math: bool) -> None:
        hidden = HIDDEN.get(name, ())
        shown = [argument for i, argument in enumerate(arguments) if argument is not None and i not in hidden]
        fraction = name.endswith("frac")
        if name == "sqrt":
            self.out.show("√", start, start + len("\\sqrt"))
        for i, argument in enumerate(shown):
            first, last = offset + argument.pos, offset + argument.pos + argument.len
            inner = self.source[first:last]
            grouped = inner.startswith("{") and isinstance(argument, lw.LatexGroupNode)
            if i and fraction:
                self.out.show("/", first, first + 1)
            if grouped and (i == 0 or not fraction):
                # The first argument carries the mark of the whole: whoever takes more than it, takes the command too.
                self.out.mark(start, end, first + 1, last - 1)
            code_point = _CODE_POINT.fullmatch(inner) if name == "unicode" else None
            if code_point:
                self.out.show(chr(int(code_point[1], 16)), start, end)
            elif name == "mathbb" and inner.strip("{} ") in DOUBLE_STRUCK:
                self.out.show(DOUBLE_STRUCK[inner.strip("{} ")], start, end)
            else:
                wrapped = (fraction or name == "sqrt") and grouped and _OPERATOR.search(inner) is not None
                if wrapped:
                    self.out.show("(", first, first + 1)
                self._nodes(argument.nodelist if grouped else [argument], offset, math)
                if wrapped:
                    self.out.show(")", last - 1, last)
