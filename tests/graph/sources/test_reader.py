from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import pytest
from examples import GRAPH

from methodmap.graph.errors import RejectedRecord, SourceError
from methodmap.graph.export import export
from methodmap.graph.model import Paper
from methodmap.graph.sources import DuplicateRecord, read_sources

SEEDS = Path(__file__).parents[3] / "seeds"

A = "We introduce ALPHA, a sparse optimiser for large language models, and show that it outperforms AdamW on the C4 corpus."
B = "Graph neural networks oversmooth when they grow deep. BETA rewires the graph as it learns, and reaches 84.5% on Cora."
C = "Offline reinforcement learning suffers from distribution shift. We bound it, and derive GAMMA, best on nine D4RL tasks."


def record(abstract: str, **fields: object) -> str:
    """One line of JSON."""
    return json.dumps({"abstract": abstract, **fields}) + "\n"


def read(paths: Iterable[str | Path], stdin: BinaryIO | None = None) -> tuple[list[Paper], list[str], list[str]]:
    """The papers, the messages about what was rejected, and those about duplicates."""
    rejected: list[RejectedRecord] = []
    duplicates: list[DuplicateRecord] = []
    papers = list(read_sources(paths, rejected=rejected.append, duplicate=duplicates.append, stdin=stdin))
    return papers, list(map(str, rejected)), list(map(str, duplicates))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_seeds_are_76_papers() -> None:
    """The folder of seeds gives its 76 papers; the annotated copies below it are the same papers, and the notes about it are none."""
    papers, rejected, duplicates = read([SEEDS])
    assert len(papers) == 76
    assert len({paper.id for paper in papers}) == 76
    assert rejected == []
    assert len(duplicates) == len((SEEDS / "gold" / "dev.jsonl").read_text(encoding="utf-8").splitlines())


def test_folder(folder: Path) -> None:
    """A folder is read sorted and deep; hidden files, files about it, and other files are passed over; tables are reported."""
    for name, content in {
        "d/b.txt": f"{B}\n",
        "d/a/z.jsonl": record(C, id="c"),
        "d/a.md": f"# One\n\n{A}\n",
        "d/README.md": f"{A} This is about the folder.",
        "d/.hidden.txt": f"{A} Hidden.",
        "d/.git/x.txt": f"{A} Hidden.",
        "d/picture.png": "\x89PNG",
        "d/paper.pdf": "%PDF-",
        "d/table.csv": "abstract\nx\n",
    }.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(content, encoding="utf-8")
    papers, rejected, duplicates = read(["d/"])
    assert [(paper.source.path, paper.abstract, paper.title) for paper in papers] == [
        ("d/a.md", A, "One"),
        ("d/a/z.jsonl", C, None),
        ("d/b.txt", B, None),
    ]
    assert rejected == ["d/table.csv:1: .csv files are not read: export it as JSONL"]
    assert duplicates == []
    assert [paper.source.path for paper in read([Path()])[0]] == ["d/a.md", "d/a/z.jsonl", "d/b.txt"]


def test_named_files_are_read_or_reported(folder: Path) -> None:
    """A file named directly is read whatever its name, in the order of the arguments and once, or reported."""
    Path("README").write_text(A)
    Path("list.dat").write_text(record(B))
    Path("notes.lst").write_text(f"## Title\n\n{C}\n\n## Other\n\n{C} More.")
    Path("paper.pdf").write_bytes(b"%PDF-1.5")
    Path("photo.txt").write_bytes(bytes(range(256)) * 40)
    papers, rejected, _ = read(["notes.lst", "list.dat", "./README", "README", "paper.pdf", "photo.txt"])
    assert [(paper.source.path, paper.title) for paper in papers] == [
        ("notes.lst", "Title"),
        ("notes.lst", "Other"),
        ("list.dat", None),
        ("./README", None),
    ]
    assert rejected == [
        "paper.pdf:1: .pdf files are not read: save its abstracts as plain text (UTF-8)",
        "photo.txt:1: a binary file, or UTF-16 without its mark: save it as plain text in UTF-8",
    ]


def test_missing_path_stops_before_anything_is_read(folder: Path) -> None:
    """A path that does not exist is an error of its own kind at once, with what to do."""
    Path("a.txt").write_text(A)
    with pytest.raises(SourceError, match=r"^nowhere\.txt: no such file or folder: check the name") as caught:
        read_sources(["a.txt", "nowhere.txt"], rejected=lambda report: None)
    assert caught.value.path == "nowhere.txt"


def test_empty_folder_is_reported(folder: Path) -> None:
    """A folder without anything to read is reported with the endings that are read."""
    Path("d").mkdir()
    assert read(["d"]) == ([], ["d:1: the folder holds no file to read (.json, .jsonl, .markdown, .md, .ndjson, .text, .txt)"], [])


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="no file is closed to root, nor by its mode on Windows")
def test_unreadable_file_is_reported(folder: Path) -> None:
    """A file that may not be opened is reported and the rest is read."""
    Path("a.txt").write_text(A)
    Path("b.txt").write_text(B)
    Path("a.txt").chmod(0)
    papers, rejected, _ = read(["."])
    assert [paper.abstract for paper in papers] == [B]
    assert rejected == ["a.txt:1: cannot be read: Permission denied"]


def test_an_empty_name_is_not_the_current_folder(folder: Path) -> None:
    """A variable that a script forgot to set does not make it read whatever lies around."""
    (folder / "a.txt").write_text(A, encoding="utf-8")
    with pytest.raises(SourceError, match="an empty name"):
        read([""])


def test_a_name_longer_than_names_can_be(folder: Path) -> None:
    """An abstract that is given in the place of a file's name is no file, and that is said."""
    with pytest.raises(SourceError, match="cannot be read: "):
        read([A * 50])


def test_what_a_folder_holds_and_nobody_can_read_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that could be a list of abstracts is passed over without a word: links to nothing or themselves, folders that are locked."""
    (folder / "d" / "locked").mkdir(parents=True)
    (folder / "d" / "a.txt").write_text(A, encoding="utf-8")
    (folder / "d" / "dangling.txt").symlink_to("nowhere.txt")
    (folder / "d" / "self.md").symlink_to("self.md")
    scandir = os.scandir

    def locked(path: str) -> object:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", locked)
    papers, rejected, _ = read(["d"])
    assert [paper.source.path for paper in papers] == ["d/a.txt"]
    assert [message.partition(": cannot be read: ")[0] for message in rejected] == ["d/locked:1", "d/dangling.txt:1", "d/self.md:1"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets names be any bytes")
def test_names_that_cannot_be_written_down(folder: Path) -> None:
    """A file whose name is no UTF-8 could not be named in the map: it is reported, and the rest is read."""
    for name in (b"d/bad\xff.txt", b"d/good.txt"):
        (folder / "d").mkdir(exist_ok=True)
        Path(os.fsdecode(name)).write_text(A if b"good" in name else B, encoding="utf-8")
    papers, rejected, _ = read(["d", Path(os.fsdecode(b"d/bad\xff.txt"))])
    assert [paper.source.path for paper in papers] == ["d/good.txt"]
    assert rejected == [r"d/bad\udcff.txt:1: its name is not UTF-8: rename it"]


def test_names_in_a_locale_without_letters(tmp_path: Path) -> None:
    """Where Python takes names for ASCII, as an old locale makes it, a file is read all the same and named as it is."""
    (tmp_path / "ü.txt").write_text(A, encoding="utf-8")
    code = (
        "import sys; from methodmap.graph.sources import read_sources\n"
        "papers = list(read_sources(sys.argv[1:], rejected=lambda record: sys.exit(str(record))))\n"
        "sys.stdout.buffer.write(papers[0].source.path.encode())"
    )
    old = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([sys.executable, "-c", code, "ü.txt"], cwd=tmp_path, env=old, capture_output=True)
    assert (done.stdout.decode(), done.stderr.decode()) == ("ü.txt", "")


def test_own_exports_beside_the_sources(folder: Path) -> None:
    """The tables that an export left in the folder are no sources, and no mistake of the user's."""
    (folder / "d").mkdir()
    (folder / "d" / "a.txt").write_text(A, encoding="utf-8")
    export(GRAPH, folder / "d" / "map.csv")
    (folder / "d" / "other.csv").write_text("id,abstract\n", encoding="utf-8")
    papers, rejected, _ = read(["d"])
    assert [paper.source.path for paper in papers] == ["d/a.txt"]
    assert rejected == ["d/other.csv:1: .csv files are not read: export it as JSONL"]


def test_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that was started without one says so."""
    monkeypatch.setattr(sys, "stdin", None)
    assert read(["-"]) == ([], ["-:1: cannot be read: standard input is closed"], [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", ["é.txt", "é.txt.gz", "é.jsonl", "é.jsonl.gz"])
def test_encodings_and_compression(folder: Path, encoding: str, name: str) -> None:
    """UTF-8 with and without a mark and UTF-16 with one are read, packed or not, and places count characters of the decoded file."""
    text = f"ICLR 2026 Papers\r\n\r\nÉ {A}\r\n" if "txt" in name else f"\r\n{json.dumps({'abstract': f'É {A}'}, ensure_ascii=False)}"
    data = text.encode(encoding)
    Path(name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    papers, rejected, _ = read([name])
    assert rejected == []
    mark = int(encoding != "utf-8")
    assert [(paper.abstract, paper.source.line, paper.source.offset - mark) for paper in papers] == [
        (f"É {A}", *((3, 20) if "txt" in name else (2, 2))),
    ]


def test_bad_bytes_lose_their_record_only(folder: Path) -> None:
    """Latin-1 bytes and a cut UTF-16 file are reported with file, line and what to do; other records are read."""
    Path("a.txt").write_bytes(f"{A}\n\nUn café. {B}\n\n{C}".encode("latin-1"))
    Path("b.jsonl").write_bytes((record(f"{A} Two.") + record("café") + record(f"{B} Two.")).replace("\\u00e9", "é").encode("latin-1"))
    Path("c.txt").write_bytes(f"{A} Three.\n\n{B} Three.".encode("utf-16")[:-1])
    papers, rejected, _ = read(["a.txt", "b.jsonl", "c.txt"])
    assert [paper.abstract for paper in papers] == [A, C, f"{A} Two.", f"{B} Two.", f"{A} Three."]
    assert [report.split(": ")[:2] for report in rejected] == [
        ["a.txt:3", "byte 0xE9 is not UTF-8"],
        ["b.jsonl:2", "byte 0xE9 is not UTF-8"],
        ["c.txt:3", "byte 0x2E is not UTF-8"],
    ]


def test_broken_archive(folder: Path) -> None:
    """A gzip file that ends too early gives the records before its end and a report; the next file is read."""
    lines = "".join(record(f"{A} {i} {i * 7919 % 104729}", id=i) for i in range(3000))
    Path("a.jsonl.gz").write_bytes(gzip.compress(lines.encode())[:-2000])
    Path("b.txt").write_text(B)
    papers, rejected, _ = read(["a.jsonl.gz", "b.txt"])
    assert papers[0].id == "0"
    assert papers[-1].abstract == B
    assert len(rejected) == 1
    assert rejected[0].startswith("a.jsonl.gz:")
    assert "cannot be read: Compressed file ended before the end-of-stream marker" in rejected[0]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (f"ICLR 2026 Papers\n\n{A}\n".encode(), (A, None, "ICLR 2026")),
        (f"# T\n\n{A}\n".encode(), (A, "T", None)),
        (record(A, title="T").encode(), (A, "T", None)),
        (json.dumps([{"abstract": A, "title": "T"}], indent=2).encode(), (A, "T", None)),
        (json.dumps({"abstract": A, "title": "T"}, indent=2).encode("utf-16"), (A, "T", None)),
        (gzip.compress(record(A).encode()), (A, None, None)),
    ],
)
def test_standard_input(data: bytes, expected: tuple[str, str | None, str | None]) -> None:
    """``-`` reads standard input once, tells the format by its look, and leaves the stream open."""
    stream = io.BytesIO(data)
    papers, rejected, _ = read(["-", "-"], stream)
    assert rejected == []
    assert [(paper.abstract, paper.title, paper.venue, paper.source.path) for paper in papers] == [(*expected, "-")]
    assert not stream.closed


def test_pipe() -> None:
    """Standard input may be a pipe, which cannot be read twice, and its first line may be broken."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as end:
        end.write(b'{"abstract": "cut\n' + record(A).encode())
    with os.fdopen(reading, "rb") as stream:
        papers, rejected, _ = read(["-"], stream)
    assert [paper.abstract for paper in papers] == [A]
    assert rejected == ["-:1: not valid JSON: Unterminated string starting at (column 14)"]


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.txt"])
def test_json_is_told_by_its_look(folder: Path, name: str) -> None:
    """Arrays and lines of JSON are read for what they are, whatever the file's name."""
    Path(name).write_text(f"[\n{record(A)},{record(B)}]")
    assert [paper.abstract for paper in read([name])[0]] == [A, B]
    Path(name).write_text(record(A) + record(B))
    assert [paper.abstract for paper in read([name])[0]] == [A, B]


def test_papers_that_come_again(folder: Path) -> None:
    """A paper is left out where its text came under the same id or under none; equal texts under two given ids are two papers."""
    Path("a.txt").write_text(f"{A}\n\n{A.upper()}\n\n{B}")
    Path("b.jsonl").write_text(record(A, id="a") + record(C, id="c") + record(C, id="d") + record(f" {C}\n", id="c") + record(C))
    papers, rejected, duplicates = read(["a.txt", "b.jsonl"])
    assert [(paper.source.path, paper.source.line) for paper in papers] == [("a.txt", 1), ("a.txt", 5), ("b.jsonl", 2), ("b.jsonl", 3)]
    assert rejected == []
    assert duplicates == [
        "a.txt:3: the same paper as a.txt:1",
        "b.jsonl:1: the same paper as a.txt:1",
        "b.jsonl:4: the same paper as b.jsonl:2",
        "b.jsonl:5: the same paper as b.jsonl:2",
    ]


def test_one_id_for_two_abstracts(folder: Path) -> None:
    """The first paper keeps an id; another abstract under it is reported with both places."""
    Path("a.jsonl").write_text(record(A, id="x"))
    Path("b.jsonl").write_text(record(B, id="x") + record(C, id="y"))
    papers, rejected, duplicates = read(["a.jsonl", "b.jsonl"])
    assert [paper.abstract for paper in papers] == [A, C]
    assert rejected == ["b.jsonl:1: id 'x' is that of another abstract at a.jsonl:1: give each paper its own"]
    assert duplicates == []


def test_lines_are_read_as_they_are_asked_for(folder: Path) -> None:
    """The first paper of a long file is there before the last record is looked at."""
    Path("a.jsonl").write_text(record(A) + record(B) + "broken\n")
    rejected: list[RejectedRecord] = []
    papers = read_sources(["a.jsonl"], rejected=rejected.append)
    assert next(papers).abstract == A
    assert rejected == []
    assert next(papers).abstract == B
    assert next(papers, None) is None
    assert [report.line for report in rejected] == [3]
