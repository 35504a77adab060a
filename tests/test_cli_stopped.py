"""Commands that are stopped, or started without the streams that they would use."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import methodmap
from methodmap import api
from methodmap.cli import main

ABSTRACT = "We propose NEO, a method for test-time adaptation. NEO outperforms TENT on ImageNet-C in accuracy."
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?o ?p . ?q ?r ?s . ?t ?u ?v }"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a list of one abstract and its map."""
    folder = tmp_path_factory.mktemp("stopped")
    (folder / "a.jsonl").write_text(json.dumps({"id": "a", "abstract": ABSTRACT}), encoding="utf-8")
    methodmap.build(folder / "a.jsonl", out=folder / "map").close()
    return folder


def exit_code(*arguments: str) -> int:
    """Run a command in this process."""
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_ctrl_c(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It is not the exit code of a finished build with rejected records, and no traceback."""

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(api, "build", stop)
    assert exit_code("build", "a.txt", "-o", "map") == 130
    assert capsys.readouterr().err.strip() == "methodmap: stopped"


@pytest.mark.skipif(os.name != "posix", reason="Windows has no signal that one process can send another for Ctrl-C")
def test_ctrl_c_ends_a_query_without_end(folder: Path) -> None:
    """A product of all triples with themselves, which Oxigraph would count for years, ends when the user wants it to."""
    # The signal comes from a thread that waits until Python would no longer hear of it.
    code = (
        "import os, signal, sys, threading, time\n"
        "from methodmap.cli import main\n"
        "def stop():\n"
        "    while signal.getsignal(signal.SIGINT) != signal.SIG_DFL: time.sleep(0.01)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=stop, daemon=True).start()\n"
        "main(sys.argv[1:])"
    )
    done = subprocess.run([sys.executable, "-c", code, "query", "map", ENDLESS], cwd=folder, capture_output=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


@pytest.mark.parametrize(
    ("arguments", "stream", "code", "said"),
    [
        (["build", "-", "-o", "new"], "stdin", 2, "-:1: cannot be read: standard input is closed"),
        (["query", "map", "-"], "stdin", 2, "standard input is closed"),
        (["query", "map", "top-baselines"], "stdout", 0, ""),
        (["info", "map"], "stdout", 0, ""),
        (["build", "a.jsonl", "-o", "map"], "stderr", 0, ""),
        (["info", "missing"], "stderr", 2, ""),
    ],
)
def test_closed_streams(
    arguments: list[str],
    stream: str,
    code: int,
    said: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A service or a window system may start a program without one of its streams: it does what can be done, or says what it lacks."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, stream, None)
    assert exit_code(*arguments) == code
    if said:
        assert said in capsys.readouterr().err


def test_a_query_that_is_no_text(folder: Path) -> None:
    """Bytes on standard input that are no UTF-8 are named with their place."""
    command = [sys.executable, "-m", "methodmap", "query", "map", "-"]
    done = subprocess.run(command, cwd=folder, input=b"ASK {\xff}", capture_output=True)
    assert done.returncode == 2
    assert b"standard input is not UTF-8 (byte 5)" in done.stderr
