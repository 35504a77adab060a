"""One query twice over the map of the seeds: as a string, which Oxigraph answers, and parsed by rdflib first, which rdflib evaluates."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable

from rdflib.plugins.sparql import prepareQuery

import methodmap
from methodmap.ontology.vocabulary import PREFIXES

QUERY = """
SELECT ?name (COUNT(DISTINCT ?paper) AS ?papers) WHERE {
  ?paper mm:uses|mm:comparesWith|mm:proposes ?m . ?m a mm:Method ; skos:prefLabel ?name .
} GROUP BY ?name ORDER BY DESC(?papers) ?name LIMIT 20
"""


def milliseconds(run: Callable[[], object], times: int = 5) -> float:
    """The best of several runs."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return 1000 * best


def main(paths: list[str]) -> None:
    """Print both times and their ratio."""
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
    with tempfile.TemporaryDirectory() as folder, methodmap.build(*paths, out=f"{folder}/map") as made:
        dataset = made.rdf()
        parsed = prepareQuery(prefixes + QUERY)
        text = milliseconds(lambda: list(dataset.query(prefixes + QUERY)))
        direct = milliseconds(lambda: made.query(QUERY))
        python = milliseconds(lambda: list(dataset.query(parsed)), times=1)
        print(f"a string through rdflib {text:.1f} ms, Map.query {direct:.1f} ms, parsed {python:.0f} ms: ratio {python / text:.0f}")


if __name__ == "__main__":
    main(sys.argv[1:] or ["seeds"])
