"""Queries give the rows that the toy map holds, say what is wrong with wrong ones, and are evaluated by Oxigraph alone."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from examples import GRAPH, LORA, LORA_ABSTRACT, NEO_EXTRACTION, NEO_PAPER
from hypothesis import given
from hypothesis import strategies as st
from oxrdflib import OxigraphStore

from methodmap.graph.database import in_memory
from methodmap.graph.errors import QueryError
from methodmap.graph.query import Rows, Triples, Truth, Value, named_queries, run
from methodmap.graph.records_json import rebind
from methodmap.graph.resolve import resolve

BASE = "https://w3id.org/methodmap/"
STORE = in_memory(GRAPH, BASE)
MM = "https://w3id.org/methodmap/ontology#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LORA_TITLE = 'Extending "LoRA" <again>'

ANSWERS: list[tuple[str, dict[str, str], tuple[str, ...], tuple[tuple[Value, ...], ...]]] = [
    (
        "about",
        {"name": "TENT"},
        ("thing", "direction", "property", "value", "label"),
        (
            (f"{BASE}method/tent", "out", RDF_TYPE, f"{MM}Baseline", None),
            (f"{BASE}method/tent", "out", RDF_TYPE, f"{MM}Entity", None),
            (f"{BASE}method/tent", "out", RDF_TYPE, f"{MM}Method", None),
            (f"{BASE}method/tent", "out", "http://www.w3.org/2004/02/skos/core#prefLabel", "TENT", None),
            (f"{BASE}method/tent", "out", f"{MM}paperCount", 1, None),
            (f"{BASE}method/tent", "in", f"{MM}comparator", f"{BASE}result/000-06/81/59.2", None),
            (f"{BASE}method/tent", "in", f"{MM}comparesWith", f"{BASE}paper/000-06", "NEO"),
            (f"{BASE}method/tent", "in", f"{MM}outperforms", f"{BASE}method/neo", "NEO"),
        ),
    ),
    ("baselines", {"method": "NEO"}, ("name", "baseline", "papers"), (("NEO", "TENT", 1),)),
    ("baselines", {"method": "TENT"}, ("name", "baseline", "papers"), ()),
    ("compared-with", {"method": "TENT"}, ("id", "title", "proposal", "name"), (("000-06", "NEO", "NEO", "TENT"),)),
    ("datasets-of-method", {"method": "neo"}, ("name", "dataset"), (("NEO", "ImageNet-C"),)),
    ("datasets-of-task", {"task": "TTA"}, ("name", "dataset", "papers"), (("Test-time adaptation", "ImageNet-C", 1),)),
    (
        "evidence",
        {"name": "task/test-time-adaptation"},
        ("id", "role", "confidence", "text", "sentence"),
        (
            ("000-06", "addressed", Decimal("0.85"), "TTA", "Test-time adaptation (TTA) is hard."),
            ("000-06", "addressed", Decimal("0.9"), "Test-time adaptation", "Test-time adaptation (TTA) is hard."),
        ),
    ),
    (
        "evidence",
        {"name": "LoRA"},
        ("id", "role", "confidence", "text", "sentence"),
        (("lora-x", "used", Decimal("0.9"), "LoRA", LORA_ABSTRACT),),
    ),
    ("most-used", {"type": "Dataset"}, ("name", "papers"), (("ImageNet-C", 2),)),
    ("most-used", {"limit": "2"}, ("name", "papers"), (("LoRA", 1), ("NEO", 1))),
    (
        "papers-on-dataset",
        {"dataset": "ImageNet-C"},
        ("id", "title", "role", "name"),
        (("000-06", "NEO", "evaluated_on", "ImageNet-C"), ("lora-x", LORA_TITLE, "used", "ImageNet-C")),
    ),
    ("proposals", {}, ("id", "title", "type", "proposal"), (("000-06", "NEO", "Method", "NEO"),)),
    ("proposals", {"paper": "000-06"}, ("id", "title", "type", "proposal"), (("000-06", "NEO", "Method", "NEO"),)),
    ("proposals", {"paper": LORA_TITLE}, ("id", "title", "type", "proposal"), ()),
    ("shared", {}, ("first", "second", "shared"), ()),
    ("shared", {"min": "1"}, ("first", "second", "shared"), (("000-06", "lora-x", 1),)),
    ("shared", {"min": "1", "paper": "lora-x"}, ("first", "second", "shared"), (("lora-x", "000-06", 1),)),
    ("shared", {"min": "1", "common": "1"}, ("first", "second", "shared"), ()),
    ("top-baselines", {}, ("baseline", "papers"), (("TENT", 1),)),
    ("who-uses", {"method": f"<{BASE}method/lora>"}, ("id", "title", "role", "name"), (("lora-x", LORA_TITLE, "used", "LoRA"),)),
    ("who-uses", {"method": "TENT"}, ("id", "title", "role", "name"), (("000-06", "NEO", "baseline", "TENT"),)),
]


def answer(query: str, **params: str) -> Rows:
    """The rows that the toy map gives."""
    rows = run(STORE, query, params=params)
    assert isinstance(rows, Rows)
    return rows


@pytest.mark.parametrize(("name", "params", "columns", "rows"), ANSWERS)
def test_named_queries(name: str, params: dict[str, str], columns: tuple[str, ...], rows: tuple[tuple[Value, ...], ...]) -> None:
    """Every named query answers with exactly these columns and rows, whichever of a thing's names is given."""
    got = answer(name, **params)
    assert got.columns == columns
    assert got.rows == rows


def test_evidence_shows_plain_text() -> None:
    """Where a mention's plain form differs from the words in the source, the plain form is shown."""
    link = replace(GRAPH.links[-1], mentions=(LORA, replace(LORA, text="plain LoRA")))
    rows = run(in_memory(replace(GRAPH, links=(*GRAPH.links[:-1], link)), BASE), "evidence", params={"name": "LoRA"})
    assert isinstance(rows, Rows)
    assert [row[3] for row in rows.rows] == ["LoRA", "plain LoRA"]


def test_every_named_query_is_answered_above() -> None:
    """No named query comes without rows written out, and each says in a sentence what it answers."""
    assert {name for name, *_ in ANSWERS} == {named.name for named in named_queries()}
    assert all(named.summary.endswith(".") for named in named_queries())


@pytest.mark.parametrize("id_", ["<b>x</b>", "<x>", "a<b", "<", "new\nline", "$paper", '"}#'])
def test_papers_of_any_id_are_found(id_: str) -> None:
    """Angle brackets are an IRI's only where they hold one."""
    graph, _ = resolve([replace(NEO_PAPER, id=id_)], [rebind(NEO_EXTRACTION, id_)])
    found = run(in_memory(graph, BASE), "proposals", params={"paper": id_})
    assert isinstance(found, Rows)
    assert [row[0] for row in found.rows] == [id_]


def test_rq_file(tmp_path: Path) -> None:
    """A file of the user's own may declare parameters with defaults as the named queries do."""
    file = tmp_path / "mine.rq"
    file.write_text("# Mine.\n# param method: a name (name, default tent)\nASK { GRAPH ?n { ?m rdfs:label $method } }", encoding="utf-8")
    assert run(STORE, str(file)) == Truth(True)
    assert run(STORE, str(file), params={"method": "nothing"}) == Truth(False)


def test_values_are_typed() -> None:
    """Numbers and booleans come as Python's by their datatype; what the datatype forbids, and everything else, as strings."""
    rows = answer(
        'SELECT (1 AS ?a) (1.50 AS ?b) (1e3 AS ?c) (true AS ?d) ("x"^^xsd:integer AS ?e) (mm:uses AS ?f) ?g ("0"^^xsd:boolean AS ?h) {}'
    )
    assert rows.rows == ((1, Decimal("1.5"), 1000.0, True, "x", f"{MM}uses", None, False),)
    assert [type(value) for value in rows.rows[0]] == [int, Decimal, float, bool, str, str, type(None), bool]


def test_construct_is_sorted() -> None:
    """A CONSTRUCT gives its triples sorted and once each."""
    assert run(STORE, "CONSTRUCT { ?p a mm:Paper } { ?p mm:uses ?x }") == Triples(
        (
            pyoxigraph.Triple(
                pyoxigraph.NamedNode(f"{BASE}paper/lora-x"), pyoxigraph.NamedNode(RDF_TYPE), pyoxigraph.NamedNode(f"{MM}Paper")
            ),
        )
    )


def test_prefixes_may_be_declared_anew() -> None:
    """A query's own PREFIX wins over the one that is predeclared."""
    assert answer("PREFIX mm: <urn:x:> SELECT (mm:uses AS ?x) {}").rows == (("urn:x:uses",),)


def test_evidence_stays_out_of_the_default_graph() -> None:
    """The default graph holds plain triples alone; GRAPH reads the evidence."""
    assert run(STORE, "ASK { ?s mm:sentence ?o }") == Truth(False)
    assert answer("SELECT DISTINCT ?g { GRAPH ?g { ?s mm:sentence ?o } }").rows == ((f"{BASE}graph/evidence",),)


@given(st.text(st.characters(codec="utf-8")) | st.sampled_from(['"', "\\", r"\u0022", '"} #', "'''", "<a:b", "$v", "\r\n", '\\"']))
def test_no_value_escapes_its_place(value: str) -> None:
    """Whatever a parameter's text is, the query receives it unchanged and as one literal."""
    if value.startswith("<") and value.endswith(">"):
        return
    (row,) = answer("SELECT (\"$v\" AS ?a) ('''it's $v''' AS ?b) ?c { BIND($v AS ?c) } # $v", v=value).terms
    assert row == tuple(map(pyoxigraph.Literal, ("$v", "it's $v", value)))


def test_iri_parameter() -> None:
    """In a query that declares nothing, angle brackets make a value an IRI; one that is none is refused."""
    assert answer("SELECT ?label { $m skos:prefLabel ?label }", m=f"<{BASE}method/neo>").rows == (("NEO",),)
    with pytest.raises(QueryError, match="IRI"):
        answer("SELECT ?label { $m skos:prefLabel ?label }", m="<no iri>")


@pytest.mark.parametrize(
    ("query", "params", "message"),
    [
        ("basline", {}, "did you mean 'baselines'"),
        ("xyzzy", {}, "the named queries are about, baselines"),
        ("", {}, "neither a named query nor SPARQL"),
        ("missing.rq", {}, "cannot be read"),
        ("baselines", {}, "parameter 'method' is missing; usage: baselines method=NAME"),
        ("baselines", {"method": " "}, "parameter 'method' is missing"),
        ("baselines", {"method": "NEO", "limit": "1"}, "no parameter 'limit'; usage"),
        ("most-used", {"limit": "1; DROP"}, "'limit' is a whole number from 0"),
        ("most-used", {"limit": "²"}, "'limit' is a whole number from 0"),
        ("most-used", {"type": "Paper"}, "'type' is one of Method, Dataset"),
        ("ASK { ?s ?p ?o }", {"s": "x"}, r"write \$s where its value belongs"),
        ("SELECT * {\n  ?s ?p\n}", {}, r"line 3, column 2: expected .*\n  }\n   \^"),
        ("ASK { ?s nope:p ?o }", {}, "prefix that is not declared.*mm:"),
        ("# param x: (name\nASK {}", {}, "is declared as"),
        ("PREFIX ex: <http://e/> insert data { ex:a ex:b ex:c }", {}, "INSERT is an update"),
        ("ASK { SERVICE SILENT <http://127.0.0.1/> { ?s ?p ?o } }", {}, "SERVICE would ask another server"),
        ("ASK { service ?x { ?s ?p ?o } }", {}, "SERVICE would ask another server"),
        (r"ASK { ?s mm:a\#b ?o . SERVICE <http://127.0.0.1/> { } }", {}, "SERVICE would ask another server"),
        (r"ASK { ?s mm:a\' ?o . SERVICE <http://127.0.0.1/> { ?s mm:b\' ?o } }", {}, "SERVICE would ask another server"),
        ("ASK { ?s ?p ?o . FILTER(?s<?p)SERVICE<http://127.0.0.1/>{} }", {}, "SERVICE would ask another server"),
        ("SELECT * { ?s ?p ?o } LIMIT 99999999999999999999999", {}, "SPARQL"),
    ],
)
def test_wrong_queries(query: str, params: dict[str, str], message: str) -> None:
    """A wrong query is an error that shows what is wrong and what to write."""
    with pytest.raises(QueryError, match=message):
        run(STORE, query, params=params)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * {" * 100 + "}" * 100,
        f"ASK {{ FILTER({'STR(' * 5000}1{')' * 5000}) }}",
        f"ASK {{ {'{} UNION ' * 5000} {{}} }}",
        f"ASK {{ {'?a ?b ?c OPTIONAL { ?c ?d ?e } ' * 5000} }}",
        f"SELECT ({'!' * 5000}true AS ?x) {{}}",
        f"SELECT {' '.join(f'({i} AS ?x{i})' for i in range(5000))} {{}}",
        f"ASK {{ ?a <a:b>{'|<a:b>' * 5000} ?c }}",
    ],
)
def test_no_query_ends_the_process(query: str) -> None:
    """What would exhaust the stack inside Oxigraph, and kill the user's interpreter with it, is refused."""
    with pytest.raises(QueryError, match="ask a simpler question"):
        run(STORE, query)


def test_long_lists_are_no_trouble() -> None:
    """Thousands of values, or a long text with operators in it, are asked as they are."""
    values = " ".join(f'"{i}+-*/"' for i in range(5000))
    assert answer(f"SELECT (COUNT(*) AS ?n) {{ VALUES ?x {{ {values} }} }}").rows == ((5000,),)


def test_service_as_a_name_is_no_federation() -> None:
    """The word SERVICE in strings, comments, variables, prefixes and IRIs stops no query."""
    assert run(STORE, 'PREFIX service: <urn:SERVICE:> ASK { ?service ?p service:service, "SERVICE" } # SERVICE') == Truth(False)


def test_rdflib_delegates_strings_to_oxigraph(monkeypatch: pytest.MonkeyPatch) -> None:
    """A query given to rdflib as a string is evaluated by Oxigraph: rdflib's own engine, many times slower, is never called."""

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("rdflib evaluated the query in Python")

    monkeypatch.setattr("rdflib.plugins.sparql.processor.evalQuery", fail)
    dataset = rdflib.Dataset(store=OxigraphStore(store=STORE))
    query = f"SELECT ?m {{ ?p <{MM}proposes> ?m }}"
    assert [str(row[0]) for row in dataset.query(query)] == [f"{BASE}method/neo"]  # type: ignore[index]  # rdflib types ASK too
    with pytest.raises(AssertionError, match="in Python"):
        list(rdflib.Graph().query(query))
