"""What reaches a terminal: nothing that drives it, one line a record, and nothing at all where nobody may be written to."""

from __future__ import annotations

import signal
import sys
import threading

import pytest

from methodmap.graph.errors import RejectedRecord
from methodmap.terminal import Terminal, interruptible, is_terminal, printable


def test_what_drives_a_terminal_is_shown_instead() -> None:
    """Control characters and those that turn text round become escapes; line ends, tabs and the joiners of emoji and Persian stay."""
    assert printable("\x1b]0;owned\x07 \x9b2J\r \u202e\u2066 a\tb\n") == r"\x1b]0;owned\x07 \x9b2J\x0d \u202e\u2066 a" + "\tb\n"
    assert printable("👩\u200d🔬 می\u200cخواهم ImageNet‑C") == "👩\u200d🔬 می\u200cخواهم ImageNet‑C"


def test_a_rejected_record_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A line end in a file's name does not look like another message."""
    Terminal().rejected([RejectedRecord("a\nrejected b.txt", 1, "it holds \x1b[31m")])
    assert capsys.readouterr().err == "rejected a\\nrejected b.txt:1: it holds \\x1b[31m\n"


def test_without_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that was started without one shows no progress and works."""
    monkeypatch.setattr(sys, "stderr", None)
    assert not is_terminal(sys.stderr)
    with Terminal().progress() as progress:
        progress("reading", 1, 2)


def test_ctrl_c_ends_native_work() -> None:
    """Inside the block the system itself ends the process; behind it Python hears of it again, and other threads change nothing."""
    before = signal.getsignal(signal.SIGINT)
    seen: list[object] = []

    def elsewhere() -> None:
        with interruptible():
            seen.append(signal.getsignal(signal.SIGINT))

    with interruptible():
        assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL
    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)] == [before]
