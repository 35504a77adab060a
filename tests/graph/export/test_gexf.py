"""GEXF as other programs read it: its schema, networkx, graphology, and any XML parser for odd characters."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pytest
from examples import BEATS, GRAPH, NEO_PAPER
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from needs import ROOT, node_with_packages

from methodmap.graph.export import export
from methodmap.graph.model import CanonicalEntity, KnowledgeGraph, Statement

SCHEMA = ROOT.parent / "shared" / "gexf-1.3" / "gexf.rng"
READER = Path(__file__).with_name("read_gexf.mjs")
G = "{http://gexf.net/1.3}"
V = "{http://gexf.net/1.3/viz}"


@dataclass(frozen=True)
class Look:
    """A colour and size, in no class that the writer knows."""

    colour: str
    size: float


APPEARANCE = {"method/neo": Look("#FF8000", 12.5), "paper/lora-x": Look("#000001", 0.0)}
POSITIONS = {"method/neo": (1.0, -2.34567), "paper/lora-x": (-0.0001, 1e3)}

PARALLEL = replace(
    GRAPH,
    statements=(
        Statement("method/neo", "comparedWith", "method/tent", (BEATS, BEATS)),
        Statement("method/neo", "outperforms", "method/tent", (BEATS,)),
        Statement("method/tent", "outperforms", "method/neo", (BEATS,)),
    ),
)


def written(graph: KnowledgeGraph, folder: Path) -> Path:
    """The path of the map as GEXF with some looks and positions."""
    return export(graph, folder / "map.gexf", appearance=APPEARANCE, positions=POSITIONS)[0]


@pytest.mark.skipif(not SCHEMA.is_file(), reason="the GEXF 1.3 schema is not beside the project (../shared/gexf-1.3)")
@pytest.mark.parametrize("graph", [GRAPH, PARALLEL, KnowledgeGraph()], ids=["toy", "parallel", "empty"])
def test_valid_after_the_schema(tmp_path: Path, graph: KnowledgeGraph) -> None:
    """The file validates against GEXF 1.3's own RELAX NG schema."""
    schema = etree.RelaxNG(etree.parse(str(SCHEMA)))
    schema.assertValid(etree.parse(str(written(graph, tmp_path))))


def test_no_value_is_missing(tmp_path: Path) -> None:
    """Every node and edge has a value that is not empty for every declared column, so that Gephi shows no null."""
    root = ElementTree.parse(written(PARALLEL, tmp_path)).getroot()
    for of in ("node", "edge"):
        declared = [column.get("id") for column in root.findall(f".//{G}attributes[@class='{of}']/{G}attribute")]
        elements = root.findall(f".//{G}{of}")
        assert len(elements) > 1
        for element in elements:
            values = element.findall(f"{G}attvalues/{G}attvalue")
            assert [value.get("for") for value in values] == declared
            assert all(value.get("value") for value in values)


def test_looks(tmp_path: Path) -> None:
    """Colours are red, green and blue without alpha; sizes and positions have three decimals; nodes without a look have none."""
    root = ElementTree.parse(written(GRAPH, tmp_path)).getroot()
    looks = {node.get("id"): [(child.tag, child.attrib) for child in node if child.tag.startswith(V)] for node in root.iter(f"{G}node")}
    assert looks["method/neo"] == [
        (f"{V}color", {"r": "255", "g": "128", "b": "0"}),
        (f"{V}size", {"value": "12.5"}),
        (f"{V}position", {"x": "1", "y": "-2.346", "z": "0"}),
    ]
    assert looks["paper/lora-x"] == [
        (f"{V}color", {"r": "0", "g": "0", "b": "1"}),
        (f"{V}size", {"value": "0"}),
        (f"{V}position", {"x": "0", "y": "1000", "z": "0"}),
    ]
    assert looks["method/tent"] == []


@pytest.mark.parametrize(
    ("look", "message"),
    [
        (Look("red", 1.0), "'red' is not a colour: write it as #rrggbb"),
        (Look("#ff800080", 1.0), "not a colour"),
        (Look("#ff8000", -1.0), "a size 0 or more"),
        (Look("#ff8000", float("inf")), "finite"),
    ],
)
def test_impossible_looks_are_refused(tmp_path: Path, look: Look, message: str) -> None:
    """A colour or size that GEXF cannot hold is an error that says what it can hold."""
    with pytest.raises(ValueError, match=message):
        export(GRAPH, tmp_path / "map.gexf", appearance={"method/neo": look})


def test_networkx_reads_it(tmp_path: Path) -> None:
    """Networkx finds every node and edge with typed values; the edges' ids are their keys."""
    graph = nx.read_gexf(written(PARALLEL, tmp_path))
    assert isinstance(graph, nx.MultiDiGraph)
    assert sorted(graph.nodes) == sorted([f"paper/{paper.id}" for paper in GRAPH.papers] + [entity.id for entity in GRAPH.entities])
    assert graph.nodes["task/test-time-adaptation"] == {
        "kind": "Task",
        "papers": 1,
        "year": 2026,
        "venue": "-",
        "baseline": False,
        "proposed_by": 0,
        "aliases": "TTA",
        "url": "-",
        "label": "Test-time adaptation",
    }
    assert graph.nodes["method/tent"]["baseline"] is True
    assert graph.nodes["paper/lora-x"]["label"] == 'Extending "LoRA" <again>'
    assert graph.edges["method/neo", "method/tent", "method/neo comparedWith method/tent"] == {
        "kind": "comparedWith",
        "role": "-",
        "confidence": 0.6,
        "evidence": 2,
        "sentence": r"\textbf{NEO} outperforms TENT on ImageNet-C, from 55.6\% to 59.2\% accuracy.",
        "id": "method/neo comparedWith method/tent",
        "weight": 2.0,
        "label": "comparedWith",
    }
    assert graph.number_of_edges() == len(GRAPH.links) + len(PARALLEL.statements)


def test_parallel_edges_differ_in_kind_and_id(tmp_path: Path) -> None:
    """Two edges between the same nodes have different kinds, by which Gephi keeps both; no two edges share an id."""
    edges = list(ElementTree.parse(written(PARALLEL, tmp_path)).getroot().iter(f"{G}edge"))
    ends = [(edge.get("source"), edge.get("target"), edge.get("kind")) for edge in edges]
    assert ("method/neo", "method/tent", "comparedWith") in ends
    assert ("method/neo", "method/tent", "outperforms") in ends
    assert len(set(ends)) == len(ends) == len({edge.get("id") for edge in edges})


def test_graphology_reads_it(tmp_path: Path) -> None:
    """graphology-gexf, which Gephi Lite reads files with, finds every node and edge, their values, looks and positions."""
    command: list[str | Path] = [node_with_packages(), READER, written(PARALLEL, tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8", cwd=ROOT)
    graph: dict[str, Any] = json.loads(done.stdout)
    nodes = {node["key"]: node["attributes"] for node in graph["nodes"]}
    edges = {edge["key"]: edge for edge in graph["edges"]}
    assert graph["options"]["type"] == "directed"
    assert graph["options"]["multi"] is True
    assert nodes["method/neo"] == {
        "label": "NEO",
        "kind": "Method",
        "papers": 1,
        "year": 2026,
        "venue": "-",
        "baseline": False,
        "proposed_by": 1,
        "aliases": "-",
        "url": "-",
        "color": "rgb(255,128,0)",
        "size": 12.5,
        "x": 1,
        "y": -2.346,
        "z": 0,
    }
    assert nodes["paper/lora-x"]["label"] == 'Extending "LoRA" <again>'
    assert edges["paper/lora-x used method/lora"] == {
        "key": "paper/lora-x used method/lora",
        "source": "paper/lora-x",
        "target": "method/lora",
        "attributes": {
            "label": "uses",
            "weight": 1,
            "kind": "uses",
            "role": "used",
            "confidence": 0.9,
            "evidence": 1,
            "sentence": "We may extend LoRA & test <it> on ImageNet-C.",
        },
    }
    assert len(nodes) == len(GRAPH.papers) + len(GRAPH.entities)
    assert len(edges) == len(GRAPH.links) + len(PARALLEL.statements)


def kept(text: str) -> str:
    """What a file may keep of a text: XML's characters, with each run of XML's white space one space, none at the ends."""
    legal = [c for c in text if c in "\t\n\r" or 0x20 <= ord(c) <= 0xD7FF or 0xE000 <= ord(c) <= 0xFFFD or ord(c) >= 0x10000]
    return re.sub("[ \t\r\n]+", " ", "".join(legal)).strip(" ")


ODD_TEXT = st.text(
    st.one_of(st.characters(codec=None), st.sampled_from("\x00\x0b\x1b\x85\ud83d\udc00\ufffe\uffff\u202e\u2028\t\r\n \"'<>&]🙂א"))
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(label=ODD_TEXT, alias=ODD_TEXT, venue=ODD_TEXT, ids=st.lists(ODD_TEXT, min_size=2, max_size=4, unique=True))
def test_any_text_parses(tmp_path: Path, label: str, alias: str, venue: str, ids: list[str]) -> None:
    """Whatever characters names and ids hold, the file parses, keeps those that XML can hold, and no two nodes share an id."""
    graph = KnowledgeGraph(
        papers=tuple(replace(NEO_PAPER, id=id_, venue=venue) for id_ in sorted(ids)),
        entities=(CanonicalEntity("method/odd", "Method", label, (alias,)),),
    )
    root = ElementTree.parse(export(graph, tmp_path / "odd.gexf")[0]).getroot()
    nodes = {node.get("id"): node for node in root.iter(f"{G}node")}
    assert len(nodes) == len(ids) + 1
    assert nodes["method/odd"].get("label") == kept(label)
    assert value(nodes["method/odd"], "aliases") == (kept(alias) or "-")
    assert {value(node, "venue") for id_, node in nodes.items() if id_ != "method/odd"} == {kept(venue) or "-"}


def value(node: ElementTree.Element, column: str) -> str | None:
    """The node's value in a column."""
    found = node.find(f"{G}attvalues/{G}attvalue[@for='{column}']")
    return None if found is None else found.get("value")


def test_same_map_same_bytes(tmp_path: Path) -> None:
    """The order in which looks and positions come does not show in the file, nor does the time."""
    first = written(GRAPH, tmp_path).read_bytes()
    backwards = {key: POSITIONS[key] for key in reversed(POSITIONS)}
    assert export(GRAPH, tmp_path / "again.gexf", appearance=APPEARANCE, positions=backwards)[0].read_bytes() == first
    assert b"lastmodifieddate" not in first
