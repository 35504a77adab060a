"""A map as one HTML file that needs nothing else: no network, no server, no second file.

pyvis makes the vis-network nodes, edges and options, and its package carries vis-network, whose code is put into the page; the page itself
is our own, since pyvis's asks content networks for parts. A content security policy names the hash of the page's only script, so that
nothing that stands in an abstract can run, and forbids every load.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import networkx as nx
from jinja2 import Environment
from pyvis.network import Network  # type: ignore[import-untyped]  # pyvis has no types

from methodmap.graph import layout
from methodmap.graph.export.atomic import atomic
from methodmap.viz import style
from methodmap.viz.page_data import Json, panel_tables, sorted_edges

__all__ = ["render", "write"]

SCRIPTS: Final = ("state.js", "canvas.js", "evidence.js", "panel.js", "controls.js", "start.js")
"""Parts of the page's own script, in the order in which they build on each other."""
CROWDED: Final = 4000
"""From this many edges on, they are not drawn while the view moves: browsers draw about this many smoothly."""
VIS_NETWORK: Final = re.compile(r"vis-(\d+)\.(\d+)\.(\d+)")


def render(g: nx.MultiDiGraph[Any], *, title: str) -> str:
    """The page for a map; the same graph and title give the same text.

    Nodes need the attributes that :func:`methodmap.graph.network.to_network` gives; missing ones are taken as empty.
    """
    keys = sorted(g, key=str)
    drawn = _network(g, keys)
    data: dict[str, Json] = {
        "nodes": drawn.nodes,
        "edges": drawn.edges,
        "options": drawn.options,
        "keys": [str(key) for key in keys],
        "style": _style(),
        **panel_tables(g, keys),
    }
    script = _inline("\n".join([_vis_network(), "(() => {", *map(_template, SCRIPTS), "})();", ""]))
    sheet = _template("page.css")
    page = Environment(autoescape=True, keep_trailing_newline=True).from_string(_template("page.html"))
    return page.render(
        title=_LONE_SURROGATE.sub("\ufffd", title),
        sheet=sheet,
        sheet_hash=_hash(sheet),
        script=script,
        script_hash=_hash(script),
        data=_json(data),
    )


def write(g: nx.MultiDiGraph[Any], path: Path, title: str) -> None:
    """Write :func:`render`'s page to a file, in UTF-8 with Unix line ends, whole or not at all. Raises ``ExportError``."""
    page = render(g, title=title)
    with atomic(path) as out:
        out.write(page.encode("utf-8"))


def _network(g: nx.MultiDiGraph[Any], keys: list[Any]) -> Any:
    """The map as pyvis holds it; nodes are numbered by their place in ``keys``."""
    drawn = Network(directed=True, height="100%", width="100%")
    places = layout.positions(g)
    looks = style.appearance(g)
    for number, key in enumerate(keys):
        attributes = g.nodes[key]
        x, y = places[key]
        kind = str(attributes.get("kind", ""))
        group = kind if kind in style.KINDS else ""
        look = looks[key]
        drawn.add_node(number, label=str(attributes.get("label") or key), group=group, shape=look.shape, size=look.size, x=x, y=y)
    index = {key: number for number, key in enumerate(keys)}
    for head, tail, _, attributes in sorted_edges(g):
        # Only relations between entities have a direction that a reader can't tell from the two ends.
        arrows = "" if g.nodes[head].get("kind") == "Paper" else "to"
        drawn.add_edge(index[head], index[tail], kind=str(attributes.get("kind", "")), arrows=arrows)
    drawn.set_options(json.dumps(_options(len(drawn.edges))))
    return drawn


def _options(edges: int) -> dict[str, Json]:
    groups: dict[str, Json] = {
        kind: {"color": {"background": look.colour, "border": "#ffffff"}} for kind, look in (*style.KINDS.items(), ("", style.OTHER_KIND))
    }
    return {
        "autoResize": True,
        "physics": {"enabled": False},
        "layout": {"improvedLayout": False},
        "groups": groups,
        "nodes": {"borderWidth": 0, "chosen": False, "font": {"size": 0}},
        "edges": {
            "chosen": False,
            "smooth": False,
            "selectionWidth": 0,
            "hoverWidth": 0,
            "arrows": {"to": {"scaleFactor": 0.45}},
            "arrowStrikethrough": False,
        },
        "interaction": {
            "hover": True,
            "tooltipDelay": 150,
            "selectConnectedEdges": False,
            "hoverConnectedEdges": False,
            "hideEdgesOnDrag": edges > CROWDED,
            "hideEdgesOnZoom": edges > CROWDED,
            "zoomSpeed": 0.7,
            "keyboard": {"enabled": True, "bindToWindow": False},
        },
    }


def _style() -> dict[str, Json]:
    kinds = {**style.KINDS, "": style.OTHER_KIND}
    edges = {**style.EDGES, "": style.OTHER_EDGE}
    return {
        "kinds": {kind: {"colour": look.colour, "shape": look.shape, "plural": look.plural} for kind, look in kinds.items()},
        "edges": {
            kind: {"colour": look.colour, "label": look.label, "inverse": look.inverse, "width": look.width, "dashed": look.dashed}
            for kind, look in edges.items()
        },
        "mark": style.MARK_COLOUR,
        "baseline": style.BASELINE_COLOUR,
        "faded": style.FADED,
    }


_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def _json(data: Json) -> str:
    """JSON that can stand inside a ``script`` element and be written as UTF-8: what HTML would read, and half characters, are escaped."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


@cache
def _template(name: str) -> str:
    return files("methodmap.viz").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _vis_network() -> str:
    """The newest vis-network that pyvis carries, without the reference to its source map, which is a file elsewhere.

    Its style sheet is left out: it dresses toolbars that this page does not have.
    """
    folders = [(VIS_NETWORK.fullmatch(folder.name), folder) for folder in files("pyvis").joinpath("lib").iterdir()]
    found = [(tuple(map(int, match.groups())), folder) for match, folder in folders if match]
    if not found:
        raise FileNotFoundError("pyvis is installed without its lib/vis-* folder: reinstall pyvis 0.3.2 or later")
    _, newest = max(found, key=lambda pair: pair[0])
    code = newest.joinpath("vis-network.min.js").read_text(encoding="utf-8")
    return re.sub(r"^//# sourceMappingURL=.*$", "", code, flags=re.MULTILINE)


def _inline(code: str) -> str:
    """Script text that cannot end its element early (HTML standard, 4.12.1.3)."""
    return re.sub(r"<(?=!--|/?script)", r"\\x3c", code, flags=re.IGNORECASE)


def _hash(text: str) -> str:
    """The source expression of a content security policy that allows exactly this text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
