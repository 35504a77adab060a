"""Plain text and the way back to the source."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methodmap.graph.text import PlainText, to_plain

SEEDS = sorted((Path(__file__).parents[2] / "seeds").glob("*.txt"))
PIECES = [
    *"\\${}*_`~<>&;[]()#%'\" \n\r\t\x0cab1^-=é\u200b\u200d\ud800🙂א",
    *(
        r"\textbf{",
        r"\frac",
        r"\sqrt[",
        r"\(",
        r"\)",
        r"\begin{a}",
        r"\name",
        r"\cite{a}",
        "``",
        "''",
        "--",
        "<b>",
        "</b>",
        "http://a",
        "&lt;",
    ),
]
ANY_TEXT = st.one_of(st.lists(st.sampled_from(PIECES)).map("".join), st.text(st.characters()))
WORDS = st.lists(st.text("abcXYZ019éß中.,:!?-–’%", min_size=1), min_size=1).map(" ".join)


def span_of(plain: PlainText, words: str) -> tuple[int, int]:
    """Where the words stand in the plain text."""
    start = plain.text.index(words)
    return start, start + len(words)


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        pytest.param(r"\textbf{Re}LIFT", "ReLIFT", id="command"),
        pytest.param(r"$\texttt{EQUAL}$ and {\em X} {\bf Y}", "EQUAL and X Y", id="formula that is a word, declarations"),
        pytest.param(r"5–10$\times$, 3\%, 92.3% fewer", "5–10×, 3%, 92.3% fewer", id="per cent signs"),
        pytest.param(r"$\mathcal{O}(\sqrt{T})$, $\frac{a+1}{b}$, $x_{i}^2$, $\mathbb{R}$", "O(√T), (a+1)/b, x_i^2, ℝ", id="formulas"),
        pytest.param(r"$\epsilon$-greedy, \(k\)NN, $$x$$, $DA$$^2$, $ K $-means", "ε-greedy, kNN, x, DA^2, K-means", id="dollars"),
        pytest.param("costs $5 and $7, US$10-US$20, $9", "costs $5 and $7, US$10-US$20, $9", id="prices"),
        pytest.param(r"\method is \ours{} and \foo{bar}", "method is ours and bar", id="commands of the authors"),
        pytest.param(r"LoRA~\citep{a,b}. Fig.~3, ~10%, 2~GB, 3~5", "LoRA. Fig. 3, ~10%, 2 GB, 3~5", id="ties and about"),
        pytest.param(r"A\footnote{At \url{http://x.y}.} b", "A b", id="footnote"),
        pytest.param(
            r"na\"ive caf\'e Schr\"{o}dinger Nystr{\"o}m, it\'s \"so\"", 'naïve café Schrödinger Nyström, it\'s "so"', id="accents"
        ),
        pytest.param(r"\begin{itemize} \item A \end{itemize} B \\ C", "A B C", id="environment and line break"),
        pytest.param("1$\times$ \textbf{A} \x0cootnote{b}", "1× A", id="commands whose start an export has eaten"),
        pytest.param(r"$50\\%$ of \\textbf{A} and Retro\*", "50% of A and Retro*", id="doubled and markdown escapes"),
        pytest.param("***LEXam*** **A** *b* __c__ _d_", "LEXam A b c d", id="emphasis"),
        pytest.param("**D**iscrete Lat**E**nt **F**eatur**E**", "Discrete LatEnt FeaturE", id="emphasis in words"),
        pytest.param("***C****ond adv****AN****t estimati****ON*** (***CANON***)", "Cond advANt estimatiON (CANON)", id="mixed emphasis"),
        pytest.param("A* and 2*3, a * b, snake_case_x, **A* search**", "A* and 2*3, a * b, snake_case_x, A* search", id="stars that stay"),
        pytest.param("# Title\n\n`x_*y*` ![a](b) [t](u) <https://x.y/~a_b_c>", "Title x_*y* a t https://x.y/~a_b_c", id="markdown"),
        pytest.param(r"\url{http://a.b/~c_d_e} \href{u}{t}", "http://a.b/~c_d_e t", id="addresses"),
        pytest.param("``Ratchet Effect'' `x' don't", "“Ratchet Effect” ‘x’ don't", id="quotes"),
        pytest.param(r"A---B 1--2 \emph{c}", "A—B 1–2 c", id="dashes in LaTeX"),
        pytest.param("models---standard --flag", "models---standard --flag", id="dashes in prose"),
        pytest.param("p < 0.05 and q > 3, <b>x</b><br/>&amp; &lt;y", "p < 0.05 and q > 3, x & <y", id="HTML"),
        pytest.param(" a\r\n\tb\u00a0c\u200bd\ufeff ", "a b cd", id="white space"),
        pytest.param("{a, b} \\ } $ {c", "{a, b} \\ } $ {c", id="lone signs"),
        pytest.param(r"of \textbf{c $", r"of \textbf{c $", id="lone signs in LaTeX"),
        pytest.param("", "", id="nothing"),
        pytest.param(r"\cite{a}", "", id="nothing to see"),
    ],
)
def test_markup_becomes_what_it_shows(source: str, plain: str) -> None:
    """LaTeX, markdown and HTML show what a reader sees, and signs that are no markup survive."""
    assert to_plain(source).text == plain


@pytest.mark.parametrize(
    ("source", "words", "quote"),
    [
        (r"our \textbf{ReLIFT} wins", "ReLIFT", "ReLIFT"),
        (r"our \textbf{Re}LIFT wins", "ReLIFT", r"\textbf{Re}LIFT"),
        ("our **Ra**LoRA-Pro wins", "RaLoRA-Pro", "**Ra**LoRA-Pro"),
        ("our **Ra LoRA**-Pro wins", "LoRA-Pro", "LoRA**-Pro"),
        (r"our $\texttt{EQUAL}$ wins", "EQUAL", "EQUAL"),
        ("by 5–10$\\times$ less", "5–10×", "5–10$\\times$"),
        ("the $R^2$ score", "R^2", "$R^2$"),
        (r"in $\frac{a}{b}$ steps", "a/b", r"$\frac{a}{b}$"),
        (r"with \ours{} now", "ours", r"\ours{}"),
        ("the [Ra](http://u)LoRA", "RaLoRA", "[Ra](http://u)LoRA"),
        ("the <b>Ra</b>LoRA", "RaLoRA", "<b>Ra</b>LoRA"),
        ("test\r\n  time adaptation", "test time", "test\r\n  time"),
    ],
)
def test_words_lead_back_to_their_source(source: str, words: str, quote: str) -> None:
    """Evidence leaves out the markup around the words and keeps all that splits them; the quote leads to the words again."""
    plain = to_plain(source)
    start, end = plain.source_span(*span_of(plain, words))
    assert source[start:end] == quote
    assert plain.plain_span(start, end) == span_of(plain, words)


def test_what_is_not_seen_has_no_plain_span() -> None:
    """A citation's key shows nothing; an empty or far span is empty, at a place inside the source."""
    plain = to_plain(r"LoRA \cite{hu}.")
    assert plain.text == "LoRA."
    assert plain.plain_span(5, 14) is None
    assert plain.source_span(2, 2) == (2, 2)
    assert plain.source_span(90, 99) == (15, 15)
    assert to_plain("").source_span(0, 1) == (0, 0)


@given(ANY_TEXT, st.integers(0, 50), st.integers(0, 50))
def test_every_source_has_a_plain_text_with_a_sound_map(source: str, start: int, length: int) -> None:
    """No input raises; the map is as long as the text, stays inside the source, never runs backwards, and so do all spans."""
    plain = to_plain(source)
    assert len(plain.text) == len(plain.starts) == len(plain.ends)
    assert all(0 <= first < last <= len(source) for first, last in zip(plain.starts, plain.ends, strict=True))
    assert list(plain.starts) == sorted(plain.starts)
    assert list(plain.ends) == sorted(plain.ends)
    first, last = plain.source_span(start, start + length)
    assert 0 <= first <= last <= len(source)
    if length and start + length <= len(plain.text):
        back = plain.plain_span(first, last)
        assert back is not None
        assert back[0] <= start
        assert back[1] >= start + length


@given(WORDS)
def test_text_without_markup_is_its_own_plain_text(source: str) -> None:
    """Where nothing is special, nothing changes, offsets included."""
    plain = to_plain(source)
    assert plain == PlainText(source, range(len(source)), range(1, len(source) + 1))


@pytest.mark.parametrize("sign", ["{", "}", "{}", "\\", "$", "*", "**a", "`a ", "<a ", "[a](", r"\textbf{", "~", " \n", "x", "\ud800"])
def test_long_hostile_input_is_read(sign: str) -> None:
    """Twenty thousand unbalanced signs on end are read without an error."""
    plain = to_plain(sign * 20_000)
    assert len(plain.text) == len(plain.starts)


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.name)
def test_seeds_keep_no_commands(path: Path) -> None:
    """In the seed files no LaTeX command, formula dollar, bold star or doubled space is left."""
    for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
        text = to_plain(paragraph).text
        assert not any(sign in text for sign in ("\\", "$", "**", "``", "  "))
