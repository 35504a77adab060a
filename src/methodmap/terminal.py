"""What the command line says beside its results: progress, remarks and rejected records, all on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import click

from methodmap.graph.build import Progress, no_progress
from methodmap.graph.errors import RejectedRecord
from methodmap.graph.sources import DuplicateRecord

__all__ = ["Terminal"]

SHOWN: Final = 20
"""Rejected records that are named without --verbose."""

EVERY: Final = 10.0
"""Seconds between progress lines where standard error is no terminal: a log stays short, and still shows life."""


@dataclass(frozen=True)
class Terminal:
    """How much is said."""

    quiet: bool = False
    verbose: bool = False

    def remark(self, text: str) -> None:
        """Say something that is no error."""
        if not self.quiet:
            click.echo(text, err=True)

    def rejected(self, records: Sequence[RejectedRecord]) -> None:
        """Name what could not be read."""
        shown = records if self.verbose else records[:SHOWN]
        for record in shown:
            click.echo(f"rejected {record}", err=True)
        if len(records) > len(shown):
            click.echo(f"rejected {len(records) - len(shown)} more (--verbose names them)", err=True)

    def duplicates(self, records: Sequence[DuplicateRecord]) -> None:
        """Say how many papers came twice, or name them."""
        if self.verbose:
            for record in records:
                click.echo(f"duplicate {record}", err=True)
        elif records:
            self.remark(f"{len(records)} papers came more than once and are counted once (--verbose names them)")

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """Show how far long work is: one line that is rewritten on a terminal, a line now and then elsewhere."""
        if self.quiet:
            yield no_progress
            return
        live, started, last = sys.stderr.isatty(), time.monotonic(), 0.0

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
