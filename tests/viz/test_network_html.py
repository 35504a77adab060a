from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import networkx as nx
from examples import GRAPH, LORA_PAPER
from hypothesis import given, settings
from hypothesis import strategies as st

from methodmap.graph.layout import positions
from methodmap.graph.network import to_network
from methodmap.viz.network_html import render, write

MAP = to_network(GRAPH)


class _Page(HTMLParser):
    """The tags of a page with their attributes, and the texts of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self._in_script = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in_script = tag == "script"

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts.append(data)


def _data(page: str) -> Any:
    return json.loads(_Page(page).scripts[0])


def test_same_map_same_bytes(tmp_path: Path) -> None:
    """Writing twice, from a graph built in another order too, gives the same bytes, in UTF-8 with Unix line ends."""
    backwards: nx.MultiDiGraph[str] = nx.MultiDiGraph(**MAP.graph)
    backwards.add_nodes_from(reversed(list(MAP.nodes(data=True))))
    for head, tail, key, attributes in reversed([*MAP.edges(keys=True, data=True)]):
        backwards.add_edge(head, tail, key, **attributes)
    write(MAP, tmp_path / "one.html", "Toys – λ")
    write(backwards, tmp_path / "other.html", "Toys – λ")
    written = (tmp_path / "one.html").read_bytes()
    assert written == (tmp_path / "other.html").read_bytes()
    assert written.decode("utf-8") == render(MAP, title="Toys – λ")
    assert b"\r" not in written


def test_nodes_and_edges() -> None:
    """Nodes stand where the layout puts them, with label, kind and shape; edges lead along what is said, relations with an arrow."""
    data = _data(render(MAP, title="Toys"))
    places = positions(MAP)
    assert [(key, node["label"], node["group"], node["shape"]) for key, node in zip(data["keys"], data["nodes"], strict=True)] == [
        ("dataset/imagenet-c", "ImageNet-C", "Dataset", "diamond"),
        ("method/lora", "LoRA", "Method", "dot"),
        ("method/neo", "NEO", "Method", "dot"),
        ("method/tent", "TENT", "Method", "dot"),
        ("metric/accuracy", "accuracy", "Metric", "triangleDown"),
        ("paper/000-06", MAP.nodes["paper/000-06"]["label"], "Paper", "square"),
        ("paper/lora-x", MAP.nodes["paper/lora-x"]["label"], "Paper", "square"),
        ("task/test-time-adaptation", "Test-time adaptation", "Task", "triangle"),
    ]
    assert {key: (node["x"], node["y"]) for key, node in zip(data["keys"], data["nodes"], strict=True)} == places
    assert [(edge["from"], edge["to"], edge["kind"], edge["arrows"]) for edge in data["edges"]] == [
        (2, 0, "evaluatedOn", "to"),
        (2, 3, "outperforms", "to"),
        (5, 0, "evaluatesOn", ""),
        (5, 2, "proposes", ""),
        (5, 3, "comparesWith", ""),
        (5, 4, "reports", ""),
        (5, 7, "addresses", ""),
        (6, 0, "uses", ""),
        (6, 1, "uses", ""),
    ]
    assert data["options"]["physics"] == {"enabled": False}


def test_nothing_is_loaded() -> None:
    """No element, style or script names anything outside the file, and the page's policy forbids loads anyway."""
    page = _Page(render(MAP, title="Toys"))
    for tag, attributes in page.tags:
        assert "src" not in attributes, tag
        assert not (attributes.get("href") or "data:,").startswith(("http", "//")), tag
    text = re.sub(r"<script.*?</script>", "", render(MAP, title="Toys"), flags=re.DOTALL)
    assert "url(" not in text
    assert "@import" not in text
    assert "sourceMappingURL" not in page.scripts[-1]
    policy = next(attributes["content"] or "" for tag, attributes in page.tags if attributes.get("http-equiv"))
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy


def test_data_cannot_leave_its_element() -> None:
    """Whatever stands in the records, the page has the same elements, and the data reads back unchanged."""
    nasty = "</script><script>alert(1)</script><!-- <b>&amp; ]]>"
    hostile = replace(GRAPH, papers=(GRAPH.papers[0], replace(LORA_PAPER, title=nasty)))
    plain, attacked = _Page(render(MAP, title="Toys")), _Page(render(to_network(hostile), title=nasty))
    assert [tag for tag, _ in attacked.tags] == [tag for tag, _ in plain.tags]
    assert json.loads(attacked.scripts[0])["facts"][6]["title"] == nasty
    assert len(attacked.scripts) == 2


@settings(max_examples=25, deadline=None)
@given(st.text(st.characters(), min_size=1, max_size=30), st.text(st.characters(), max_size=30))
def test_any_text_survives(label: str, title: str) -> None:
    """Labels of any characters, half surrogates included, read back as they were, and the page can be written as UTF-8."""
    g: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    g.add_node("method/x", kind="Method", label=label, papers=1)
    page = render(g, title=title)
    page.encode("utf-8")
    assert _data(page)["nodes"][0]["label"] == label


def test_graphs_without_attributes() -> None:
    """A plain graph is drawn too, by its keys; so is an empty one."""
    data = _data(render(nx.MultiDiGraph([("a", "b")]), title=""))
    assert [node["label"] for node in data["nodes"]] == ["a", "b"]
    assert _data(render(nx.MultiDiGraph(), title=""))["nodes"] == []
