"""The command line. Each command is a thin shell around the Python API: results go to standard output, messages to standard error.

Exit codes: 0 done; 1 done, with rejected records; 2 wrong usage or nothing done; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import io
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from methodmap import __version__, api
from methodmap.graph.errors import MethodmapError, RejectedRecord
from methodmap.terminal import Terminal, interruptible, is_terminal, printable

if TYPE_CHECKING:
    from methodmap.graph.build import BuildReport

__all__ = ["cli", "main"]

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells give it: 128 and the signal's number."""

DRAWABLE: Final = 6000
"""Nodes that a browser draws with ease; the view of a larger map shows its top unless told otherwise."""

TOP_OF_LARGE: Final = 100
"""Entities in that top; their papers, some thousands, come with them."""

_MAP: Final = click.argument("map_folder", metavar="MAP", type=click.Path(path_type=Path))
_PATHS: Final = click.argument("paths", metavar="PATH...", nargs=-1, required=True)
_JOBS: Final = click.option("--jobs", type=click.IntRange(min=0), default=0, help="Abstracts read at once; 0: one a processor.")
_MODEL: Final = click.option(
    "--model", type=click.Path(path_type=Path, file_okay=False), help="A model folder instead of the one that ships."
)


def _say(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted and option.name:
        context.obj = replace(context.ensure_object(Terminal), **{option.name: True})


_LOUDNESS: Final = (
    (("-q", "--quiet"), "No progress and no remarks; errors are still shown."),
    (("-v", "--verbose"), "Name every rejected record and duplicate, and show an error's traceback."),
)


def _loudness() -> list[click.Parameter]:
    return [click.Option(names, is_flag=True, expose_value=False, callback=_say, help=text) for names, text in _LOUDNESS]


class _Command(click.Command):
    """A command that takes --quiet and --verbose, which may stand before its name too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += _loudness()


class _Group(click.Group):
    command_class = _Command

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += _loudness()


@click.group(
    cls=_Group,
    epilog="Example: methodmap build seeds -o map && methodmap view map -o map.html",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="methodmap")
@click.pass_context
def cli(context: click.Context) -> None:
    """Turn files of paper abstracts into a map of methods and concepts, ask it, draw it and take it away."""
    context.ensure_object(Terminal)


@cli.command(epilog="Example: methodmap build papers.txt more.jsonl -o map")
@_PATHS
@click.option("-o", "--out", "out", metavar="MAP", required=True, type=click.Path(path_type=Path), help="The map folder.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("--view", type=click.Path(path_type=Path, dir_okay=False), help="Write the HTML view too, as `methodmap view` does.")
@click.option(
    "--export",
    "exports",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write this file too, as `methodmap export` does; may be repeated.",
)
@_JOBS
@_MODEL
@click.pass_obj
def build(
    terminal: Terminal,
    paths: tuple[str, ...],
    out: Path,
    as_json: bool,
    view: Path | None,
    exports: tuple[Path, ...],
    jobs: int,
    model: Path | None,
) -> None:
    """Create a map, or bring it up to date, from files and folders of abstracts ("-": standard input)."""
    from methodmap.graph.export import format_of

    for file in exports:
        format_of(file)  # a wrong ending is said before the work, not after it
    for file in (*exports, *([view] if view else [])):
        if not file.parent.is_dir():
            raise click.BadParameter(f"{str(file)!r} is to be in a folder that does not exist: make it first")
    with terminal.progress() as progress, api.build(*paths, out=out, jobs=jobs, model=model, progress=progress) as made:
        report = made.report
        written = [_draw(terminal, made, view)] if view else []
        for file in exports:
            written += made.export(file)
    for file in written:
        terminal.remark(f"wrote {file}")
    assert report is not None  # api.build always gives one
    terminal.rejected(report.rejected)
    terminal.duplicates(report.duplicates)
    if as_json:
        click.echo(json.dumps(_as_json(report, out), indent=2, ensure_ascii=False))
    else:
        counts = ", ".join(f"{number} {kind.lower()}s" for kind, number in report.entities.items())
        click.echo(f"{out}: {report.papers} papers ({report.extracted} read, {report.unchanged} unchanged, {report.removed} removed)")
        click.echo(f"{counts}; {report.links} links; {report.seconds:.1f} s")
    if report.rejected:
        sys.exit(1)


def _draw(
    terminal: Terminal,
    opened: api.Map,
    out: Path,
    *,
    title: str | None = None,
    top: int | None = None,
    around: str | None = None,
    hops: int = 1,
) -> Path:
    """Draw a map, of a large one only the top unless another part is asked for."""
    nodes = len(opened.graph.papers) + len(opened.graph.entities)
    if nodes > DRAWABLE and top is None and around is None:
        top = TOP_OF_LARGE
        terminal.remark(f"the map has {nodes} nodes: drawing the {top} entities that most papers name (--top and --around choose others)")
    return opened.view(out, title=title, top=top, around=around, hops=hops)


def _as_json(report: BuildReport, out: Path) -> dict[str, Any]:
    return {
        "map": out.as_posix(),
        "papers": report.papers,
        "extracted": report.extracted,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "entities": report.entities,
        "links": report.links,
        "extractor": report.extractor,
        "rejected": [{"path": r.path, "line": r.line, "reason": r.reason} for r in report.rejected],
        "duplicates": [str(d) for d in report.duplicates],
        "seconds": report.seconds,
    }


@cli.command(epilog="Example: methodmap extract abstracts.txt -o entities.jsonl")
@_PATHS
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="The file to write; standard output if not given.")
@_JOBS
@_MODEL
@click.pass_obj
def extract(terminal: Terminal, paths: tuple[str, ...], out: Path | None, jobs: int, model: Path | None) -> None:
    """Print what each paper names: one JSON object a line, in the form of the annotation guide, with confidences."""
    from methodmap.graph.build import extract_papers
    from methodmap.graph.export.atomic import atomic
    from methodmap.graph.extract.extractor import SpacyExtractor, as_annotated
    from methodmap.graph.sources import read_sources

    rejected: list[RejectedRecord] = []
    papers = list(read_sources(paths, rejected=rejected.append))
    reader = SpacyExtractor(api.load_pipeline(model=model, jobs=jobs))
    with terminal.progress() as progress:
        lines = (json.dumps(as_annotated(e), ensure_ascii=False) + "\n" for e in extract_papers(papers, reader, progress))
        if out is None:
            for line in lines:
                click.echo(line, nl=False)
        else:
            with atomic(out) as stream:
                stream.writelines(line.encode("utf-8") for line in lines)
    terminal.rejected(rejected)
    if rejected or not papers:
        sys.exit(1)


@cli.command(epilog="Example: methodmap evaluate seeds/gold/dev.jsonl")
@click.argument("gold", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("predicted", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print the scores as JSON.")
@_JOBS
@_MODEL
@click.pass_obj
def evaluate(terminal: Terminal, gold: Path, predicted: Path | None, as_json: bool, jobs: int, model: Path | None) -> None:
    """Score entities against annotated abstracts; those of the shipped model unless a file of PREDICTED ones is given."""
    from methodmap.graph import evaluate as scoring
    from methodmap.graph.build import extract_papers
    from methodmap.graph.extract.extractor import SpacyExtractor, as_annotated
    from methodmap.graph.sources import read_sources

    wanted = scoring.read_annotated(gold)
    rejected: list[RejectedRecord] = []
    if predicted is not None:
        found = scoring.read_annotated(predicted)
    else:
        papers = list(read_sources([gold], rejected=rejected.append))
        reader = SpacyExtractor(api.load_pipeline(model=model, jobs=jobs))
        with terminal.progress() as progress:
            found = {e.paper: as_annotated(e) for e in extract_papers(papers, reader, progress)}
    rows = scoring.evaluate(wanted, found)
    if as_json:
        table = {
            key: {"precision": s.precision, "recall": s.recall, "f1": s.f1, "gold": s.gold, "predicted": s.predicted}
            for key, s in rows.items()
        }
        click.echo(json.dumps(table, indent=2))
    else:
        shown = {key: score for key, score in rows.items() if score.predicted or not key.startswith("relation")}
        click.echo(scoring.format_scores(shown))
    terminal.rejected(rejected)
    if rejected:
        sys.exit(1)


@cli.command(epilog="Example: methodmap info map")
@_MAP
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def info(map_folder: Path, as_json: bool) -> None:
    """Count what a map holds, by type and role, and name its leading entities."""
    from methodmap.describe import describe_map

    with api.open_map(map_folder) as opened:
        facts = opened.info()
    click.echo(json.dumps(facts, indent=2, ensure_ascii=False) if as_json else describe_map(facts))


@cli.command(epilog="Example: methodmap show map LoRA")
@_MAP
@click.argument("name", metavar="NAME-OR-PAPER-ID")
def show(map_folder: Path, name: str) -> None:
    """Show everything about one entity or paper, with the sentences that say so."""
    from methodmap.describe import describe_node

    with api.open_map(map_folder) as opened:
        click.echo(describe_node(opened.graph, name))


@cli.command(epilog="Example: methodmap query map who-uses --param method=LoRA")
@_MAP
@click.argument("query")
@click.option("-p", "--param", "params", metavar="KEY=VALUE", multiple=True, help="A parameter of the query; may be repeated.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "csv", "tsv", "json", "ttl"]),
    default="table",
    show_default=True,
    help="How to print.",
)
@click.pass_obj
def query(terminal: Terminal, map_folder: Path, query: str, params: tuple[str, ...], format_: str) -> None:
    """Ask a map. QUERY is SPARQL, a .rq file, or a name that `methodmap queries` lists; "-" reads SPARQL from standard input."""
    from methodmap.graph.query import Rows
    from methodmap.graph.query_format import format_answer

    given = {}
    for param in params:
        key, equals, value = param.partition("=")
        if not equals:
            raise click.BadParameter(f"{param!r} is not of the form KEY=VALUE", param_hint="--param")
        given[key] = value
    with api.open_map(map_folder) as opened:
        asked = _standard_input() if query == "-" else query
        with interruptible():
            answer = opened.query(asked, **given)
        width = shutil.get_terminal_size().columns if is_terminal(sys.stdout) else None
        click.echo(format_answer(answer, format_, base=opened.base_iri, width=width), nl=False)
    if isinstance(answer, Rows) and not answer.terms:
        terminal.remark(f"no rows; if a name may be misspelt, `methodmap show {map_folder} NAME` tells what comes near")


def _standard_input() -> str:
    if sys.stdin is None:  # so it is for a program that was started without one
        raise click.UsageError("standard input is closed: give the query as text or as a file")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"standard input is not UTF-8 (byte {error.start})") from error


@cli.command(epilog="Example: methodmap queries")
def queries() -> None:
    """List the named queries, what each answers, and its parameters."""
    from methodmap.graph.query import named_queries

    for named in named_queries():
        click.echo(named.usage())
        click.echo(f"    {named.summary}")
        for parameter in named.parameters:
            click.echo(f"    {parameter.name}: {parameter.help}")


@cli.command(epilog="Example: methodmap view map -o lora.html --around LoRA --hops 2")
@_MAP
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The HTML file to write.")
@click.option("--around", metavar="NAME", help="Draw only this entity or paper and its surroundings.")
@click.option("--hops", type=click.IntRange(min=1), default=1, show_default=True, help="How far the surroundings reach.")
@click.option("--top", type=click.IntRange(min=1), help="Draw only so many entities, those that most papers name.")
@click.option("--title", help="What the page is called; the map's folder if not given.")
@click.pass_obj
def view(terminal: Terminal, map_folder: Path, out: Path, around: str | None, hops: int, top: int | None, title: str | None) -> None:
    """Write a map as one HTML file to look at in a browser; it works offline."""
    with api.open_map(map_folder) as opened:
        written = _draw(terminal, opened, out, title=title, top=top, around=around, hops=hops)
        terminal.remark(f"wrote {written}")


@cli.command(epilog="Example: methodmap export map -o map.gexf")
@_MAP
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")
@click.option("--format", "format_", help="The format, where the file's ending does not say it.")
@click.pass_obj
def export(terminal: Terminal, map_folder: Path, out: Path, format_: str | None) -> None:
    """Write a map for another tool: gexf (Gephi), graphml, csv, ttl, nt, nq, trig, jsonld, rdf."""
    with api.open_map(map_folder) as opened:
        for path in opened.export(out, format=format_):
            terminal.remark(f"wrote {path}")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit; an error that methodmap knows becomes one line on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names hold letters that a console's own encoding may lack
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        sys.exit(cli.main(args=arguments, prog_name="methodmap", standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:  # what click makes of Ctrl-C
        click.echo("methodmap: stopped", err=True)
        sys.exit(INTERRUPTED)
    except (MethodmapError, OSError) as error:
        if {"--verbose", "-v"} & set(sys.argv[1:] if arguments is None else arguments):
            raise
        click.echo(printable(f"methodmap: {error}"), err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
