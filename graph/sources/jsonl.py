"""JSON records: one object a line, or one document that holds them in an array.

Lines are read one by one, so that a file may be larger than memory, and a line that cannot be read costs one record. A document is one
piece: what stands behind a mistake in it cannot be read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Final

from methodmap.graph.errors import RejectedRecord
from methodmap.graph.model import Paper, Source
from methodmap.graph.sources.decode import bad_character, count_line_ends
from methodmap.graph.sources.keys import Number, paper_of_record

__all__ = ["read_json", "read_jsonl"]

ARRAYS: Final = ("papers", "notes", "data", "results", "items", "records")
"""Keys under which a document's one object holds its records (OpenReview: ``notes``, Semantic Scholar: ``data``, OpenAlex: ``results``)."""

WRAPPING: Final = "message"
"""The key under which Crossref wraps the object that holds its records."""

_SPACE: Final = " \t\r\n\ufeff"
_DECODER: Final = json.JSONDecoder(strict=False, parse_int=Number, parse_float=Number, parse_constant=lambda _: None)
"""``strict=False``: raw tabs inside strings are common and harm nothing. NaN, which pandas writes for an empty cell, is nothing."""


def read_jsonl(lines: Iterable[str], path: str, *, rejected: Callable[[RejectedRecord], None]) -> Iterator[Paper]:
    """The papers of a file with one object a line, or a document a line; ``lines`` keep their ends. Blank lines are passed over."""
    offset = 0
    number = 0
    records = 0
    for number, line in enumerate(lines, 1):
        body = line.strip(_SPACE)
        start = offset + (line.index(body) if body else 0)
        offset += len(line)
        if not body:
            continue
        records += 1
        bad = bad_character(body)
        try:
            if bad:
                raise ValueError(bad[1])
            value = _DECODER.decode(body)
        except (ValueError, RecursionError) as error:
            rejected(RejectedRecord(path, number, _reason(error)))
            continue
        # What a server sends is a whole document on one line.
        for at, record in _values(body) if _may_wrap(value) else ((0, value),):
            try:
                yield _paper(record, Source(path, number, start + at))
            except ValueError as error:
                rejected(RejectedRecord(path, number, _reason(error)))
    if not records:
        rejected(RejectedRecord(path, 1, "the file holds no record" if number > 1 else "the file is empty"))


def read_json(text: str, path: str, *, rejected: Callable[[RejectedRecord], None]) -> Iterator[Paper]:
    """The papers of a JSON document: an array of objects, an object that holds such an array, or objects one after another."""
    line, seen = 1, 0
    records = 0
    try:
        for start, value in _values(text):
            records += 1
            line, seen = line + count_line_ends(text, seen, start), start
            try:
                yield _paper(value, Source(path, line, start))
            except ValueError as error:
                rejected(RejectedRecord(path, line, _reason(error)))
    except json.JSONDecodeError as error:
        line = 1 + count_line_ends(text, 0, error.pos)
        bad = bad_character(text[error.pos : error.pos + 1])
        reason = bad[1] if bad else _reason(error)
        rejected(RejectedRecord(path, line, f"{reason}; nothing behind this can be read"))
    except RecursionError as error:
        rejected(RejectedRecord(path, line, _reason(error)))
    else:
        if not records:
            rejected(RejectedRecord(path, 1, "the file holds no record" if text.strip(_SPACE) else "the file is empty"))


def _paper(value: object, source: Source) -> Paper:
    if not isinstance(value, dict):
        raise ValueError("a record must be a JSON object with an 'abstract'")
    return paper_of_record(value, source)


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error.msg} (column {error.colno})"
    return "not valid JSON: nested too deeply" if isinstance(error, RecursionError) else str(error)


def _values(text: str) -> Iterator[tuple[int, object]]:
    """Each record of a document with the place of its first character."""
    at = _skip(text, 0)
    while at < len(text):
        if text[at] == "[":
            at = yield from _array(text, at)
        else:
            inner = _array_inside(text, at)
            if inner is not None:
                yield from _array(text, inner)
            start = at
            value, at = _DECODER.raw_decode(text, start)
            if inner is None:
                yield start, value
        at = _skip(text, at, ",")


def _array(text: str, at: int) -> Generator[tuple[int, object], None, int]:
    """The items of the array that begins here; returns the place behind it."""
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        value, end = _DECODER.raw_decode(text, at)
        yield at, value
        at = _skip(text, end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != "]":
            raise json.JSONDecodeError("Expecting ',' or ']'", text, at)
    return at + 1


def _may_wrap(value: object) -> bool:
    return isinstance(value, dict) and any(key == WRAPPING or key.casefold() in ARRAYS for key in value) and not any(map(_is_own, value))


def _is_own(key: str) -> bool:
    """Whether a key tells a record, which may have results or data of its own, from what wraps records."""
    return "abstract" in key.casefold()


def _array_inside(text: str, at: int) -> int | None:
    """Where the array of records begins, if the object that begins here is only its wrapping."""
    if text[at] != "{":
        return None
    at = _skip(text, at + 1)
    while text[at : at + 1] == '"':
        key, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if text[at : at + 1] != ":" or _is_own(str(key)):
            return None
        at = _skip(text, at + 1)
        if str(key).casefold() in ARRAYS and text[at : at + 1] == "[" and text[_skip(text, at + 1) :][:1] == "{":
            return at
        if key == WRAPPING and text[at : at + 1] == "{" and (inner := _array_inside(text, at)) is not None:
            return inner
        _, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at, ",")
    return None


def _skip(text: str, at: int, also: str = "") -> int:
    while at < len(text) and text[at] in _SPACE + also:
        at += 1
    return at
