from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methodmap.graph.errors import RejectedRecord
from methodmap.graph.model import Paper, Source
from methodmap.graph.sources.jsonl import read_json, read_jsonl

ABSTRACT = "We extend LoRA & test <it> on ImageNet-C."


def read(text: str) -> tuple[list[Paper], list[RejectedRecord]]:
    """The papers of JSON lines, and the reports."""
    rejected: list[RejectedRecord] = []
    return list(read_jsonl(text.splitlines(keepends=True), "x.jsonl", rejected=rejected.append)), rejected


def read_document(text: str) -> tuple[list[Paper], list[RejectedRecord]]:
    """The papers of a JSON document, and the reports."""
    rejected: list[RejectedRecord] = []
    return list(read_json(text, "x.json", rejected=rejected.append)), rejected


def test_full_record() -> None:
    """The six keys give the six fields, and the source is the record's line and first character; the abstract keeps every character."""
    line = (
        r'{"id": " lora-x ", "title": "Extending\n LoRA", "abstract": " We \u00e9xtend\r\n\nLoRA. ",'
        r' "venue": "ICLR", "year": 2026, "url": "https://e.org/x"}'
    )
    papers, rejected = read(f"\ufeff\n  {line}\r\n")
    assert rejected == []
    assert papers == [
        Paper("lora-x", " We éxtend\r\n\nLoRA. ", Source("x.jsonl", 2, 4), "Extending LoRA", "ICLR", 2026, "https://e.org/x"),
    ]


def test_abstract_alone() -> None:
    """Only the abstract is needed; the id is that of its text."""
    papers, rejected = read(json.dumps({"abstract": ABSTRACT}))
    assert (papers, rejected) == ([Paper("246cfadbe1e9", ABSTRACT, Source("x.jsonl", 1, 0))], [])


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"paperId": "p", "Abstract Note": ABSTRACT, "Publication Year": "2024"}, ("p", None, None, 2024, None)),
        ({"DOI": "10.1/x", "SUMMARY": ABSTRACT, "published": "2026-01-03T00:00Z"}, ("10.1/x", None, None, 2026, None)),
        ({"corpusId": 123, "abstract": ABSTRACT, "journal": {"name": "JMLR"}, "year": None}, ("123", None, "JMLR", None, None)),
        ({"arxiv_id": "2401.1", "text": ABSTRACT, "pdf_url": "http://e.org/p", "name": "T"}, ("2401.1", "T", None, None, "http://e.org/p")),
        ({"id": "", "forum": "f", "abstract": "N/A", "summary": ABSTRACT, "booktitle": "ICML 2025"}, ("f", None, "ICML 2025", 2025, None)),
        ({"id": "a/b c<d>é", "abstract": [ABSTRACT], "url": "javascript:alert(1)"}, ("a/b c<d>é", None, None, None, None)),
        (
            {
                "id": "n1",
                "number": 5,
                "content": {"title": {"value": "T"}, "abstract": {"value": ABSTRACT}, "venue": {"value": "ICLR 2026 Oral"}},
            },
            ("n1", "T", "ICLR 2026 Oral", 2026, None),
        ),
        (
            {"DOI": "10.1/x", "title": ["T"], "abstract": ABSTRACT, "container-title": ["JMLR"], "issued": {"date-parts": [[2024, 1, 2]]}},
            ("10.1/x", "T", "JMLR", 2024, None),
        ),
        (
            {
                "id": "https://openalex.org/W1",
                "publication_year": 2024,
                "abstract_inverted_index": {word: [place] for place, word in reversed(list(enumerate(ABSTRACT.split())))},
            },
            ("https://openalex.org/W1", None, None, 2024, None),
        ),
    ],
)
def test_other_spellings(record: dict[str, Any], expected: tuple[str, str | None, str | None, int | None, str | None]) -> None:
    """Keys of other exports are understood in any case; empty ones give way to the next key; odd ids are kept, odd links are not."""
    papers, rejected = read(json.dumps(record))
    assert rejected == []
    (paper,) = papers
    assert paper.abstract == ABSTRACT
    assert (paper.id, paper.title, paper.venue, paper.year, paper.url) == expected


def test_numbers_as_ids() -> None:
    """A number is an id as it is written, with its last zero."""
    papers, _ = read(f'{{"id": 2401.12340, "abstract": "{ABSTRACT}"}}\n{{"id": {"9" * 5000}, "abstract": "{ABSTRACT}", "year": NaN}}')
    assert [paper.id for paper in papers] == ["2401.12340", "9" * 5000]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"abstract": "x', "not valid JSON: Unterminated string starting at (column 14)"),
        ('["abstract"]', "a record must be a JSON object with an 'abstract'"),
        ("{}", "no abstract: the record is empty"),
        ('{"title": "T", "id": 1}', "no abstract: the record's keys are id, title; name the abstract's 'abstract'"),
        ('{"abstract": " \\n"}', "the abstract is empty"),
        ('{"abstract": null, "id": 1}', "the abstract is empty"),
        ('{"abstract": "No abstract available."}', "the abstract is empty"),
        ('{"abstract_inverted_index": null}', "the abstract is empty"),
        (
            '{"abstract_inverted_index": {"We": 0}}',
            "the abstract's index is not of the form {word: [places]}: write the abstract as a string",
        ),
        ('{"abstract": 12}', "'abstract' is no text but the number 12: write the abstract as a string"),
        ('{"abstract": ["a", "b"]}', "'abstract' is no text but a list: write the abstract as a string"),
        ('{"abstract": "half \\ud800"}', "U+D800 is half a character (a lone surrogate): write the whole character ('half \ufffd')"),
        (
            '{"abstract": "ok", "title": "half \\udfff"}',
            "U+DFFF is half a character (a lone surrogate): write the whole character ('half \ufffd')",
        ),
        ('{"abstract": "nul \\u0000"}', "a NUL character: remove it ('nul \ufffd')"),
        ('{"abstract": "caf\udce9"}', 'byte 0xE9 is not UTF-8: save the file as UTF-8 (\'tract": "caf\ufffd"}\')'),
        ("[" * 100_000, "not valid JSON: nested too deeply"),
        (json.dumps({"abstract": "a" * 100_001}), "too long for an abstract (100,001 characters, the limit is 100,000)"),
    ],
)
def test_bad_records_are_reported(line: str, reason: str) -> None:
    """A record that describes no paper is reported with its line and the reason; the others are read."""
    good = json.dumps({"abstract": ABSTRACT})
    papers, rejected = read(f"{good}\n\n{line}\n{good}\n")
    assert [paper.source.line for paper in papers] == [1, 4]
    assert rejected == [RejectedRecord("x.jsonl", 3, reason)]


@pytest.mark.parametrize(("text", "reason"), [("", "the file is empty"), ("\n\n", "the file holds no record")])
def test_no_records(text: str, reason: str) -> None:
    """A file without records says so."""
    assert read(text) == ([], [RejectedRecord("x.jsonl", 1, reason)])


@pytest.mark.parametrize(
    "form",
    [
        "[\n{a},\r\n{b}\n]",
        '{{"count": 2, "notes": [\n{a},\r\n{b}], "more": []}}',
        '{{"Papers":[\n{a}\r\n,{b}]}}\n',
        "\n{a}\r\n{b}",
    ],
)
def test_documents(form: str) -> None:
    """An array, an object around one, and objects in a row are read with each record's own line and place."""
    a, b = json.dumps({"id": "a", "abstract": ABSTRACT}, indent=1), json.dumps({"id": "b", "abstract": ABSTRACT})
    text = form.format(a=a, b=b)
    papers, rejected = read_document(text)
    assert rejected == []
    assert [(paper.id, paper.source.line, paper.source.offset) for paper in papers] == [("a", 2, text.index(a)), ("b", 6, text.index(b))]


@pytest.mark.parametrize(
    "form", ['{{"notes": [{0}, 5, {0}], "count": 2}}', '{{"status": "ok", "message": {{"total": 2, "items": [{0}, 5, {0}]}}}}']
)
def test_what_servers_send(form: str) -> None:
    """A response wraps its records, on one line or on many, and comes under any name; a bad record costs itself alone."""
    text = form.format(json.dumps({"id": "a", "abstract": ABSTRACT}))
    places = [text.index('{"id"'), text.rindex('{"id"')]
    for read_form in (read, read_document):
        papers, rejected = read_form(text)
        assert [(paper.abstract, paper.source.line, paper.source.offset) for paper in papers] == [(ABSTRACT, 1, place) for place in places]
        assert [str(record.reason) for record in rejected] == ["a record must be a JSON object with an 'abstract'"]


def test_a_record_with_results_of_its_own() -> None:
    """An annotated paper, which has a list of results, is one record and no wrapping of several."""
    text = json.dumps({"id": "a", "abstract": ABSTRACT, "results": [{"value": "59.2%"}]})
    for read_form in (read, read_document):
        papers, rejected = read_form(text)
        assert ([paper.id for paper in papers], rejected) == (["a"], [])


def test_document_with_a_mistake() -> None:
    """Records before a mistake are read, what is no paper is passed over, and the mistake is reported with its line."""
    papers, rejected = read_document(f'[{{"id": "a", "abstract": "{ABSTRACT}"}},\n7,\n{{"abstract" 1}}]')
    assert [paper.id for paper in papers] == ["a"]
    assert rejected == [
        RejectedRecord("x.json", 2, "a record must be a JSON object with an 'abstract'"),
        RejectedRecord("x.json", 3, "not valid JSON: Expecting ':' delimiter (column 13); nothing behind this can be read"),
    ]


@given(st.text(st.sampled_from('[]{},:"\\ \n1abstract\ufeff\x00\udce9'), max_size=200))
def test_any_document_is_read_or_reported(text: str) -> None:
    """Whatever a document holds, reading ends and gives or reports something."""
    papers, rejected = read_document(text)
    assert papers or rejected


def test_markup_in_titles() -> None:
    """A title comes as plain text, without LaTeX and formulas."""
    titles = [r"On \\textbf{Offline} RL under $\\epsilon$-Coverage", "Plain Title"]
    papers, rejected = read("".join(f'{{"title": "{title}", "abstract": "We extend LoRA."}}\n' for title in titles))
    assert rejected == []
    assert [paper.title for paper in papers] == ["On Offline RL under ε-Coverage", "Plain Title"]
