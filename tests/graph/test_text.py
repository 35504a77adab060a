"""Plain text and the way back to the source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methodmap.graph.text import to_plain

PIECES = [
    *"\\${}*_`~<>&;[]()#%'\" \n\r\tab1^-=é\u200b\ud800🙂",
    r"\textbf{",
    r"\frac",
    r"\(",
    r"\)",
    r"\begin{a}",
    r"\name",
    "``",
    "''",
    "--",
    "<b>",
]
ANY_TEXT = st.one_of(st.lists(st.sampled_from(PIECES)).map("".join), st.text(st.characters()))


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        (r"\textbf{Re}LIFT", "ReLIFT"),
        (r"$\texttt{EQUAL}$", "EQUAL"),
        (r"5–10$\times$ and 3\%", "5–10× and 3%"),
        ("92.3% fewer", "92.3% fewer"),
        ("***LEXam***", "LEXam"),
        ("**D**iscrete Lat**E**nt **F**eatur**E**", "Discrete LatEnt FeaturE"),
        (r"\url{http://a.b/~c_d_e} \href{u}{t} [t](u) <https://x.y>", "http://a.b/~c_d_e t t https://x.y"),
        ("``Ratchet Effect'' `x'", "“Ratchet Effect” ‘x’"),
        (r"$\mathcal{O}(\sqrt{T})$, $\frac{a}{b}$, $x_{i}^2$", "O(√T), a/b, x_i^2"),
        ("costs $5 and $7", "costs $5 and $7"),
        ("A* and 2*3 and a * b of snake_case_x", "A* and 2*3 and a * b of snake_case_x"),
        ("p < 0.05 and q > 3 <b>x</b> &amp; y", "p < 0.05 and q > 3 x & y"),
        (r"{\em X} {\bf Y}~\citep{a,b}.", "X Y."),
    ],
)
def test_markup_becomes_what_it_shows(source: str, plain: str) -> None:
    """LaTeX, markdown and HTML show what a reader sees, and signs that are no markup survive."""
    assert to_plain(source).text == plain


@given(ANY_TEXT)
def test_every_source_has_a_plain_text_with_a_sound_map(source: str) -> None:
    """No input raises; the map is as long as the text, stays inside the source and never runs backwards."""
    plain = to_plain(source)
    assert len(plain.text) == len(plain.starts) == len(plain.ends)
    assert all(0 <= start < end <= len(source) for start, end in zip(plain.starts, plain.ends, strict=True))
    assert list(plain.starts) == sorted(plain.starts)
    assert list(plain.ends) == sorted(plain.ends)
