"""XML written element by element, indented, so that a large map never stands in memory as a tree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

__all__ = ["XmlWriter"]


class XmlWriter:
    """An indenting front of the standard library's XMLGenerator, which escapes what needs it, line ends in attributes included.

    Text must hold only what XML can (see ``table.clean``).
    """

    def __init__(self, out: BinaryIO) -> None:
        self._xml = XMLGenerator(out, "UTF-8", short_empty_elements=True)
        self._depth = 0
        self._xml.startDocument()

    @contextmanager
    def element(self, name: str, **attributes: str) -> Iterator[None]:
        """Write an element around what is written inside the block."""
        self._start(name, attributes)
        self._xml.ignorableWhitespace("\n")
        self._depth += 1
        yield
        self._depth -= 1
        self._xml.ignorableWhitespace("  " * self._depth)
        self._end(name)

    def leaf(self, name: str, text: str = "", **attributes: str) -> None:
        """Write an element that holds text or nothing."""
        self._start(name, attributes)
        if text:
            self._xml.characters(text)
        self._end(name)

    def close(self) -> None:
        """End the document; the stream stays open."""
        self._xml.endDocument()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._xml.ignorableWhitespace("  " * self._depth)
        self._xml.startElement(name, AttributesImpl(attributes))

    def _end(self, name: str) -> None:
        self._xml.endElement(name)
        self._xml.ignorableWhitespace("\n")
