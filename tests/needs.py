"""Programs that some tests need beside Python: a test without its program is skipped here and fails in CI (see ``conftest.py``)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

__all__ = ["NEEDS", "ROOT", "browser_and_driver", "node_with_packages"]

ROOT = Path(__file__).parents[1]

NEEDS = "needs "
"""How the reason of such a skip begins."""


def browser_and_driver() -> tuple[str, str]:
    """The paths of Chromium and its driver; skips the test if either is missing."""
    browsers = map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))
    browser, driver = next(filter(None, browsers), None), shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip(f"{NEEDS}chromium and chromedriver (Debian: apt-get install chromium chromium-driver)")
    return browser, driver


def node_with_packages() -> str:
    """The path of Node.js, with what ``npm ci`` installs; skips the test if either is missing."""
    node = shutil.which("node")
    if node is None or not (ROOT / "node_modules" / "graphology-gexf").is_dir():
        pytest.skip(f"{NEEDS}node and the packages that `npm ci` installs")
    return node
