from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode

from methodmap.graph.errors import GraphDataError
from methodmap.graph.iris import entity_iri, paper_iri, read_id, read_paper_id, venue_iri

BASE = "https://example.org/"


@given(st.text(st.characters()))
def test_any_id_survives(text: str) -> None:
    """Every string makes a valid IRI, for a paper and an entity, and comes back from it."""
    assert read_paper_id(NamedNode(paper_iri(text, BASE)).value, BASE) == text
    assert read_id(NamedNode(entity_iri(f"method/{text}", BASE)).value, BASE) == f"method/{text}"


@given(st.text(), st.text())
def test_venues_stay_apart(one: str, other: str) -> None:
    """Two venues share an IRI only if they share their name."""
    assert (venue_iri(one, BASE) == venue_iri(other, BASE)) is (one == other)
    assert NamedNode(venue_iri(one, BASE))


def test_a_foreign_iri_is_refused() -> None:
    """An IRI from elsewhere is no id; the error says which base was expected."""
    with pytest.raises(GraphDataError, match=r"does not begin with 'https://example\.org/paper/': give the base"):
        read_paper_id("https://example.org/method/neo", BASE)
