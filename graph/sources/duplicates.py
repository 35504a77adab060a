"""Which papers of one run are one paper, and which only claim one identifier."""

from __future__ import annotations

from dataclasses import dataclass

from methodmap.graph.errors import RejectedRecord
from methodmap.graph.identify import ID_LENGTH, abstract_digest
from methodmap.graph.model import Paper, Source

__all__ = ["DuplicateFilter", "DuplicateRecord"]


@dataclass(frozen=True, slots=True)
class DuplicateRecord:
    """A paper that was read already: the same text under the same id, or under none. It is left out, and that is no error."""

    path: str
    line: int
    first_path: str
    first_line: int

    def __str__(self) -> str:
        """The message that users see: ``file:line: the same paper as file:line``."""
        return f"{self.path}:{self.line}: the same paper as {self.first_path}:{self.first_line}"


class DuplicateFilter:
    """Remembers every paper's id and the digest of its text, about 300 bytes a paper.

    Two papers are one if their normalised abstracts are equal and their ids are equal or one of them came without. Equal abstracts under
    two given ids are two papers here; equal ids over two abstracts are a mistake in the source, and the first keeps the id.
    """

    def __init__(self) -> None:
        self._by_id: dict[str, tuple[str, Source]] = {}
        self._by_text: dict[str, Source] = {}
        self._without_id: set[str] = set()

    def check(self, paper: Paper) -> DuplicateRecord | RejectedRecord | None:
        """What is wrong with this paper beside those before it; nothing: ``None``, and it is remembered."""
        digest = abstract_digest(paper.abstract)
        source = paper.source
        computed = paper.id == digest[:ID_LENGTH]
        known = self._by_id.get(paper.id)
        if known and known[0] != digest:
            first = known[1]
            return RejectedRecord(
                source.path,
                source.line,
                f"id {paper.id!r} is that of another abstract at {first.path}:{first.line}: give each paper its own",
            )
        same = known[1] if known else self._by_text.get(digest) if computed or digest in self._without_id else None
        if same:
            return DuplicateRecord(source.path, source.line, same.path, same.line)
        self._by_id[paper.id] = (digest, source)
        self._by_text.setdefault(digest, source)
        if computed:
            self._without_id.add(digest)
        return None
