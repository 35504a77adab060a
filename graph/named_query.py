"""Named questions: each a ``.rq`` file in ``queries/`` that is plain SPARQL under a header in comments.

The header's first line says what the question answers; then comes one line a parameter::

    # Which papers evaluate on, use or propose a dataset.
    # param dataset: the dataset's name (name)
    # param limit: how many rows at most (number, default 100)

Kinds of parameter: a *name* is folded as the database's index of names is (so letter case does not matter, and an id or IRI does as
well); a *type* is one of the five types of entity; a *number* is a whole number; a *text* is taken as it is. A parameter with no default
must be given, unless it is ``optional``: the query then finds the empty string in its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final, Literal, cast

import pyoxigraph

from methodmap.graph.database import name_key
from methodmap.graph.errors import QueryError
from methodmap.ontology import vocabulary

__all__ = ["Kind", "NamedQuery", "Parameter", "header", "named_queries"]

Kind = Literal["name", "number", "text", "type"]

_PARAMETER: Final = re.compile(r"# param (\w+): (.+) \((name|number|text|type)(?:, (?:default (.+)|(optional)))?\)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a query. ``default`` None: it must be given."""

    name: str
    kind: Kind
    help: str
    default: str | None = None

    def usage(self) -> str:
        """How to give it; in brackets if it may be left out.

        >>> Parameter("limit", "number", "how many rows", "20").usage()
        '[limit=20]'
        """
        if self.default is None:
            return f"{self.name}={self.kind.upper()}"
        return f"[{self.name}={self.default or self.kind.upper()}]"

    def term(self, value: str) -> pyoxigraph.NamedNode | pyoxigraph.Literal | int:
        """The RDF term (or whole number) for a value. Raises ``ValueError`` with what is wrong and what to write.

        >>> Parameter("method", "name", "the method's name").term("  LoRA ")
        <Literal value=lora datatype=<NamedNode value=http://www.w3.org/2001/XMLSchema#string>>
        """
        if self.kind == "number":
            if not re.fullmatch(r"[0-9]{1,9}", value.strip()):
                raise ValueError(f"parameter {self.name!r} is a whole number from 0, not {value!r}")
            return int(value)
        if self.kind == "type":
            types = {name.casefold(): iri for name, iri in vocabulary.TYPE_CLASSES.items()}
            if value.strip().casefold() not in types:
                raise ValueError(f"parameter {self.name!r} is one of {', '.join(vocabulary.TYPE_CLASSES)}, not {value!r}")
            return pyoxigraph.NamedNode(types[value.strip().casefold()])
        if self.kind == "name":
            iri = re.fullmatch(r"\s*<([^<>\s]*:[^<>\s]*)>\s*", value)
            return pyoxigraph.Literal(name_key(iri[1] if iri else value))
        return pyoxigraph.Literal(value)


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A question with a name, a sentence of what it answers, its parameters, and its SPARQL text (header included)."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    text: str

    def usage(self) -> str:
        """The name and the parameters on one line: ``who-uses method=NAME``."""
        return " ".join((self.name, *(parameter.usage() for parameter in self.parameters)))


def header(name: str, text: str) -> NamedQuery:
    """Read the header of a query; text without one has no parameters. Raises ``QueryError`` for a parameter line that is misspelt."""
    comments: list[str] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        comments.append(line.rstrip())
    parameters: list[Parameter] = []
    for line in comments:
        if not line.startswith("# param "):
            continue
        match = _PARAMETER.fullmatch(line)
        if match is None:
            raise QueryError(text, f"a parameter is declared as `# param NAME: HELP (KIND, default VALUE)`, not as {line!r}")
        default = "" if match[5] else match[4]
        parameters.append(Parameter(match[1], cast(Kind, match[3]), match[2], default))
    summary = comments[0].removeprefix("#").strip() if comments and not comments[0].startswith("# param ") else ""
    return NamedQuery(name, summary, tuple(parameters), text)


@cache
def named_queries() -> tuple[NamedQuery, ...]:
    """Every named query that comes with methodmap, by name."""
    folder = resources.files("methodmap.graph") / "queries"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".rq")), key=lambda file: file.name)
    return tuple(header(file.name.removesuffix(".rq"), file.read_text(encoding="utf-8")) for file in files)
