"""What the command line says beside its results: progress, remarks and rejected records, all on standard error."""

from __future__ import annotations

import re
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TextIO

import click

from methodmap.graph.build import Progress, no_progress
from methodmap.graph.errors import RejectedRecord
from methodmap.graph.sources import DuplicateRecord

__all__ = ["Terminal", "interruptible", "is_terminal", "printable"]

SHOWN: Final = 20
"""Rejected records that are named without --verbose."""

EVERY: Final = 10.0
"""Seconds between progress lines where standard error is no terminal: a log stays short, and still shows life."""


_DRIVING: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What moves the cursor, changes colours or turns the order of letters round, instead of being shown."""


def printable(text: str) -> str:
    r"""The text with its control characters, but for line ends and tabs, as escapes: names come from files that others wrote.

    >>> printable("a\x1b[2Jb"), printable("\u202eLoRA")
    ('a\\x1b[2Jb', '\\u202eLoRA')
    """
    return _DRIVING.sub(lambda found: f"\\u{ord(found[0]):04x}" if found[0] > "\xff" else f"\\x{ord(found[0]):02x}", text)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody watches the stream; a program may be started without it."""
    return stream is not None and stream.isatty()


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end the process at once inside the block: native code that computes for long does not see Python's own way.

    Only for work that leaves nothing half done.
    """
    if threading.current_thread() is not threading.main_thread():  # which alone may say what a signal does
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass(frozen=True)
class Terminal:
    """How much is said."""

    quiet: bool = False
    verbose: bool = False

    def remark(self, text: str) -> None:
        """Say something that is no error."""
        if not self.quiet:
            click.echo(printable(text), err=True)

    def rejected(self, records: Sequence[RejectedRecord]) -> None:
        """Name what could not be read."""
        shown = records if self.verbose else records[:SHOWN]
        for record in shown:
            click.echo(f"rejected {_line(record)}", err=True)
        if len(records) > len(shown):
            click.echo(f"rejected {len(records) - len(shown)} more (--verbose names them)", err=True)

    def duplicates(self, records: Sequence[DuplicateRecord]) -> None:
        """Say how many papers came twice, or name them."""
        if self.verbose:
            for record in records:
                click.echo(f"duplicate {_line(record)}", err=True)
        elif records:
            self.remark(f"{len(records)} papers came more than once and are counted once (--verbose names them)")

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """Show how far long work is: one line that is rewritten on a terminal, a line now and then elsewhere."""
        if self.quiet:
            yield no_progress
            return
        live, started, last = is_terminal(sys.stderr), time.monotonic(), 0.0

        def show(step: str, done: int, total: int) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last < (0.1 if live else EVERY) and (done < total or not live):
                return
            if not live and now - started < EVERY:
                return
            last = now
            rate = done / (now - started)
            text = f"{step}: {done}/{total}" + (f", {rate:.3g}/s" if rate else "") if total > 1 else f"{step} …"
            click.echo(f"\r\x1b[K{text}" if live else text, nl=not live, err=True)

        try:
            yield show
        finally:
            if live:
                click.echo("\r\x1b[K", nl=False, err=True)


def _line(record: object) -> str:
    return printable(str(record).replace("\n", "\\n"))
