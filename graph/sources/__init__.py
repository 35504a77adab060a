"""Readers: a file in, papers out, one format a module."""

from __future__ import annotations

from methodmap.graph.sources.duplicates import DuplicateRecord
from methodmap.graph.sources.reader import read_sources

__all__ = ["DuplicateRecord", "read_sources"]
