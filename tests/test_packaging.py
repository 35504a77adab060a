"""What users install: the wheel that the source distribution makes, alone in a folder, far from the source tree."""

from __future__ import annotations

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from needs import ROOT

import methodmap

DATA = (
    "graph/extract/lexicon/generic.txt",
    "graph/extract/model/config.json",
    "graph/extract/model/model.onnx",
    "graph/extract/model/tokenizer.json",
    "graph/queries/who-uses.rq",
    "ontology/alignments.ttl",
    "ontology/context.jsonld",
    "ontology/methodmap.ttl",
    "ontology/shapes.ttl",
    "py.typed",
    "viz/templates/page.css",
    "viz/templates/page.html",
    "viz/templates/start.js",
)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the links in src/ need a privilege on Windows")


def hatch(source: Path, target: str, out: Path) -> Path:
    """Build a distribution in this environment, which has the build backend: no network is needed."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    done = subprocess.run(command, cwd=source, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    (made,) = out.iterdir()
    return made


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution."""
    return hatch(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that the source distribution makes."""
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (source,) = unpacked.iterdir()
    return hatch(source, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing in it but what the wheel installs."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def installed(site: Path, folder: Path, *arguments: str) -> str:
    """Run Python in ``folder`` with the unpacked wheel before this environment's own methodmap; give its standard output."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_has_code_and_data_and_nothing_else(wheel: Path) -> None:
    """The wheel holds one package with all its data, and neither tests nor seeds nor folders beside the package."""
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"methodmap", f"methodmap-{methodmap.__version__}.dist-info"}
    assert [name for name in DATA if f"methodmap/{name}" not in names] == []
    assert [name for name in names if "/tests/" in name or "/seeds/" in name or "__pycache__" in name] == []
    tree = {
        f"methodmap/{path.relative_to(ROOT).as_posix()}"
        for folder in ("graph", "ontology", "viz")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert sorted(tree - set(names)) == [], "a file of the packages is left out, by .gitignore or by the build's settings"


def test_the_wheel_carries_its_licences(site: Path) -> None:
    """The licence and the notice are in the wheel's metadata, where tools look for them."""
    assert sorted(path.name for path in site.glob("*.dist-info/licenses/*")) == ["LICENSE", "NOTICE"]


def test_the_source_distribution_tests_itself(sdist: Path) -> None:
    """The source distribution has the tests, the seeds, and the documents that the tests read."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"tests/conftest.py", "seeds/gold/dev.jsonl", ".ci/run", "docs/annotation.md", "requirements.lock", "CONTRIBUTING.md"} <= names
    assert not {name for name in names if "node_modules" in name or name.startswith(("map/", ".venv"))}


def test_the_wheel_imports_away_from_the_source(site: Path, tmp_path: Path) -> None:
    """The installed package, not the source tree, is imported, with its version and its typing mark."""
    code = "import methodmap, pathlib; print(methodmap.__version__, pathlib.Path(methodmap.__file__).parent)"
    assert installed(site, tmp_path, "-c", code).split() == [methodmap.__version__, str(site / "methodmap")]


def test_the_wheel_declares_what_it_offers(site: Path) -> None:
    """The command and the spaCy factory are entry points."""
    (file,) = site.glob("*.dist-info/entry_points.txt")
    points = configparser.ConfigParser()
    points.read(file, encoding="utf-8")
    assert points["console_scripts"]["methodmap"] == "methodmap.cli:main"
    assert points["spacy_factories"]["methodmap_tagger"] == "methodmap.graph.extract.pipeline:create_tagger"


def test_the_wheel_maps_the_seeds(site: Path, tmp_path: Path) -> None:
    """From another folder, the wheel alone maps all 76 seeds, draws and exports them, and answers a named query."""
    shutil.copytree(ROOT / "seeds", tmp_path / "seeds")
    command = ("-m", "methodmap", "build", "seeds", "-o", "map", "--json", "--view", "seeds.html", "--export", "seeds.gexf")
    assert json.loads(installed(site, tmp_path, *command))["papers"] == 76
    assert (tmp_path / "seeds.html").stat().st_size > 0
    assert (tmp_path / "seeds.gexf").stat().st_size > 0
    assert json.loads(installed(site, tmp_path, "-m", "methodmap", "info", "map", "--json"))["papers"] == 76
    answer = json.loads(installed(site, tmp_path, "-m", "methodmap", "query", "map", "most-used", "--format", "json"))
    assert answer["head"]["vars"] == ["name", "papers"]


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_locks_name_packages_only(name: str) -> None:
    """Every package of a lock file is pinned with hashes; no index, address or path of the machine that made it is in it."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.findall(r"://|^\s*-[^-\s]|--(?!hash=)\S*|^[./]", text, re.MULTILINE) == []
    entries = re.split(r"\n(?=[a-z0-9])", text.replace("\\\n", ""))
    assert [entry.split()[0] for entry in entries if not re.match(r"[a-z0-9.-]+==\S+.*--hash=sha256:[0-9a-f]{64}", entry, re.DOTALL)] == []


def test_the_locks_agree() -> None:
    """What users run is what the tests run: every pin of the runtime lock is in the development lock."""

    def pins(name: str) -> set[str]:
        return {line.removesuffix("\\").strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines() if "==" in line}

    assert pins("requirements.lock") - pins("requirements-dev.lock") == set()


def test_versions_agree() -> None:
    """The package's version is the one that pyproject.toml gives."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{methodmap.__version__}"\n' in project
