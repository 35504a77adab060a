"""Bytes to text without losing a place: bad bytes become marks that a reader finds again, line ends and byte order marks stay.

A byte that cannot be decoded becomes one lone low surrogate, U+DC00 plus the byte (for UTF-8 this is what ``surrogateescape`` does), so one
bad byte costs the record that holds it and not the file, and offsets still count characters.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import IO, BinaryIO, Final, cast

__all__ = ["HEAD_SIZE", "LINE_END", "bad_character", "count_line_ends", "looks_binary", "open_bytes", "open_text"]

HEAD_SIZE: Final = 8192
"""Bytes that are looked at to tell text from binary and one format from another: a disk page or two, as version control tools do."""

SPOOL_SIZE: Final = 64 * 2**20
"""Bytes of a pipe kept in memory before a temporary file takes over."""

BINARY_SHARE: Final = 0.01
"""More control characters than this make a file binary: compressed data has 10 %, UTF-16 without a mark 50 %, text with a slip far less."""

LINE_END: Final = re.compile(r"\r\n|\r|\n")
_CONTROLS: Final = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
_BINARY_MAGIC: Final = (b"%PDF-", b"PK\x03\x04", b"\x89PNG", b"SQLite format 3", b"{\\rtf")
_ENCODING_OF_MARK: Final = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_ESCAPE: Final = "methodmap.escape"
_BAD: Final = re.compile("[\ud800-\udfff\x00]")


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "".join(chr(0xDC00 + byte) for byte in error.object[error.start : error.end]), error.end


codecs.register_error(_ESCAPE, _escape)


@contextmanager
def open_bytes(source: Path | BinaryIO) -> Iterator[IO[bytes]]:
    """Open a file, or go on with an open stream, as seekable bytes; gzip is unpacked, whatever the name says.

    Raises :class:`OSError` where the file cannot be opened. A stream that the caller opened is left open.
    """
    stream: IO[bytes] = source.open("rb") if isinstance(source, Path) else source
    try:
        if stream.seekable():
            seekable: IO[bytes] = stream
        else:
            seekable = tempfile.SpooledTemporaryFile(SPOOL_SIZE)  # noqa: SIM115 - closed below, where it was opened here
            copyfileobj(stream, seekable)
            seekable.seek(0)
        try:
            start = seekable.tell()
            magic = seekable.read(2)
            seekable.seek(start)
            yield cast("IO[bytes]", gzip.GzipFile(fileobj=seekable)) if magic == b"\x1f\x8b" else seekable
        finally:
            if seekable is not stream:
                seekable.close()
    finally:
        if isinstance(source, Path):
            stream.close()


def open_text(stream: IO[bytes], head: bytes) -> io.TextIOWrapper:
    r"""The stream as text: UTF-16 where ``head`` begins with its mark, else UTF-8. Nothing is translated or dropped.

    Iterating gives lines that end at ``\n``, ``\r\n`` or ``\r``. Detach the wrapper to leave the stream open.
    """
    encoding = next((name for mark, name in _ENCODING_OF_MARK if head.startswith(mark)), "utf-8")
    return io.TextIOWrapper(stream, encoding, errors=_ESCAPE, newline="")


def looks_binary(head: bytes) -> bool:
    r"""Whether the first bytes of a file are no text in UTF-8, nor in UTF-16 with a byte order mark.

    >>> looks_binary(b"\x89PNG\r\n\x1a\n\x00"), looks_binary("Größe\t".encode()), looks_binary("text".encode("utf-16"))
    (True, False, False)
    """
    if head.startswith(_BINARY_MAGIC):
        return True
    if any(head.startswith(mark) for mark, _ in _ENCODING_OF_MARK):
        return False
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls > BINARY_SHARE * len(head)


def bad_character(text: str) -> tuple[int, str] | None:
    r"""The place of the first character that no map can hold, and what it is; ``None`` where all are well.

    >>> bad_character("caf\udce9")
    (3, "byte 0xE9 is not UTF-8: save the file as UTF-8 ('caf\ufffd')")
    """
    found = _BAD.search(text)
    if found is None:
        return None
    code = ord(found.group())
    around = _BAD.sub("\ufffd", text[max(0, found.start() - 12) : found.start() + 12])
    if code == 0:
        what = "a NUL character: remove it"
    elif 0xDC00 <= code <= 0xDCFF:
        what = f"byte 0x{code - 0xDC00:02X} is not UTF-8: save the file as UTF-8"
    else:
        what = f"U+{code:04X} is half a character (a lone surrogate): write the whole character"
    return found.start(), f"{what} ({around!r})"


def count_line_ends(text: str, start: int = 0, end: int | None = None) -> int:
    r"""How many lines end in ``text[start:end]``; ``\r\n`` ends one.

    >>> count_line_ends("a\r\nb\rc\n")
    3
    """
    end = len(text) if end is None else end
    return sum(1 for _ in LINE_END.finditer(text, start, end))
