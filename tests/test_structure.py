"""The shape of the code: what may import what, how long a module may be, where IRIs stand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from needs import ROOT

LAYERS = ("ontology", "graph", "viz", "")
"""Each may import from itself and those before it; the last is the command line and the facade."""

FOLDERS = ("ontology", "graph", "viz", "src/methodmap")

MAX_LINES = 400

OTHER_IRIS = {
    "graph/export/gexf.py": "the namespaces of a file format, which mean nothing outside it",
    "graph/export/graphml.py": "the namespace of a file format, which means nothing outside it",
    "graph/settings.py": "where a user's own resources live: a choice, not a term",
}
"""The only modules beside ``ontology/vocabulary.py`` that may hold an IRI, and why."""

TEXT_SUFFIXES = (".cfg", ".css", ".html", ".js", ".json", ".jsonld", ".lock", ".md", ".mjs", ".py", ".rq", ".toml", ".ttl", ".txt", ".yml")


def layer_of(path: Path) -> str:
    """The folder that a module belongs to; the empty string for ``src/methodmap``."""
    first = path.relative_to(ROOT).parts[0]
    return "" if first == "src" else first


def modules() -> Iterator[Path]:
    """Every module of the package, each once (``src/methodmap`` links to the others)."""
    for folder in FOLDERS:
        pattern = "*.py" if folder.startswith("src") else "**/*.py"
        yield from sorted((ROOT / folder).glob(pattern))


MODULES = [pytest.param(path, id=path.relative_to(ROOT).as_posix()) for path in modules()]


def imported(tree: ast.Module) -> Iterator[str]:
    """The full name of everything that a module imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole path"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", MODULES)
def test_imports_go_one_way(path: Path) -> None:
    """A layer imports nothing from those above it: ontology <- graph <- viz <- command line."""
    allowed = LAYERS[: LAYERS.index(layer_of(path)) + 1]
    for name in imported(ast.parse(path.read_text(encoding="utf-8"))):
        package, _, rest = name.partition(".")
        if package == "methodmap":
            folder = rest.partition(".")[0]
            assert (folder if folder in LAYERS else "") in allowed, f"{path.name} imports {name}"


@pytest.mark.parametrize("path", MODULES)
def test_modules_stay_short(path: Path) -> None:
    """A module has one job, so it stays under 400 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", MODULES)
def test_public_names_are_listed_in_order(path: Path) -> None:
    """A module that lists its public names lists them sorted: constants, classes, functions, each by the alphabet."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            if not isinstance(node.value, ast.List | ast.Tuple):
                continue  # computed, and sorted there
            names = [ast.literal_eval(element) for element in node.value.elts]
            assert names == sorted(names, key=lambda name: (0 if name.isupper() else 1 if name[0].isupper() else 2, name))


def strings(tree: ast.Module) -> Iterator[str]:
    """Every string of a module that is no docstring."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


@pytest.mark.parametrize("path", MODULES)
def test_iris_stand_in_the_vocabulary(path: Path) -> None:
    """No module but the vocabulary holds an IRI, so that a term is spelt once; a regular expression for web addresses is none."""
    place = path.relative_to(ROOT).as_posix()
    if place == "ontology/vocabulary.py" or place in OTHER_IRIS:
        return
    assert [text for text in strings(ast.parse(path.read_text(encoding="utf-8"))) if re.search(r"https?://\w", text)] == []


def text_files() -> Iterator[Path]:
    """Every text file of the project that people write, and the lock files."""
    for path in sorted(ROOT.iterdir()):
        if path.is_file() and (path.suffix in TEXT_SUFFIXES or path.name == "justfile"):
            yield path
    for folder in (".ci", "docs", "graph", "ontology", "seeds", "src/methodmap", "tests", "viz"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and (path.suffix in TEXT_SUFFIXES or not path.suffix) and "__pycache__" not in path.parts:
                yield path


def test_no_path_of_a_machine() -> None:
    """No file names a folder that only one machine has."""
    personal = re.compile(r"(?<![\w./~-])/(?:home|mnt|opt|root|Users|work)/\w|\b[A-Z]:\\\w")
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}" for path in text_files() if (match := personal.search(path.read_text(encoding="utf-8")))
    ]
    assert found == []
