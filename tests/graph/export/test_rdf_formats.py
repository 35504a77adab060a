"""The RDF syntaxes: how they look, and that rdflib, which did not write them, reads the same statements."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import rdflib
from examples import GRAPH
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

from methodmap.graph.export import export
from methodmap.graph.export.rdf_formats import RDF_WRITERS
from methodmap.graph.rdf import to_quads
from methodmap.ontology.vocabulary import MM, PREFIXES, TYPE, XSD

RDFLIB = {"jsonld": "json-ld", "nq": "nquads", "nt": "nt", "rdf": "xml", "trig": "trig", "ttl": "turtle"}
PLAIN = ["nt", "rdf", "ttl"]
DATASET = ["jsonld", "nq", "trig"]
NEO = NamedNode("https://example.org/method/neo")
SAID = NamedNode("https://example.org/evidence")

QUADS = [
    Quad(NEO, NamedNode(MM + "value"), Literal("59.20", datatype=NamedNode(XSD + "decimal"))),
    Quad(NEO, NamedNode(MM + "label"), Literal('a "b"\\\n')),
    Quad(NEO, NamedNode(MM + "label"), Literal("é", language="fr")),
    Quad(NEO, NamedNode(TYPE), NamedNode(MM + "Method")),
    Quad(NEO, NamedNode(MM + "quote"), Literal("NEO"), SAID),
    Quad(NEO, NamedNode(MM + "label"), Literal("é", language="fr")),
]

HEAD = "".join(f"@prefix {prefix}: <{PREFIXES[prefix]}> .\n" for prefix in sorted(PREFIXES))
TURTLE = f"""{HEAD}<https://example.org/method/neo> a mm:Method ;
\tmm:label "a \\"b\\"\\\\\\n" , "é"@fr ;
\tmm:value 59.20 .
"""
EXPECTED = {
    "jsonld": """\
"@graph": [
{"id": "https://example.org/method/neo", "type": "Method", "mm:label": ["a \\"b\\"\\\\\\n", {"@language": "fr", "@value": "é"}], \
"value": "59.20"},
{"id": "https://example.org/evidence", "@graph": [
{"id": "https://example.org/method/neo", "mm:quote": "NEO"}
]}
]}
""",
    "nq": f"""\
<https://example.org/method/neo> <{TYPE}> <{MM}Method> .
<https://example.org/method/neo> <{MM}label> "a \\"b\\"\\\\\\n" .
<https://example.org/method/neo> <{MM}label> "é"@fr .
<https://example.org/method/neo> <{MM}value> "59.20"^^<{XSD}decimal> .
<https://example.org/method/neo> <{MM}quote> "NEO" <https://example.org/evidence> .
""",
    "nt": f"""\
<https://example.org/method/neo> <{TYPE}> <{MM}Method> .
<https://example.org/method/neo> <{MM}label> "a \\"b\\"\\\\\\n" .
<https://example.org/method/neo> <{MM}label> "é"@fr .
<https://example.org/method/neo> <{MM}value> "59.20"^^<{XSD}decimal> .
""",
    "rdf": f"""\
\t<mm:Method rdf:about="https://example.org/method/neo">
\t\t<mm:label>a &quot;b&quot;\\
</mm:label>
\t\t<mm:label xml:lang="fr">é</mm:label>
\t\t<mm:value rdf:datatype="{XSD}decimal">59.20</mm:value>
\t</mm:Method>
</rdf:RDF>
""",
    "trig": TURTLE + '<https://example.org/evidence> {\n\t<https://example.org/method/neo> mm:quote "NEO" .\n}\n',
    "ttl": TURTLE,
}


def text_of(name: str, quads: Iterable[Quad]) -> str:
    """The quads in a format."""
    out = io.BytesIO()
    RDF_WRITERS[name](out, quads)
    return out.getvalue().decode()


@pytest.mark.parametrize("name", sorted(RDF_WRITERS))
def test_the_text_is_as_shown(name: str) -> None:
    """Quads are written once each, sorted, types first; one-graph formats leave the evidence out. The head holds only prefixes."""
    text = text_of(name, QUADS)
    head, body = text[: -len(EXPECTED[name])], text[-len(EXPECTED[name]) :]
    assert body == EXPECTED[name]
    assert len(head.splitlines()) == {"jsonld": 1, "rdf": 2}.get(name, 0)


@pytest.mark.parametrize("name", sorted(RDF_WRITERS))
def test_order_in_does_not_show(name: str) -> None:
    """The same quads in another order give the same text."""
    assert text_of(name, reversed(QUADS)) == text_of(name, QUADS)


def rdflib_statements(text: str | bytes, name: str) -> set[tuple[Any, ...]]:
    """What rdflib reads: subject, predicate, object and the graph's name, None for the default graph."""
    dataset = rdflib.Dataset()
    (dataset if name in DATASET else dataset.default_graph).parse(data=text, format=RDFLIB[name])
    return {(s, p, o, None if graph in (None, DATASET_DEFAULT_GRAPH_ID) else graph) for s, p, o, graph in dataset.quads()}


def to_rdflib(term: NamedNode | BlankNode | Literal | Triple | DefaultGraph) -> Any:
    """The same term in rdflib's types."""
    match term:
        case NamedNode():
            return rdflib.URIRef(term.value)
        case Literal(language=str()):
            return rdflib.Literal(term.value, lang=term.language)
        case Literal() if term.datatype.value == XSD + "string":
            return rdflib.Literal(term.value)
        case Literal():
            return rdflib.Literal(term.value, datatype=term.datatype.value)
        case DefaultGraph():
            return None
    raise AssertionError(f"the map has no {term!r}")


def expected_statements(quads: Iterable[Quad], name: str) -> set[tuple[Any, ...]]:
    """The statements of the quads that a format holds, in rdflib's types."""
    held = [quad for quad in quads if name in DATASET or isinstance(quad.graph_name, DefaultGraph)]
    return {tuple(map(to_rdflib, (quad.subject, quad.predicate, quad.object, quad.graph_name))) for quad in held}


@pytest.mark.parametrize("name", sorted(RDF_WRITERS))
def test_rdflib_reads_the_map(tmp_path: Path, name: str) -> None:
    """Rdflib reads from a map's file exactly the statements that the map has."""
    path = export(GRAPH, tmp_path / f"map.{name}")[0]
    expected = expected_statements(to_quads(GRAPH, "https://w3id.org/methodmap/"), name)
    assert len(expected) > 20
    assert rdflib_statements(path.read_bytes(), name) == expected


ODD_OBJECTS: list[NamedNode | BlankNode | Literal] = [
    NEO,
    NamedNode(MM + "Method"),
    BlankNode("b1"),
    Literal("59.20"),
    Literal(MM + "Method"),
    Literal("mm:Method"),
    Literal("59.20", datatype=NamedNode(XSD + "decimal")),
    Literal("59", datatype=NamedNode(XSD + "integer")),
    Literal("59", datatype=NamedNode("https://example.org/unit")),
    Literal("a", language="de"),
]


@pytest.mark.parametrize("predicate", ["value", "uses", "role", "none-of-the-context", "a/b"])
def test_json_ld_terms_do_not_change_what_they_name(predicate: str) -> None:
    """Under a term that gives strings a type, objects of other types stay what they are."""
    quads = [Quad(NEO, NamedNode(MM + predicate), term) for term in ODD_OBJECTS]
    read = rdflib_statements(text_of("jsonld", quads), "jsonld")
    assert {o for _, _, o, _ in read if not isinstance(o, rdflib.BNode)} == {
        to_rdflib(q.object) for q in quads if not isinstance(q.object, BlankNode)
    }
    assert {p for _, p, _, _ in read} == {rdflib.URIRef(MM + predicate)}
    assert sum(isinstance(o, rdflib.BNode) for _, _, o, _ in read) == 1


SCALARS = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize("name", [*DATASET, "nt", "ttl"])
@settings(max_examples=60, deadline=None)
@given(value=SCALARS)
def test_any_text_survives(name: str, value: str) -> None:
    """Any text of Unicode scalar values, controls and line ends too, comes back to the character."""
    quads = [Quad(NEO, NamedNode(MM + "quote"), Literal(value)), Quad(NEO, NamedNode(MM + "label"), Literal(value, language="en"))]
    assert rdflib_statements(text_of(name, quads), name) == expected_statements(quads, name)


@settings(max_examples=100, deadline=None)
@given(value=st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("\r\n\t\x00\x1f\ufffe]]><&"))))
def test_rdf_xml_drops_only_what_xml_cannot_hold(value: str) -> None:
    """RDF/XML parses whatever the text, and keeps all but the characters that XML has no way to write."""
    legal = "".join(c for c in value if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c >= "\U00010000")
    expected = {(rdflib.URIRef(NEO.value), rdflib.URIRef(MM + "quote"), rdflib.Literal(legal), None)}
    assert rdflib_statements(text_of("rdf", [Quad(NEO, NamedNode(MM + "quote"), Literal(value))]), "rdf") == expected


def test_same_bytes_in_every_process(tmp_path: Path) -> None:
    """Another process, with another seed for its hashes, writes the same bytes in every format."""
    code = (
        "import sys; from pathlib import Path; from examples import GRAPH; from methodmap.graph.export import FORMATS, export\n"
        "[export(GRAPH, Path(sys.argv[1]) / f'map.{name}') for name in FORMATS]"
    )
    outputs = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2])}
        subprocess.run([sys.executable, "-c", code, folder], check=True, env=environment)
        outputs.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) == 10
