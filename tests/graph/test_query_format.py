"""Answers are written as the standards say, and as tables that fit a terminal."""

from __future__ import annotations

import pyoxigraph
import pytest
from examples import GRAPH

from methodmap.graph.database import in_memory
from methodmap.graph.errors import UnknownFormatError
from methodmap.graph.query import Rows, run
from methodmap.graph.query_format import format_answer

BASE = "https://w3id.org/methodmap/"
STORE = in_memory(GRAPH, BASE)
PROPOSALS = "CONSTRUCT { ?p mm:proposes ?m } { ?p mm:proposes ?m }"
EVERY_KIND = (
    'SELECT ("a, \\"b\\"\\t\\n\\rc" AS ?text) ("été"@fr AS ?word) (1.5 AS ?number) (true AS ?flag) (mm:uses AS ?iri)'
    " (BNODE() AS ?blank) ?none (TRIPLE(mm:uses, mm:uses, 2) AS ?triple) {}"
)

ASK = "ASK { ?p mm:proposes ?m }"
WHO = "SELECT ?p ?id ?n { ?p mm:proposes ?m ; dcterms:identifier ?id . ?m mm:paperCount ?n }"


@pytest.mark.parametrize(
    ("query", "format", "expected"),
    [
        (WHO, "table", "p             id      n\n────────────  ──────  ─\npaper/000-06  000-06  1\n"),
        (WHO, "csv", f"p,id,n\r\n{BASE}paper/000-06,000-06,1\r\n"),
        (WHO, "tsv", f'?p\t?id\t?n\n<{BASE}paper/000-06>\t"000-06"\t1\n'),
        (
            WHO,
            "json",
            f'{{"head":{{"vars":["p","id","n"]}},"results":{{"bindings":[{{"p":{{"type":"uri","value":"{BASE}paper/000-06"}},'
            '"id":{"type":"literal","value":"000-06"},'
            '"n":{"type":"literal","value":"1","datatype":"http://www.w3.org/2001/XMLSchema#integer"}}]}}\n',
        ),
        (ASK, "table", "true\n"),
        (ASK, "csv", "true\n"),
        (ASK, "json", '{"head":{},"boolean":true}\n'),
        (
            PROPOSALS,
            "table",
            "subject       predicate    object\n────────────  ───────────  ──────────\npaper/000-06  mm:proposes  method/neo\n",
        ),
        (PROPOSALS, "csv", f"subject,predicate,object\r\n{BASE}paper/000-06,{BASE}ontology#proposes,{BASE}method/neo\r\n"),
        ("SELECT ?x { ?x mm:nothing ?y }", "table", "x\n─\n"),
        ("SELECT ?x { ?x mm:nothing ?y }", "csv", "x\r\n"),
        ("SELECT * { mm:a mm:b mm:c }", "table", "0 solutions without variables\n"),
    ],
)
def test_formats(query: str, format: str, expected: str) -> None:
    """Each kind of answer in each format is exactly this text."""
    assert format_answer(run(STORE, query), format) == expected


def test_turtle() -> None:
    """Triples become Turtle with the known prefixes, and are the same triples when parsed."""
    text = format_answer(run(STORE, PROPOSALS), "ttl")
    assert "mm:proposes" in text
    assert [str(quad.predicate) for quad in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE)] == [f"<{BASE}ontology#proposes>"]


@pytest.mark.parametrize(("format", "standard"), [("json", pyoxigraph.QueryResultsFormat.JSON), ("tsv", pyoxigraph.QueryResultsFormat.TSV)])
def test_every_kind_of_term_is_read_back(format: str, standard: pyoxigraph.QueryResultsFormat) -> None:
    """An independent reader of the standard gets the same terms from the text, quotes, tabs, line ends and languages included."""
    answer = run(STORE, EVERY_KIND)
    assert isinstance(answer, Rows)
    text = format_answer(answer, format)
    parsed = pyoxigraph.parse_query_results(text, format=standard)
    assert isinstance(parsed, pyoxigraph.QuerySolutions)
    (row,) = parsed
    got = list(row)
    assert got[:5] == list(answer.terms[0][:5])
    assert isinstance(got[5], pyoxigraph.BlankNode)
    assert got[6:] == list(answer.terms[0][6:])


def test_a_table_fits_its_terminal() -> None:
    """The widest column is cut with an ellipsis, columns stay aligned under wide characters, and numbers stand at the right."""
    answer = run(STORE, 'SELECT ?name ?n { VALUES (?name ?n) { ("论文列表 of the year" 5) ("short" 1234) } }')
    assert format_answer(answer, width=18) == "name             n\n────────────  ────\n论文列表 of…     5\nshort         1234\n"
    assert all(len(line) <= 50 for line in format_answer(run(STORE, "evidence", params={"name": "NEO"}), width=50).splitlines())


def test_a_table_cannot_drive_the_terminal() -> None:
    """Escape sequences, line ends and direction marks of a text do not reach the terminal."""
    answer = run(STORE, r'SELECT ("a\u001B[31mb\nc\u202Ed" AS ?x) {}')
    assert format_answer(answer) == "x\n─────────\na[31mb cd\n"


def test_unknown_formats() -> None:
    """A format that is unknown, or that cannot hold the answer, is refused with those that can."""
    with pytest.raises(UnknownFormatError, match="table, csv, tsv, json, ttl"):
        format_answer(run(STORE, PROPOSALS), "xml")
    with pytest.raises(UnknownFormatError, match=r"use one of table, csv, tsv, json$"):
        format_answer(run(STORE, WHO), "ttl")
