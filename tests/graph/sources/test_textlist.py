from __future__ import annotations

from pathlib import Path
from textwrap import fill

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methodmap.graph.errors import RejectedRecord
from methodmap.graph.model import Paper
from methodmap.graph.sources import textlist
from methodmap.graph.sources.decode import count_line_ends
from methodmap.graph.sources.textlist import read_textlist

SEEDS = Path(__file__).parents[3] / "seeds"

A = "We introduce ALPHA, a sparse optimiser for large language models, and show that it outperforms AdamW on C4 by a wide margin."
B = "Graph neural networks oversmooth when they grow deep. BETA rewires the graph as it learns, and reaches 84.5% accuracy on Cora at last."
C = "Offline reinforcement learning suffers from distribution shift. We bound it, and derive GAMMA, which is best on nine D4RL tasks."
LONG_A, LONG_B, LONG_C = (f"{text} {text.replace('We', 'They')} {text.lower()}" for text in (A, B, C))


def read(text: str, path: str = "list.txt", *, markdown: bool = False) -> tuple[list[Paper], list[RejectedRecord]]:
    """The papers and the reports, after checking that every abstract stands where its source says."""
    rejected: list[RejectedRecord] = []
    papers = list(read_textlist(text, path, markdown=markdown, rejected=rejected.append))
    for paper in papers:
        start = paper.source.offset
        assert text[start : start + len(paper.abstract)] == paper.abstract
    return papers, rejected


def titled(text: str, *, markdown: bool = False) -> list[tuple[str | None, str]]:
    """Title and abstract of each paper of a text that reads without a report."""
    papers, rejected = read(text, markdown=markdown)
    assert rejected == []
    return [(paper.title, paper.abstract) for paper in papers]


@pytest.mark.parametrize(
    ("name", "venue"),
    [
        ("000_251d02e570105a36.txt", "ICLR 2026"),
        ("001_003ed3f88853897d.txt", "ICLR 2026"),
        ("002_9611c81b8e63fe1c.txt", "ICLR 2026"),
        ("003_ad437d38d23e0f6b.txt", "ICML 2026"),
    ],
)
def test_seed_files(name: str, venue: str) -> None:
    """Each seed file gives its 19 abstracts, on its odd lines from the third, whole, untitled, with the venue and year of its heading."""
    text = (SEEDS / name).read_bytes().decode()
    papers, rejected = read(text, name)
    assert rejected == []
    assert [paper.source.line for paper in papers] == list(range(3, 41, 2))
    assert [paper.abstract for paper in papers] == text.rstrip("\n").split("\n\n")[1:]
    assert {(paper.venue, paper.year, paper.title) for paper in papers} == {(venue, 2026, None)}


def test_paper_is_complete() -> None:
    """A paper has the id of its text, its place, and the venue and year of the heading."""
    papers, _ = read(f"ICLR 2026 论文列表\n\n{A}")
    assert papers == [
        Paper(id="32e6265b1209", abstract=A, source=papers[0].source, venue="ICLR 2026", year=2026),
    ]
    assert (papers[0].source.path, papers[0].source.line, papers[0].source.offset) == ("list.txt", 3, 16)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("gap", ["", "\t", "  \t "])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_marks_and_gaps(end: str, mark: str, gap: str, last: bool) -> None:
    """Windows and old Mac line ends, a byte order mark, tabs on blank lines and a missing last line end change no abstract and no line."""
    text = mark + end.join(["ICML 2026 Papers", gap, gap, A, gap, f"\t{B}  ", gap, gap, gap, C]) + end * last
    papers, rejected = read(text)
    assert rejected == []
    assert [(paper.abstract, paper.source.line, paper.venue) for paper in papers] == [
        (A, 4, "ICML 2026"),
        (B, 6, "ICML 2026"),
        (C, 10, "ICML 2026"),
    ]


def test_wrapped_paragraph_is_kept_verbatim() -> None:
    """An abstract over several lines is one, with its line ends, even where a line begins like a list item, a heading or a rule."""
    wrapped = fill(A, 60).replace("\n", "\r\n")
    odd = f"{B}\n- not an item\n92. We find the number\n# of parameters to matter,\n+ more."
    assert titled(f"{wrapped}\r\n\r\n{odd}") == [(None, wrapped), (None, odd)]


@pytest.mark.parametrize(
    ("heading", "path", "venue", "year"),
    [
        ("# NeurIPS 2025", "x.md", "NeurIPS 2025", 2025),
        ("Accepted papers at ICLR-2024", "neurips2023.txt", "ICLR 2024", 2024),
        ("My reading list", "more/neurips-2023-papers.txt", "NeurIPS 2023", 2023),
        ("ICLR papers", "iclr2026.txt", "ICLR 2026", 2026),
        ("ICLR papers", "x.txt", "ICLR", None),
        ("Papers I liked", "notes-2024.txt", None, None),
        ("", "iclr2026.txt", "ICLR 2026", 2026),
    ],
)
def test_venue_and_year(heading: str, path: str, venue: str | None, year: int | None) -> None:
    """The heading gives venue and year, else the file's name does, else nothing."""
    papers, rejected = read(f"{heading}\n\n{A}\n\n{B}\n", path, markdown=path.endswith("md"))
    assert rejected == []
    assert [(paper.abstract, paper.venue, paper.year) for paper in papers] == [(A, venue, year), (B, venue, year)]


def test_heading_without_a_blank_line() -> None:
    """A heading on the line right above the first abstract is still a heading."""
    papers, _ = read(f"ICLR 2026 Papers\n{A}\n\n{B}")
    assert [(paper.abstract, paper.source.line, paper.venue) for paper in papers] == [(A, 2, "ICLR 2026"), (B, 4, "ICLR 2026")]


@pytest.mark.parametrize("markdown", [True, False])
@pytest.mark.parametrize("markers", ["- - -", "* * *", "+ + +", "• • •", "1. 2. 3.", "7) 8) 9)", "1. 1. 1.", "(1) (2) (3)", "[4] [5] [6]"])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_bullets_and_numbers(markers: str, gap: str, markdown: bool) -> None:
    """Bullets and numbers are no part of the abstracts, and a tight list is an abstract an item."""
    items = [f"{marker} {text}" for marker, text in zip(markers.split(), (A, B, C), strict=True)]
    assert titled("ICLR 2026 Papers\n\n" + gap.join(items), markdown=markdown) == [(None, A), (None, B), (None, C)]


def test_wrapped_items_of_a_tight_list() -> None:
    """An item's further lines are its own, also those that begin with a number out of turn."""
    text = f"1. {fill(A, 50)}\n92. Still the first item.\n2. {B}"
    assert titled(text) == [(None, f"{fill(A, 50)}\n92. Still the first item."), (None, B)]


@pytest.mark.parametrize(
    "form",
    [
        "# {title}\n\n{text}",
        "## {title}\n{text}",
        "### 3. {title} ###\n\n{text}",
        "{title}\n-----\n\n{text}",
        "**{title}**\n{text}",
        "**{title}**  \n\n{text}",
        "__{title}__\n\n{text}",
        "1. **{title}**\n   {text}",
        "- **{title}**\n\n  {text}",
        "## **{title}**\n\n*A. Author, B. Author*\n\n**Abstract:** {text}\n\n**Keywords:** x, y",
        "## {title}\n\nA. Author, B. Author\n\n### Abstract\n\n{text}",
        "**Title:** {title}\n**Authors:** A. Author\n**Abstract**: {text}",
        "Title: {title}\nAbstract: {text}",
        "{title}\nA. Author\nAbstract. {text}",
        "{title}\n\n{text}",
        "{title}\n{text}",
    ],
)
def test_titles(form: str) -> None:
    """A heading, a bold line, a label or a steady habit of the file gives titles; authors and labels are no part of an abstract."""
    names = ("ALPHA: A Sparse Optimiser", "Is Depth All You Need?", "Bounds for Offline RL")
    texts = (LONG_A, LONG_B, LONG_C)
    entries = [form.format(title=title, text=text) for title, text in zip(names, texts, strict=True)]
    assert titled("# ICLR 2026 Papers\n\n" + "\n\n".join(entries), markdown=True) == list(zip(names, texts, strict=True))


def test_link_in_a_title() -> None:
    """A linked title gives title and address."""
    papers, _ = read(f"## [ALPHA](https://example.org/alpha) for Models\n\n{A}\n\n## B\n\n{B}", markdown=True)
    assert [(paper.title, paper.url) for paper in papers] == [("ALPHA for Models", "https://example.org/alpha"), ("B", None)]


def test_tight_bold_titles() -> None:
    """Without any blank line, bold lines still part the papers."""
    assert titled(f"**One**\n{A}\n**Two**\n{B}") == [("One", A), ("Two", B)]


def test_sections_are_no_papers_and_no_titles() -> None:
    """Headings over several abstracts, or named for a session, give neither papers nor titles; titles below them stay."""
    assert titled(f"# ICLR 2026\n\n## Oral papers\n\n{A}\n\n{B}\n\n## Theory\n\n{C}\n\n{A} Again.", markdown=True) == [
        (None, A),
        (None, B),
        (None, C),
        (None, f"{A} Again."),
    ]
    assert titled(f"# ICLR 2026\n\n## Orals\n\n### One\n\n{A}\n\n## Posters\n\n### Two\n\n{B}\n\n---\n", markdown=True) == [
        ("One", A),
        ("Two", B),
    ]


def test_abstract_of_several_paragraphs_below_a_title() -> None:
    """Where headings are titles, the paragraphs below one are one abstract, as the file has it."""
    blocks = [f"## T{i}\n\n{text}" for i, text in enumerate((LONG_A, LONG_B, LONG_C, A))]
    assert titled("\n\n".join([*blocks, f"## T4\n\n{LONG_A}\n\n- {LONG_B}"]), markdown=True)[-1] == ("T4", f"{LONG_A}\n\n- {LONG_B}")


def test_no_title_is_invented() -> None:
    """One short line among abstracts is reported, not made the next one's title."""
    papers, rejected = read(f"ICLR 2026 Papers\n\n{LONG_A}\n\nA stray line\n\n{LONG_B}\n\n{LONG_C}")
    assert [(paper.title, paper.abstract) for paper in papers] == [(None, LONG_A), (None, LONG_B), (None, LONG_C)]
    assert rejected == [RejectedRecord("list.txt", 5, "too short for an abstract (3 words): 'A stray line'")]


def test_counters_and_repeated_headings() -> None:
    """Lines that count papers or pages, and headings in the middle of plain text, are neither papers, titles nor mistakes."""
    text = "\n\n".join(
        ["ICLR 2026 Papers", "Paper 1", LONG_A, "2.", LONG_B, "Page 2 of 3", "ICLR 2026 Papers", "Oral papers", f"[3]\n{LONG_C}"]
    )
    assert titled(text) == [(None, LONG_A), (None, LONG_B), (None, LONG_C)]
    assert titled(f"## 1\n\n{LONG_A}\n\n## Paper 2\n\n{LONG_B}", markdown=True) == [(None, LONG_A), (None, LONG_B)]


def test_an_abstract_a_line() -> None:
    """A file without blank lines whose lines are all long holds an abstract a line; fewer or shorter lines are one wrapped abstract."""
    texts = [LONG_A, LONG_B, LONG_C, f"{LONG_A} Again."]
    assert titled("ICLR 2026 Papers\r\n" + "\r\n".join(texts)) == [(None, text) for text in texts]
    assert titled("\n".join(texts[:3])) == [(None, "\n".join(texts[:3]))]
    assert titled("\n".join([*texts, A])) == [(None, "\n".join([*texts, A]))]


def test_quotes_fences_and_tables() -> None:
    """A quote's sign and a fence are no part of an abstract; a table is reported."""
    papers, rejected = read(f"# ICLR 2026\n\n> {A}\n\n```text\n{B}\n```\n\n| T | {C} |", markdown=True)
    assert [paper.abstract for paper in papers] == [A, B]
    assert [(report.line, report.reason.split(":")[0]) for report in rejected] == [(9, "a table")]


@pytest.mark.parametrize("text", ["# " + "#" * 200_000 + "x", "**" + "a __" * 50_000, "- a\n" * 20_000, "Title " * 40_000 + "\n---"])
def test_hostile_lines_end(text: str) -> None:
    """Text made to trip up patterns is reported like any other that holds no abstract."""
    papers, rejected = read(text, markdown=True)
    assert papers == []
    assert rejected


def test_words_that_only_look_like_labels() -> None:
    """Abstracts that begin with "Abstract reasoning" or with markup keep every character."""
    texts = [f"Abstract reasoning is hard. {A}", f"**BETA** and **GAMMA** differ. {B}", f"*Title* {C}", f"Abstract: *Emphasis* first. {C}"]
    assert titled("\n\n".join(texts)) == [(None, text.removeprefix("Abstract: ")) for text in texts]


def test_chinese_abstract() -> None:
    """Text without spaces is measured by its characters."""
    text = "我们提出了一种新的稀疏优化方法,用于训练大规模语言模型。" * 3
    assert titled(f"ICLR 2026 论文列表\n\n{text}") == [(None, text)]


def test_bad_byte_loses_its_paragraph_only() -> None:
    """A paragraph with an undecodable byte or a NUL is reported with the byte's own line; the others are read."""
    papers, rejected = read(
        f"{A}\n\n{fill(B, 60)}\nCaf\udce9 here\n\n{C}\n\nA \0 among these words which are long enough to be an abstract"
    )
    assert [paper.abstract for paper in papers] == [A, C]
    assert [(report.line, report.reason.split(":")[0]) for report in rejected] == [(6, "byte 0xE9 is not UTF-8"), (10, "a NUL character")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the file is empty: abstracts are paragraphs with blank lines between them"),
        ("\ufeff\r\n \t\n", "the file is empty: abstracts are paragraphs with blank lines between them"),
        ("ICLR 2026 Papers\n", "the file holds no abstract: abstracts are paragraphs with blank lines between them"),
        ("word " * 25_000, "too long for an abstract (124,999 characters, at most 100,000): part papers by blank lines"),
    ],
)
def test_files_without_abstracts(text: str, reason: str) -> None:
    """A file that gives no paper says why."""
    assert read(text) == ([], [RejectedRecord("list.txt", 1, reason)])


@given(st.text(st.sampled_from("ab .#*-_1\n\r\t>:[]()\ufeff\x00\udce9é"), max_size=400), st.booleans())
def test_any_text_is_read_or_reported(text: str, markdown: bool) -> None:
    """Whatever a file holds, reading ends, gives or reports something, and every abstract stands where its source says."""
    papers, rejected = read(text, markdown=markdown)
    assert papers or rejected
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert all(1 <= report.line <= lines for report in rejected)


def test_bullets_below_titles_are_one_abstract() -> None:
    """Below headings that title papers, bullets are part of the abstract, which is the file's text from first to last, bullets included."""
    bullets = f"- {A}\n- Short.\n- {B}"
    assert titled(f"## One\n\n{bullets}\n\n## Two\n\n- {C}\n- {A}", markdown=True) == [("One", bullets), ("Two", f"- {C}\n- {A}")]
    mixed = f"{A} It:\n\n- is fast,\n- is small."
    assert titled(f"# Reading list\n\n## FlashSort (NeurIPS 2023)\n\n{mixed}\n\n## GraphMix\n\n{B}", markdown=True) == [
        ("FlashSort (NeurIPS 2023)", mixed),
        ("GraphMix", B),
    ]


def test_bullets_below_one_heading_among_plain_titles() -> None:
    """A paper of bullets keeps its title and text where its neighbours' titles are plain lines."""
    bullets = f"- {A}\n- Metrics: top-1 accuracy.\n- {B}"
    assert titled(f"Sparse Routing\n\n{LONG_A}\n\n## Robust to Snow?\n\n{bullets}\n\nA Survey of RAG\n\n{LONG_B}") == [
        ("Sparse Routing", LONG_A),
        ("Robust to Snow?", bullets),
        ("A Survey of RAG", LONG_B),
    ]


def test_short_first_paragraph_below_a_title_is_kept() -> None:
    """A short sentence before the long paragraph is text of the abstract, not a line of authors."""
    assert titled(
        f"## One\n\nSorting is slow.\n\n{LONG_A}\n\n## Two\n\n{B}\n\n## Three\n\n{C}\n\n## Four\n\n{A}\n\n## Five\n\n{LONG_B}",
        markdown=True,
    )[0] == ("One", f"Sorting is slow.\n\n{LONG_A}")


@pytest.mark.parametrize("form", ["{title}\n{text}", "{title}\nA. Smith, B. Jones, C. Müller\n{text}", "{title}\n\n{text}"])
@pytest.mark.parametrize("heading", ["", "NeurIPS 2025 Papers\n\n"])
def test_titles_of_short_abstracts_in_plain_text(form: str, heading: str) -> None:
    """Titles by habit are seen above abstracts that are one short line too, with the list's heading or without."""
    entries = [("Sparse Optimisers", A), ("GNNs: Deep at Last", B), ("A Survey of Offline RL", C)]
    assert titled(heading + "\n\n".join(form.format(title=title, text=text) for title, text in entries)) == entries


def test_first_lines_without_a_habit_stay() -> None:
    """One paragraph of a short line and a long one is no habit: its text stays whole."""
    assert titled(f"Sparse Optimisers\n{A}\n\n{B}\n\n{C}") == [(None, f"Sparse Optimisers\n{A}"), (None, B), (None, C)]


def test_numbered_title_above_a_labelled_abstract() -> None:
    """A lone title line above "Abstract:" is its title, and it is plain text."""
    assert titled(f"{LONG_A}\n\n3. On \\textbf{{Offline}} RL under $\\epsilon$-Coverage\n\nAbstract: {C}") == [
        (None, LONG_A),
        ("On Offline RL under ε-Coverage", C),
    ]


def test_authors_between_title_and_abstract_need_no_habit() -> None:
    """A line of names tells title from abstract in one paragraph alone, and is no part of an abstract of bullets."""
    assert titled(f"{LONG_A}\n\nALPHA: Sparse Optimisers\nA. Smith, B. Jones\n{LONG_B}") == [
        (None, LONG_A),
        ("ALPHA: Sparse Optimisers", LONG_B),
    ]
    assert titled(f"## One\n\nA. Smith, B. Jones\n\n- {A}\n- Small.\n\n## Two\n\n{B}", markdown=True) == [
        ("One", f"- {A}\n- Small."),
        ("Two", B),
    ]


def test_a_file_of_every_form() -> None:
    """Plain titles, authors, a numbered title, a label and a marked heading in one file each give their own paper."""
    bullets = f"- {A}\n- Metrics: top-1 accuracy."
    forms = [
        f"Sparse Routing\n\n{LONG_A}",
        f"DiffuDock: Docking\nA. Smith, B. Jones\n{LONG_B}",
        f"3. On Offline RL\n\nAbstract: {C}",
        f"## Robust to Snow?\n\n{bullets}",
        f"A Survey of RAG\n\n{LONG_C}",
    ]
    assert titled("\n\n".join(forms)) == [
        ("Sparse Routing", LONG_A),
        ("DiffuDock: Docking", LONG_B),
        ("On Offline RL", C),
        ("Robust to Snow?", bullets),
        ("A Survey of RAG", LONG_C),
    ]


def test_sentence_above_a_labelled_abstract_is_kept() -> None:
    """Below a title, only short lines that are no sentences are left out before "Abstract:"."""
    papers, _ = read(f"## One\n\n{A}\n\nAbstract: {B}\n\n## Two\n\n{C}", markdown=True)
    assert [paper.abstract for paper in papers] == [A, B, C]


def test_an_abstract_a_line_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a file of one abstract a line, each has its own line number, and no line end is counted again for every line behind it."""
    counted: list[int] = []

    def spy(text: str, start: int = 0, end: int | None = None) -> int:
        counted.append((len(text) if end is None else end) - start)
        return count_line_ends(text, start, end)

    monkeypatch.setattr(textlist, "count_line_ends", spy)
    text = "".join(f"{number}: {LONG_A} {LONG_B} {LONG_C}\r\n" for number in range(200))
    papers, rejected = read(text)
    assert rejected == []
    assert [paper.source.line for paper in papers] == list(range(1, 201))
    assert sum(counted) <= 2 * len(text)


def test_headings_without_end() -> None:
    """Tens of thousands of headings without a blank line between them hold no abstract, and are read in one go."""
    papers, rejected = read("# comment\n" * 50_000)
    assert (papers, len(rejected)) == ([], 1)
