"""The Python API: what the README promises of ``methodmap`` as a library."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import pytest
import rdflib

import methodmap
from methodmap.graph.errors import EntityNotFoundError, MapNotFoundError, QueryError, SourceError, UnknownFormatError
from methodmap.graph.model import ENTITY_TYPES, ROLES
from methodmap.graph.query import Rows, Truth

if TYPE_CHECKING:
    from spacy.language import Language

NEO = r"We propose \textbf{NEO}, a method for test-time adaptation. NEO outperforms TENT on ImageNet-C, from 55.6\% to 59.2\% accuracy."
LORA = "We extend LoRA to federated learning and evaluate it on GLUE, where it matches full fine-tuning at a fraction of the cost."


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of two papers, one with LaTeX."""
    file = tmp_path_factory.mktemp("papers") / "papers.jsonl"
    records = [{"id": "neo", "abstract": NEO, "title": "NEO: a title", "venue": "ICLR", "year": 2026}, {"id": "lora", "abstract": LORA}]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def tiny(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[methodmap.Map]:
    """A map of the two papers, open."""
    with methodmap.build(papers, out=tmp_path_factory.mktemp("tiny") / "map") as made:
        yield made


def test_public_names() -> None:
    """The package offers these names, and no others."""
    assert methodmap.__all__ == ["Map", "MethodmapError", "__version__", "build", "load_pipeline", "open"]
    assert [name for name in methodmap.__all__ if not hasattr(methodmap, name)] == []


def test_importing_is_light() -> None:
    """``import methodmap`` loads none of the heavy libraries, so that ``methodmap --help`` answers at once."""
    code = "import sys, methodmap; print([m for m in ('spacy', 'onnxruntime', 'pyvis', 'rdflib', 'networkx') if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], encoding="utf-8") == "[]\n"


def test_build_reports(tiny: methodmap.Map) -> None:
    """A map that was just built tells what the build did; it holds the papers as they were given."""
    report = tiny.report
    assert report is not None
    assert (report.papers, report.extracted, report.unchanged, report.removed, report.rejected, report.duplicates) == (2, 2, 0, 0, (), ())
    assert [(p.id, p.abstract, p.title, p.venue, p.year) for p in tiny.graph.papers] == [
        ("lora", LORA, None, None, None),
        ("neo", NEO, "NEO: a title", "ICLR", 2026),
    ]


def test_evidence_is_cut_from_the_source(tiny: methodmap.Map) -> None:
    """Every mention's words and sentence stand in the abstract as its source gives it, at the offsets that it carries."""
    abstracts = {paper.id: paper.abstract for paper in tiny.graph.papers}
    for link in tiny.graph.links:
        for mention in link.mentions:
            said, text = mention.evidence, abstracts[link.paper]
            assert said.quote == text[said.start : said.end]
            assert said.sentence == text[said.sentence_start : said.sentence_end]
            assert said.sentence_start <= said.start < said.end <= said.sentence_end


def test_types_and_roles_fit(tiny: methodmap.Map) -> None:
    """Every entity has one of the types, and every link a role that this type can have."""
    types = {entity.id: entity.type for entity in tiny.graph.entities}
    assert all(kind in ENTITY_TYPES for kind in types.values())
    assert all(link.role in ROLES[types[link.entity]] for link in tiny.graph.links)


def test_open_gives_the_same_map(tiny: methodmap.Map) -> None:
    """A map that is opened equals the one that was built, and has no report."""
    with methodmap.open(tiny.path) as opened:
        assert opened.graph == tiny.graph
        assert opened.report is None


def test_the_same_input_gives_the_same_map(papers: Path, tiny: methodmap.Map, tmp_path: Path) -> None:
    """A second map of the same file is equal, whatever the number of jobs, and so are the files made of it."""
    with methodmap.build(papers, out=tmp_path / "map", jobs=1) as again:
        assert again.graph == tiny.graph
        for name in ("map.gexf", "map.nq"):
            (first,), (second,) = tiny.export(tmp_path / f"1-{name}"), again.export(tmp_path / f"2-{name}")
            assert first.read_bytes() == second.read_bytes()


def test_open_of_nothing(tmp_path: Path) -> None:
    """Opening what is not there is a FileNotFoundError and a MethodmapError that says how to make it."""
    with pytest.raises(MapNotFoundError, match="make one with `methodmap build") as caught:
        methodmap.open(tmp_path / "none")
    assert isinstance(caught.value, FileNotFoundError)
    assert isinstance(caught.value, methodmap.MethodmapError)


def test_build_from_nothing(tmp_path: Path) -> None:
    """Building from a file that is not there is an error, and makes no map."""
    with pytest.raises(SourceError, match="no such file or folder"):
        methodmap.build(tmp_path / "none.txt", out=tmp_path / "map")
    assert list(tmp_path.iterdir()) == []


def test_query_gives_typed_rows(tiny: methodmap.Map) -> None:
    """SPARQL text and named queries give rows of Python values; ASK gives a truth."""
    counted = tiny.query("SELECT (COUNT(?p) AS ?papers) { ?p a mm:Paper }")
    assert isinstance(counted, Rows)
    assert (counted.columns, counted.rows) == (("papers",), ((2,),))
    named = tiny.query("most-used", type="Dataset", limit="3")
    assert isinstance(named, Rows)
    assert named.columns == ("name", "papers")
    assert tiny.query("ASK { ?p dcterms:identifier $id }", id="neo") == Truth(True)
    assert tiny.query("ASK { ?p dcterms:identifier $id }", id="other") == Truth(False)


def test_query_says_what_is_wrong(tiny: methodmap.Map) -> None:
    """A query that cannot be answered is a QueryError."""
    with pytest.raises(QueryError, match="parameter 'method' is missing"):
        tiny.query("who-uses")


def test_rdf_and_queries_see_one_graph(tiny: methodmap.Map) -> None:
    """The rdflib dataset holds the papers, typed, with their own abstracts."""
    dataset = tiny.rdf()
    assert isinstance(dataset, rdflib.Dataset)
    rows = dataset.query("SELECT ?id ?abstract { ?p a mm:Paper ; dcterms:identifier ?id ; dcterms:abstract ?abstract } ORDER BY ?id")
    assert [tuple(map(str, row)) for row in rows if isinstance(row, rdflib.query.ResultRow)] == [("lora", LORA), ("neo", NEO)]


def test_network_has_every_node_and_link(tiny: methodmap.Map) -> None:
    """The network has a node for each paper and entity and an edge for each link and statement, with attributes."""
    network, graph = tiny.network(), tiny.graph
    assert isinstance(network, nx.MultiDiGraph)
    assert sorted(network) == sorted([*(f"paper/{p.id}" for p in graph.papers), *(e.id for e in graph.entities)])
    assert network.number_of_edges() == len(graph.links) + len(graph.statements)
    assert network.nodes["paper/neo"]["kind"] == "Paper"
    for link in graph.links:
        assert network.edges[f"paper/{link.paper}", link.entity, link.role]["confidence"] == link.confidence


def test_view_writes_one_file(tiny: methodmap.Map, tmp_path: Path) -> None:
    """A view is one HTML file, of the map or of a paper's surroundings; its path is returned."""
    whole = tiny.view(tmp_path / "map.html", title="Two papers")
    part = tiny.view(str(tmp_path / "part.html"), around="neo")
    assert (whole, part) == (tmp_path / "map.html", tmp_path / "part.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["map.html", "part.html"]
    assert "<title>Two papers – methodmap</title>" in whole.read_text(encoding="utf-8")
    assert "paper/lora" in whole.read_text(encoding="utf-8")
    assert "paper/lora" not in part.read_text(encoding="utf-8")


def test_view_around_nothing(tiny: methodmap.Map, tmp_path: Path) -> None:
    """A view around a name that the map lacks is an error, and no file."""
    with pytest.raises(EntityNotFoundError):
        tiny.view(tmp_path / "map.html", around="no such thing")
    assert list(tmp_path.iterdir()) == []


def test_export_returns_what_it_wrote(tiny: methodmap.Map, tmp_path: Path) -> None:
    """An export returns the files written, by the ending or by a named format."""
    assert tiny.export(tmp_path / "map.gexf") == (tmp_path / "map.gexf",)
    assert tiny.export(str(tmp_path / "map.csv")) == (tmp_path / "map-nodes.csv", tmp_path / "map-edges.csv")
    assert tiny.export(tmp_path / "map.data", format="ttl") == (tmp_path / "map.data",)
    with pytest.raises(UnknownFormatError, match="unknown format 'xyz'"):
        tiny.export(tmp_path / "map.xyz")
    assert set(nx.read_gexf(tmp_path / "map.gexf")) == set(tiny.network())


def test_gexf_has_colours_and_positions(tiny: methodmap.Map, tmp_path: Path) -> None:
    """Gephi gets the map as the page shows it: every node has a colour, a size and a position."""
    tiny.export(tmp_path / "map.gexf")
    text = (tmp_path / "map.gexf").read_text(encoding="utf-8")
    nodes = len(tiny.network())
    assert [text.count(f"<viz:{what} ") for what in ("color", "size", "position")] == [nodes] * 3


def test_info_counts(tiny: methodmap.Map) -> None:
    """``info`` counts what the graph holds."""
    facts = tiny.info(top=1)
    assert facts["papers"] == 2
    assert sum(facts["entities"].values()) == len(tiny.graph.entities)
    assert sum(facts["links"].values()) == len(tiny.graph.links)
    assert all(len(leading) <= 1 for leading in facts["top"].values())


def test_the_pipeline_reads_plain_text(pipeline: Language) -> None:
    """The pipeline puts mentions on ``doc.spans`` and entities on ``Doc._``; the entities' offsets point into the text."""
    text = "We propose NEO, a test-time adaptation method. NEO beats TENT on ImageNet-C."
    doc = pipeline(text)
    assert pipeline.pipe_names == ["sentencizer", "methodmap_tagger"]
    assert all(span.label_ in ENTITY_TYPES for span in doc.spans["methodmap"])
    for entity in doc._.methodmap_entities:
        assert entity.role in ROLES[entity.type]
        assert all(0 <= start < end <= len(text) and 0 <= confidence <= 1 for start, end, confidence in entity.mentions)


def test_the_pipeline_reads_streams_as_it_reads_texts(pipeline: Language) -> None:
    """``pipe`` keeps the order and finds what reading one text after another finds."""
    texts = [NEO, LORA, "", "Nothing here."] * 3
    alone = [pipeline(text)._.methodmap_entities for text in texts]
    assert [doc._.methodmap_entities for doc in pipeline.pipe(texts)] == alone
