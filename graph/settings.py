"""One frozen record of every choice that a user may change; each threshold has its reason beside it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of one build."""

    base_iri: str = "https://w3id.org/methodmap/"
    """What every resource's IRI begins with; ends with a slash."""
