"""A knowledge graph of methods and concepts from a pile of paper abstracts."""

from __future__ import annotations

__version__ = "0.1.0"
