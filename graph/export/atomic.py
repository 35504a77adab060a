"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from methodmap.graph.errors import ExportError

__all__ = ["atomic"]


@contextmanager
def atomic(path: Path) -> Iterator[BinaryIO]:
    """Open a new file beside ``path`` that takes its place when the block ends, and is removed when the block raises.

    A link is followed; a device or pipe such as ``/dev/stdout`` is written to directly. Raises ExportError where the folder is missing,
    ``path`` is a folder, or the system refuses.
    """
    try:
        target = Path(os.path.realpath(path))  # Path.resolve raises no OSError for a link to itself
        if target.is_dir():
            raise ExportError(path, "it is a folder: name a file in it")
        if not target.parent.is_dir():
            raise ExportError(path, f"there is no folder {str(path.parent)!r}: make it first")
        if target.exists() and not target.is_file():
            with path.open("wb") as stream:
                yield stream
            return
        # opened by hand, not by tempfile, so that the user's umask decides who may read the result
        temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
        try:
            with temporary.open("xb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except ExportError:
        raise
    except OSError as error:
        raise ExportError(path, error.strerror or str(error)) from error
