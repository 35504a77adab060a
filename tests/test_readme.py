"""The documentation is true: what README.md shows runs, its links lead somewhere, and CI takes its commands from there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from needs import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "docs/annotation.md", "seeds/README.md")


@dataclass(frozen=True)
class Block:
    """A fenced block of a document; ``command`` is the name that a comment above gives it."""

    line: int
    language: str
    text: str
    command: str | None


def blocks(text: str) -> list[Block]:
    """Every fenced block, in order."""
    fence = re.compile(r"(?m)^(?:<!-- command: (\S+) -->\n)?```(\w+)\n(.*?)^```$", re.DOTALL)
    return [Block(text.count("\n", 0, match.start(2)) + 1, match[2], match[3], match[1]) for match in fence.finditer(text)]


def examples(language: str) -> list[object]:
    """The README's blocks in a language, without those that install; each is named by its line."""
    return [pytest.param(b.text, id=f"line-{b.line}") for b in blocks(README) if b.language == language and b.command is None]


def run(command: list[str], folder: Path) -> None:
    """Run a command in a folder, with the ``methodmap`` that is being tested first on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("commands", examples("sh"))
def test_shell_examples_run(commands: str, seeds_map: Path) -> None:
    """Every shell example works as it stands, against the map of the seeds that the README's first command builds."""
    assert "methodmap " in commands
    run(["bash", "-euo", "pipefail", "-c", commands], seeds_map)


@pytest.mark.parametrize("code", examples("python"))
def test_python_examples_run(code: str, seeds_map: Path) -> None:
    """Every Python example works as it stands."""
    run([sys.executable, "-c", code], seeds_map)


def test_ci_runs_the_commands_of_the_readme() -> None:
    """CI asks the README for its two commands, which are these, instead of having copies that drift."""
    shown = {block.command: block.text for block in blocks(README) if block.command}
    assert sorted(shown) == ["build", "tests"]
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for name, command in shown.items():
        assert f"$(.ci/readme-command {name})" in script
        assert subprocess.check_output([ROOT / ".ci" / "readme-command", name], encoding="utf-8") == command
        assert command.strip() not in script
    assert shown["tests"].endswith(" && .venv/bin/pytest\n"), ".ci/run takes this ending off to get the environment without the tests"


def test_a_command_that_the_readme_lacks_is_an_error() -> None:
    """A renamed mark stops CI instead of letting it run nothing."""
    done = subprocess.run([ROOT / ".ci" / "readme-command", "none"], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "README.md marks no command 'none'\n")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_to_files(name: str) -> None:
    """Every relative link of a document leads to a file or folder of the project."""
    path = ROOT / name
    targets = re.findall(r"\]\(([^)\s#]+)[^)]*\)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if "://" not in target and not (path.parent / target).exists()] == []


def test_the_annotation_example_follows_its_own_rules() -> None:
    """The example in docs/annotation.md is JSON, its mentions and quotes stand in its abstract, and its relations join its entities."""
    (block,) = blocks((ROOT / "docs" / "annotation.md").read_text(encoding="utf-8"))
    paper = json.loads(block.text)
    names = [entity["name"] for entity in paper["entities"]]
    assert names == ["NEO", "test-time adaptation", "TENT", "ImageNet-C", "accuracy"]
    assert all(mention in paper["abstract"] for entity in paper["entities"] for mention in entity["mentions"])
    assert all(result["quote"] in paper["abstract"] for result in paper["results"])
    assert {end for relation in paper["relations"] for end in (relation["head"], relation["tail"])} <= set(names)
