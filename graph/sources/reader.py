"""Files, folders and standard input in, papers out: finds the format, reads, and leaves out what was read before."""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, BinaryIO, Final

from methodmap.graph.errors import RejectedRecord
from methodmap.graph.model import Paper
from methodmap.graph.sources.decode import HEAD_SIZE, looks_binary, open_bytes, open_text
from methodmap.graph.sources.duplicates import DuplicateFilter, DuplicateRecord
from methodmap.graph.sources.files import Format, Input, find_inputs
from methodmap.graph.sources.jsonl import read_json, read_jsonl
from methodmap.graph.sources.textlist import read_textlist

__all__ = ["read_sources"]

_OBJECT: Final = re.compile(r'\ufeff?\s*\{\s*"')
_OBJECT_LINE: Final = re.compile(r"\ufeff?\s*\{[^\r\n]*(?:\}[ \t]*[\r\n]|[\r\n]+\{|\s*$)")
"""A first line that ends as an object does, or that another object follows, or that is all."""
_ARRAY: Final = re.compile(r"\ufeff?\s*\[\s*\{")
_MARKDOWN: Final = re.compile(r"(?m)^#{1,6}\s+\S")


def read_sources(
    paths: Iterable[str | Path],
    *,
    rejected: Callable[[RejectedRecord], None],
    duplicate: Callable[[DuplicateRecord], None] | None = None,
    stdin: BinaryIO | None = None,
) -> Iterator[Paper]:
    """Read every paper of these files and folders (``-``: standard input), in order.

    What cannot be read is given to ``rejected`` with its file and line, and reading goes on; a paper that comes again is given to
    ``duplicate`` and left out: where two lists hold one paper, the first named wins. :mod:`methodmap.graph.sources.files` says which files
    of a folder are read. Papers are read as they are asked for; only a path that does not exist raises, :class:`SourceError`, at once.
    """
    return _read_all(find_inputs(paths, rejected), rejected, duplicate, stdin)


def _read_all(
    inputs: list[Input],
    rejected: Callable[[RejectedRecord], None],
    duplicate: Callable[[DuplicateRecord], None] | None,
    stdin: BinaryIO | None,
) -> Iterator[Paper]:
    seen = DuplicateFilter()
    for paper in chain.from_iterable(_read_one(source, rejected, stdin) for source in inputs):
        problem = seen.check(paper)
        if problem is None:
            yield paper
        elif isinstance(problem, RejectedRecord):
            rejected(problem)
        elif duplicate is not None:
            duplicate(problem)


def _read_one(source: Input, rejected: Callable[[RejectedRecord], None], stdin: BinaryIO | None) -> Iterator[Paper]:
    line = 1
    try:
        with open_bytes(source.path or stdin or _standard_input()) as stream:
            for paper in _read_stream(stream, source, rejected):
                line = paper.source.line
                yield paper
    except (OSError, EOFError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        rejected(RejectedRecord(source.label, line, f"cannot be read: {reason}" + ("" if line == 1 else "; what comes after is lost")))


def _standard_input() -> BinaryIO:
    if sys.stdin is None:  # so it is for a program that was started without one
        raise OSError("standard input is closed")
    return sys.stdin.buffer


def _read_stream(stream: IO[bytes], source: Input, rejected: Callable[[RejectedRecord], None]) -> Iterator[Paper]:
    start = stream.tell()
    head = stream.read(HEAD_SIZE)
    stream.seek(start)
    if looks_binary(head):
        rejected(RejectedRecord(source.label, 1, "a binary file, or UTF-16 without its mark: save it as plain text in UTF-8"))
        return
    text = open_text(stream, head)
    try:
        kind = _format(source.format, head)
        if kind == "jsonl":
            yield from read_jsonl(text, source.label, rejected=rejected)
        elif kind == "json":
            yield from read_json(text.read(), source.label, rejected=rejected)
        else:
            yield from read_textlist(text.read(), source.label, markdown=kind == "markdown", rejected=rejected)
    finally:
        text.detach()


def _format(by_name: Format | None, head: bytes) -> Format:
    """What to read a file as: JSON is told by its first signs whatever the name says, the rest by the name."""
    start = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
    if _ARRAY.match(start):
        return "json"
    if by_name != "jsonl" and _OBJECT.match(start):
        return "jsonl" if _OBJECT_LINE.match(start) else "json"
    return by_name or ("markdown" if _MARKDOWN.search(start) else "text")
