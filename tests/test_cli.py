"""The command line: what each command prints and writes, where messages go, and how it exits."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

import methodmap
from methodmap.cli import cli, main

ABSTRACT = "We propose NEO, a method for test-time adaptation. NEO outperforms TENT on ImageNet-C in accuracy."
OTHER = "We extend LoRA to federated learning and evaluate it on GLUE, where it matches full fine-tuning at a fraction of the cost."


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str


class Shell:
    """Runs commands in this process, in the folder that is current."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture

    def __call__(self, *arguments: str | Path) -> Done:
        """Run ``methodmap`` with these arguments."""
        self.capture.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        printed = self.capture.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        return Done(code, printed.out, printed.err)


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Shell(capsys)


@pytest.fixture(scope="session")
def tiny_map(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a map of two papers, ``a`` and ``b``; tests leave it as it is."""
    folder = tmp_path_factory.mktemp("tiny")
    records = [{"id": "a", "abstract": ABSTRACT, "venue": "ICLR 2026"}, {"id": "b", "abstract": OTHER}]
    (folder / "papers.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    methodmap.build(folder / "papers.jsonl", out=folder / "map").close()
    return folder / "map"


def command_names() -> list[str]:
    """Every command."""
    return sorted(cli.commands)


def test_the_commands_are_those_that_scripts_call() -> None:
    """No command goes or changes its name."""
    assert command_names() == ["build", "evaluate", "export", "extract", "info", "queries", "query", "show", "view"]


@pytest.mark.parametrize("name", ["", *command_names()])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_has_an_example(name: str, option: str, shell: Shell) -> None:
    """Every command explains itself, with an example that one can type."""
    done = shell(*filter(None, [name]), option)
    assert (done.code, done.err) == (0, "")
    assert f"Example: methodmap {name}".strip() in " ".join(done.out.split())


@pytest.mark.parametrize("command", [cli, *(cli.commands[name] for name in command_names())], ids=lambda command: command.name)
def test_every_option_is_explained(command: click.Command) -> None:
    """Every option has a sentence of help."""
    assert [option.name for option in command.params if isinstance(option, click.Option) and not option.help] == []


def test_version(shell: Shell) -> None:
    """``--version`` prints the version."""
    assert shell("--version") == Done(0, f"methodmap, version {methodmap.__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["frobnicate"], "No such command 'frobnicate'", id="unknown-command"),
        pytest.param(["build", "x.txt"], "Missing option '-o'", id="no-output"),
        pytest.param(["build", "-o", "map"], "Missing argument 'PATH...'", id="no-input"),
        pytest.param(["build", "x.txt", "-o", "map", "--jobs", "-1"], "Invalid value for '--jobs'", id="jobs"),
        pytest.param(["build", "x.txt", "-o", "map"], "x.txt: no such file or folder", id="missing-input"),
        pytest.param(["build", "x.txt", "-o", "map", "--export", "map.xyz"], "unknown format 'xyz'", id="build-export"),
        pytest.param(["extract", "x.txt"], "x.txt: no such file or folder", id="extract-missing-input"),
        pytest.param(["evaluate", "x.jsonl"], "x.jsonl", id="evaluate-missing-input"),
        pytest.param(["view", "map"], "Missing option '-o'", id="view-no-output"),
        pytest.param(["query", "map", "who-uses", "--param", "LoRA"], "'LoRA' is not of the form KEY=VALUE", id="param"),
        pytest.param(["query", "map", "who-uses", "--format", "xml"], "Invalid value for '--format'", id="format"),
    ],
)
def test_wrong_usage_exits_2(arguments: list[str], message: str, shell: Shell) -> None:
    """Wrong usage says what is wrong on standard error, prints nothing, and exits with 2."""
    done = shell(*arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["info", "none"],
        ["show", "none", "LoRA"],
        ["query", "none", "most-used"],
        ["view", "none", "-o", "map.html"],
        ["export", "none", "-o", "map.gexf"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_missing_map_is_one_line(arguments: list[str], shell: Shell) -> None:
    """A command on a map that is not there says in one line how to make it, and leaves nothing behind."""
    assert shell(*arguments) == Done(2, "", "methodmap: no map at 'none': make one with `methodmap build PATH... -o none`\n")
    assert list(Path.cwd().iterdir()) == []


def test_build_names_what_it_rejects(shell: Shell) -> None:
    """A bad record is named with file, line and reason, the rest is built, and the exit code is 1."""
    Path("papers.jsonl").write_text(f'{{"id": "a", "abstract": "{ABSTRACT}"}}\n{{"id": "b"}}\nnonsense\n', encoding="utf-8")
    done = shell("--quiet", "build", "papers.jsonl", "-o", "map", "--json")
    report = json.loads(done.out)
    assert (done.code, report["papers"]) == (1, 1)
    assert [(record["path"], record["line"]) for record in report["rejected"]] == [("papers.jsonl", 2), ("papers.jsonl", 3)]
    assert [line.partition(": ")[0] for line in done.err.splitlines()] == ["rejected papers.jsonl:2", "rejected papers.jsonl:3"]
    assert json.loads(shell("info", "map", "--json").out)["papers"] == 1


def test_build_again_reads_nothing_again(shell: Shell) -> None:
    """A second build of the same files reads no abstract, and says so in words and in JSON; a paper that went is counted."""
    Path("one.jsonl").write_text(json.dumps({"id": "a", "abstract": ABSTRACT}) + "\n", encoding="utf-8")
    Path("two.jsonl").write_text(json.dumps({"id": "b", "abstract": OTHER}) + "\n", encoding="utf-8")
    first = json.loads(shell("build", "one.jsonl", "two.jsonl", "-o", "map", "--json").out)
    assert {key: first[key] for key in ("map", "papers", "extracted", "unchanged", "removed", "rejected", "duplicates")} == {
        "map": "map",
        "papers": 2,
        "extracted": 2,
        "unchanged": 0,
        "removed": 0,
        "rejected": [],
        "duplicates": [],
    }
    again = shell("build", "one.jsonl", "-o", "map")
    assert again.code == 0
    assert again.out.startswith("map: 1 papers (0 read, 1 unchanged, 1 removed)\n")


def test_build_draws_and_exports(shell: Shell) -> None:
    """``--view`` and ``--export`` write files beside the map and name them; ``--quiet`` names nothing."""
    Path("papers.txt").write_text(ABSTRACT, encoding="utf-8")
    made = ["map-edges.csv", "map-nodes.csv", "map.gexf", "map.html"]
    done = shell("build", "papers.txt", "-o", "map", "--view", "map.html", "--export", "map.gexf", "--export", "map.csv")
    wrote = sorted(line for line in done.err.splitlines() if line.startswith("wrote "))  # slow machines see progress too
    assert (done.code, wrote) == (0, [f"wrote {name}" for name in made])
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["map", *made, "papers.txt"]
    assert shell("--quiet", "build", "papers.txt", "-o", "map", "--view", "map.html").err == ""


def test_build_of_nothing_makes_no_map(shell: Shell) -> None:
    """Where no paper can be read, the command says so and exits with 2, and there is no map."""
    Path("empty.txt").write_text("", encoding="utf-8")
    done = shell("build", "empty.txt", "-o", "map")
    assert (done.code, done.out) == (2, "")
    assert "no paper found" in done.err
    assert not Path("map").exists()


def test_build_leaves_other_folders_alone(shell: Shell) -> None:
    """A folder that holds something else is not made a map."""
    Path("papers.txt").write_text(ABSTRACT, encoding="utf-8")
    Path("thesis").mkdir()
    Path("thesis", "chapter.tex").write_text("…", encoding="utf-8")
    done = shell("build", "papers.txt", "-o", "thesis")
    assert done.code == 2
    assert done.err.startswith("methodmap: 'thesis' cannot be read as a map")
    assert [path.name for path in Path("thesis").iterdir()] == ["chapter.tex"]


def test_extract_reads_standard_input(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """``-`` is standard input; each paper is a line in the form of the annotation guide, its mentions cut from the abstract."""
    text = json.dumps({"id": "a", "abstract": ABSTRACT}) + "\n" + json.dumps({"id": "b", "abstract": OTHER}) + "\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8"))))
    done = shell("--quiet", "extract", "-")
    assert (done.code, done.err) == (0, "")
    papers = {paper["id"]: paper for paper in map(json.loads, done.out.splitlines())}
    assert list(papers) == ["a", "b"]
    for name, abstract in (("a", ABSTRACT), ("b", OTHER)):
        assert sorted(papers[name]) == ["entities", "id", "relations", "results"]
        for entity in papers[name]["entities"]:
            assert sorted(entity) == ["confidence", "mentions", "name", "role", "type"]
            assert all(mention in abstract for mention in entity["mentions"])
            assert 0 <= entity["confidence"] <= 1


def test_extract_writes_a_file(shell: Shell) -> None:
    """``-o`` writes what standard output would get; a record that cannot be read is named, and the exit code is 1."""
    Path("papers.jsonl").write_text(json.dumps({"id": "a", "abstract": ABSTRACT}) + "\n{}\n", encoding="utf-8")
    printed = shell("--quiet", "extract", "papers.jsonl")
    written = shell("--quiet", "extract", "papers.jsonl", "-o", "entities.jsonl")
    assert (printed.code, written.code, written.out) == (1, 1, "")
    assert written.err.startswith("rejected papers.jsonl:2: ")
    assert Path("entities.jsonl").read_text(encoding="utf-8") == printed.out


@pytest.fixture
def gold(shell: Shell) -> Path:
    """A file of one annotated abstract."""
    entity = {"name": "NEO", "type": "Method", "role": "proposed", "mentions": ["NEO"]}
    paper = {"id": "a", "abstract": ABSTRACT, "entities": [entity], "relations": []}
    Path("gold.jsonl").write_text(json.dumps(paper) + "\n", encoding="utf-8")
    return Path("gold.jsonl")


def test_evaluate_scores_predictions(shell: Shell, gold: Path) -> None:
    """Predictions equal to the gold are all right; the table and the JSON say so."""
    done = shell("evaluate", gold, gold, "--json")
    right = {"precision": 1.0, "recall": 1.0, "f1": 1.0, "gold": 1, "predicted": 1}
    assert done.code == 0
    assert json.loads(done.out) == {"Method": right, "Method/proposed": right, "all": right}
    assert "Method/proposed" in shell("evaluate", gold, gold).out


def test_evaluate_extracts_where_nothing_is_predicted(shell: Shell, gold: Path) -> None:
    """Given the gold alone, the shipped model reads its abstracts."""
    done = shell("evaluate", gold, "--json")
    assert (done.code, json.loads(done.out)["all"]["gold"]) == (0, 1)


def test_info_counts(shell: Shell, tiny_map: Path) -> None:
    """``info`` counts papers and venues; in JSON every count has a name."""
    facts = json.loads(shell("info", tiny_map, "--json").out)
    assert facts["papers"] == 2
    assert facts["venues"] == {"ICLR 2026": 1, "unknown": 1}
    assert list(facts["entities"]) == ["Method", "Dataset", "Task", "Metric", "Concept"]
    assert sum(facts["links"].values()) >= sum(facts["entities"].values())
    assert [Path(source["path"]).name for source in facts["sources"]] == ["papers.jsonl"]
    assert shell("info", tiny_map).out.startswith(f"{tiny_map.as_posix()}: 2 papers, {facts['mentions']} mentions, made by ")


def test_show_a_paper(shell: Shell, tiny_map: Path) -> None:
    """``show`` finds a paper by its id and says where it stands."""
    done = shell("show", tiny_map, "b")
    assert done.code == 0
    assert done.out.startswith("b: ")
    assert "papers.jsonl:2\n" in done.out


def test_show_what_is_not_there(shell: Shell, tiny_map: Path) -> None:
    """A name that the map lacks is said in one line."""
    done = shell("show", tiny_map, "no such thing")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("methodmap: the map has no entity or paper 'no such thing'")
    assert done.err.count("\n") == 1


def test_queries_lists_every_named_query(shell: Shell) -> None:
    """Each named query has a line of usage, a sentence, and a line for each parameter."""
    done = shell("queries")
    assert done.code == 0
    assert "who-uses method=NAME\n" in done.out
    usages = [line for line in done.out.splitlines() if not line.startswith(" ")]
    assert len(usages) >= 8
    assert usages == sorted(usages)


PAPERS = "SELECT ?id { ?p a mm:Paper ; dcterms:identifier ?id } ORDER BY ?id"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param([], "id\n──\na\nb\n", id="default"),
        pytest.param(["--format", "table"], "id\n──\na\nb\n", id="table"),
        pytest.param(["--format", "csv"], "id\r\na\r\nb\r\n", id="csv"),
        pytest.param(["--format", "tsv"], '?id\n"a"\n"b"\n', id="tsv"),
        pytest.param(
            ["--format", "json"],
            '{"head":{"vars":["id"]},"results":{"bindings":[{"id":{"type":"literal","value":"a"}},{"id":{"type":"literal","value":"b"}}]}}\n',
            id="json",
        ),
    ],
)
def test_query_prints_rows(options: list[str], expected: str, shell: Shell, tiny_map: Path) -> None:
    """SPARQL text is answered in the form that is asked for."""
    assert shell("query", tiny_map, PAPERS, *options) == Done(0, expected, "")


def test_query_from_a_file_and_from_standard_input(shell: Shell, tiny_map: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ``.rq`` file and standard input do as well as text, and parameters are bound in them."""
    text = PAPERS.replace("?id }", "$id }").replace("SELECT ?id", "SELECT ?p").replace("?id", "?p")
    Path("papers.rq").write_text(text, encoding="utf-8")
    from_file = shell("query", tiny_map, "papers.rq", "--param", "id=b", "--format", "csv")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8"))))
    assert shell("query", tiny_map, "-", "--param", "id=b", "--format", "csv") == from_file
    assert (from_file.code, [line.rpartition("/")[2] for line in from_file.out.splitlines()]) == (0, ["p", "b"])


def test_query_prints_turtle(shell: Shell, tiny_map: Path) -> None:
    """Triples are Turtle where that is asked for; rows are not, and the command says what they can be."""
    made = shell("query", tiny_map, "CONSTRUCT { ?p a mm:Paper } { ?p dcterms:identifier 'a' }", "--format", "ttl")
    assert made.code == 0
    assert made.out.splitlines()[-1].endswith("/paper/a> a mm:Paper .")
    rows = shell("query", tiny_map, PAPERS, "--format", "ttl")
    assert (rows.code, rows.out) == (2, "")
    assert "unknown format 'ttl': use one of table, csv, tsv, json" in rows.err


def test_query_explains_a_mistake(shell: Shell, tiny_map: Path) -> None:
    """Malformed SPARQL and misspelt names are explained without a traceback."""
    malformed = shell("query", tiny_map, "SELECT ?x { ?x a }")
    assert (malformed.code, malformed.out) == (2, "")
    assert "malformed SPARQL at line 1" in malformed.err
    misspelt = shell("query", tiny_map, "whouses")
    assert misspelt.err.startswith("methodmap: query 'whouses': it is neither a named query nor SPARQL; did you mean 'who-uses'")


def test_lora_is_found_in_the_seeds(shell: Shell, seeds_map: Path) -> None:
    """The README's question has an answer: several of the seeds use LoRA or compare with it (if the model is any good)."""
    done = shell("query", seeds_map / "map", "who-uses", "--param", "method=LoRA", "--format", "csv")
    assert done.code == 0
    assert len(done.out.splitlines()) > 2


def test_view_writes_a_page(shell: Shell, tiny_map: Path) -> None:
    """``view`` writes the file that ``-o`` names, under the title that is given, and says so."""
    done = shell("view", tiny_map, "-o", "map.html", "--title", "Two <papers>", "--top", "3")
    assert done == Done(0, "", "wrote map.html\n")
    assert "<title>Two &lt;papers&gt; – methodmap</title>" in Path("map.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("ending", ["csv", "gexf", "graphml", "jsonld", "nq", "nt", "rdf", "trig", "ttl"])
def test_export_writes_every_format(ending: str, shell: Shell, tiny_map: Path) -> None:
    """``export`` writes the format of the file's ending, or the one that is named, and nothing else."""
    by_ending = shell("export", tiny_map, "-o", f"map.{ending}")
    files = sorted(path.name for path in Path.cwd().iterdir())
    assert (by_ending.code, by_ending.out) == (0, "")
    assert files == (["map-edges.csv", "map-nodes.csv"] if ending == "csv" else [f"map.{ending}"])
    if ending != "csv":
        assert shell("export", tiny_map, "-o", "map", "--format", ending).code == 0
        assert Path("map").read_bytes() == Path(f"map.{ending}").read_bytes()


def test_verbose_shows_where_an_error_came_from(shell: Shell) -> None:
    """With ``--verbose`` an error keeps its traceback."""
    with pytest.raises(methodmap.MethodmapError, match="no map at 'none'"):
        main(["--verbose", "info", "none"])


def test_module_and_command_are_one(seeds_map: Path, shell: Shell) -> None:
    """The map of the seeds, built by ``python -m methodmap`` in another process, has all 76 papers."""
    assert json.loads(shell("info", seeds_map / "map", "--json").out)["papers"] == 76


def test_quiet_after_the_command(shell: Shell, tiny_map: Path) -> None:
    """``--quiet`` and ``--verbose`` may stand where people type them, after the command's name."""
    assert shell("view", tiny_map, "-o", "map.html", "--quiet").err == ""
    assert shell("view", tiny_map, "-o", "map.html").err == "wrote map.html\n"


def test_no_folder_for_the_view(shell: Shell) -> None:
    """A file that cannot be written is said before the work, and no map is made."""
    Path("papers.txt").write_text(ABSTRACT, encoding="utf-8")
    done = shell("build", "papers.txt", "-o", "map", "--view", "nowhere/map.html")
    assert (done.code, "'nowhere/map.html' is to be in a folder that does not exist" in done.err) == (2, True)
    assert not Path("map").exists()


def test_an_answer_without_rows(shell: Shell, tiny_map: Path) -> None:
    """An empty answer is not left without a word on what may be wrong."""
    done = shell("query", tiny_map, "who-uses", "-p", "method=LoRRA")
    assert (done.code, "no rows; if a name may be misspelt" in done.err) == (0, True)


def test_evaluate_says_what_it_could_not_read(shell: Shell) -> None:
    """A gold paper without an abstract is named, the others are scored, and the exit code tells."""
    good = {"id": "a", "abstract": ABSTRACT, "entities": [{"name": "NEO", "type": "Method", "role": "proposed", "mentions": ["NEO"]}]}
    lines = [json.dumps(good), json.dumps({"id": "b", "entities": []})]
    Path("gold.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = shell("evaluate", "gold.jsonl", "--quiet")
    assert (done.code, done.err.startswith("rejected gold.jsonl:2: ")) == (1, True)
    assert "Method/proposed          P 1.000  R 1.000" in done.out
