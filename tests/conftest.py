"""What all tests share: one pipeline and one map of the seeds a session, and the rule that CI skips nothing for want of a program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from needs import NEEDS, ROOT

import methodmap

if TYPE_CHECKING:
    from spacy.language import Language


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Make a failure of a test that is skipped in CI because a program is missing there."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if reason.startswith(NEEDS):
            report.outcome = "failed"
            report.longrepr = f"CI must not skip this test: it {reason}"
    return report


@pytest.fixture(scope="session")
def pipeline() -> Language:
    """The spaCy pipeline, loaded once."""
    return methodmap.load_pipeline()


@pytest.fixture(scope="session")
def seeds_map(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of ``seeds`` and, built from it by the command line, ``map``. Tests leave both as they are."""
    folder = tmp_path_factory.mktemp("seeds-map")
    shutil.copytree(ROOT / "seeds", folder / "seeds")
    command = [sys.executable, "-m", "methodmap", "--quiet", "build", "seeds", "-o", "map"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return folder
