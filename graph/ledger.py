"""The ledger: which papers' entities became one, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Merge", "Reason"]

Reason: TypeAlias = Literal["abbreviation pair", "same normalised form"]
"""Why papers' entities are one.

``same normalised form``: they share a form, but for case, spelling, number and hyphens. ``abbreviation pair``: some papers use the short
form, others the full one, and some explain the one by the other.
"""


@dataclass(frozen=True, slots=True, order=True)
class Merge:
    """One reason why two or more papers' entities are one canonical entity.

    ``entity`` is its id, ``forms`` the surface forms that this reason is about and ``papers`` the ids of the papers that use them, both
    sorted. ``support`` is the number of papers that vouch for it: that share the form, or that use both forms for one entity.
    """

    entity: str
    reason: Reason
    forms: tuple[str, ...]
    papers: tuple[str, ...]
    support: int
