"""What LaTeX commands show, as data: which arguments they take, which of them are seen, and which stand for a character."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ACCENTS",
    "ARGUMENTS",
    "CITATIONS",
    "DECLARATIONS",
    "DOUBLE_STRUCK",
    "HIDDEN",
    "LETTERS_THAT_TAKE_ACCENTS",
    "SPACES",
    "SYMBOLS",
    "WORDS",
]


def _words(line: str) -> list[str]:
    return line.split()


ARGUMENTS: Final[dict[str, str]] = {
    **dict.fromkeys(
        _words(
            "textbf textit textsc texttt textrm textsf textsl textmd textup textnormal text emph underline uline mbox fbox hbox url path "
            "mathbf mathit mathrm mathsf mathtt mathcal mathfrak mathbb mathscr mathnormal boldsymbol bm pmb operatorname operatorname* "
            "textsuperscript textsubscript ensuremath smash mathord mathop mathbin mathrel hat bar tilde vec widehat widetilde overline "
            "unicode ding dot ddot check breve acute grave mathring Tilde nolinkurl enquote textquote section subsection paragraph"
        ),
        "{",
    ),
    "sqrt": "[{",
    **dict.fromkeys(_words("frac tfrac dfrac nicefrac sfrac binom"), "{{"),
    **dict.fromkeys(_words("href textcolor colorbox hyperlink overset underset stackrel"), "{{"),
    "hyperref": "[{",
    "color": "{",
    **dict.fromkeys(
        _words("footnote footnotetext footnotemark thanks label ref cref Cref autoref eqref pageref vspace hspace bibliography phantom"),
        "[{",
    ),
}
"""The arguments of each known command, as pylatexenc writes them: ``{`` one that must be there, ``[`` one that may be."""

DECLARATIONS: Final[frozenset[str]] = frozenset(
    _words(
        "em bf it rm sf sc sl tt cal bfseries itshape rmfamily sffamily ttfamily scshape normalfont small large Large footnotesize "
        "scriptsize tiny normalsize displaystyle textstyle scriptstyle centering noindent left right big Big bigg Bigg bigl bigr Bigl Bigr "
        "biggl biggr limits nolimits protect relax item par newline linebreak newpage xspace"
    )
)
"""Commands without an argument that change what follows and show nothing themselves."""

CITATIONS: Final[frozenset[str]] = frozenset(
    _words("cite citep citet citealp citealt citeauthor citeyear parencite textcite autocite nocite")
)
"""Commands that show keys of a bibliography which an abstract does not have: dropped, with the space before them."""

HIDDEN: Final[dict[str, tuple[int, ...]]] = {
    "href": (0,),
    "textcolor": (0,),
    "colorbox": (0,),
    "hyperlink": (0,),
    "hyperref": (0,),
    "overset": (0,),
    "underset": (0,),
    "stackrel": (0,),
    "color": (0,),
    "sqrt": (0,),
    **dict.fromkeys(_words("label ref cref Cref autoref eqref pageref vspace hspace bibliography phantom footnotemark ding"), (0, 1)),
    # A footnote interrupts the sentence it hangs on: shown in place, it would break the phrase around it.
    **dict.fromkeys(_words("footnote footnotetext thanks"), (0, 1)),
}
"""Which arguments of a command are not shown, counted from 0."""

SPACES: Final[frozenset[str]] = frozenset(
    [",", ";", ":", " ", "\t", "\n", "quad", "qquad", "\\", "space", "enspace", "thinspace", "item", "par", "newline"]
)
"""Commands that show one space."""

ACCENTS: Final[dict[str, str]] = {
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    '"': "\u0308",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "k": "\u0328",
    "r": "\u030a",
    "d": "\u0323",
    "b": "\u0331",
}
"""The combining character that each accent command puts on its letter."""

LETTERS_THAT_TAKE_ACCENTS: Final = "aeiouycnAEIOUYCNij"
"""Without braces, an accent is believed before these only: ``it\\'s`` is an escaped apostrophe, ``caf\\'e`` is an accent."""

DOUBLE_STRUCK: Final[dict[str, str]] = dict(zip("CNPQRZEH", "ℂℕℙℚℝℤ𝔼ℍ", strict=True))
"""What the letters of ``\\mathbb`` look like."""

WORDS: Final[frozenset[str]] = frozenset(
    _words(
        "arccos arcsin arctan arg argmax argmin cos cosh cot csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min "
        "poly Pr sec sin sinh sup tan tanh"
    )
)
"""Functions that show their own name."""

SYMBOLS: Final[dict[str, str]] = {
    "%": "%",
    "&": "&",
    "#": "#",
    "$": "$",
    "_": "_",
    "{": "{",
    "}": "}",
    "|": "‖",
    "!": "",
    "/": "",
    "-": "",
    "@": "",
    "star": "⋆",
    "ast": "∗",
    "le": "≤",
    "ge": "≥",
    "ne": "≠",
    "to": "→",
    "lVert": "‖",
    "rVert": "‖",
    "lvert": "|",
    "rvert": "|",
    "gtrsim": "≳",
    "lesssim": "≲",
    "coloneqq": "≔",
    "dots": "…",
    "ldots": "…",
    "cdots": "⋯",
    "textemdash": "—",
    "textendash": "–",
    "textquotedblleft": "“",
    "textquotedblright": "”",
    "textquoteleft": "‘",
    "textquoteright": "’",
    "textperthousand": "‰",
    "texttimes": "×",
    "texttildelow": "~",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textbackslash": "\\",
    "textbar": "|",
    "textless": "<",
    "textgreater": ">",
    "textunderscore": "_",
    "epsilon": "ε",
    "phi": "φ",
    "LaTeX": "LaTeX",
    "TeX": "TeX",
    "ie": "i.e.",
    "eg": "e.g.",
    "etc": "etc.",
    "iid": "i.i.d.",
    "wrt": "w.r.t.",
    "etal": "et al.",
}
"""Characters that commands stand for, where they differ from or are not in pylatexenc's table."""
