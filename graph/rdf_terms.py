"""Values as RDF terms. Literals are written in their canonical form, the one in which Oxigraph gives them back."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Final

from pyoxigraph import Literal, NamedNode

from methodmap.ontology import vocabulary as v

__all__ = ["FALSE", "TRUE", "decimal", "integer", "offset", "term", "text", "year"]

FALSE: Final = Literal(False)
TRUE: Final = Literal(True)

_DECIMAL: Final = NamedNode(v.XSD_DECIMAL)
_G_YEAR: Final = NamedNode(v.XSD_G_YEAR)
_NON_NEGATIVE_INTEGER: Final = NamedNode(v.XSD_NON_NEGATIVE_INTEGER)


@lru_cache(maxsize=256)
def term(iri: str) -> NamedNode:
    """The vocabulary's term with this IRI; kept, since a map repeats it a million times."""
    return NamedNode(iri)


def text(value: str, datatype: str | None = None) -> Literal:
    r"""A string, or the text of another datatype; half surrogate pairs, which RDF cannot hold, become U+FFFD.

    >>> text("a\ud800b").value == "a\ufffdb"
    True
    """
    kind = None if datatype is None else term(datatype)
    try:
        return Literal(value, datatype=kind)
    except ValueError:
        replaced = "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in value)
        return Literal(replaced, datatype=kind)


@lru_cache(maxsize=4096, typed=True)
def decimal(value: float | Decimal) -> Literal:
    """A number as canonical ``xsd:decimal`` (XSD 1.1): no exponent, no trailing zeros; a float by its shortest exact form.

    Raises ``ValueError`` where the number is not finite.

    >>> [decimal(value).value for value in (0.9, 1.0, 1e-07, Decimal("59.20"), Decimal("1E+3"), -0.0)]
    ['0.9', '1', '0.0000001', '59.2', '1000', '0']
    """
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not number.is_finite():
        raise ValueError(f"{value!r} is not a finite number: RDF decimals hold no infinity and no NaN")
    digits = format(number, "f")
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return Literal("0" if digits == "-0" else digits, datatype=_DECIMAL)


def integer(value: int) -> Literal:
    """A count.

    >>> integer(3).value
    '3'
    """
    return Literal(str(value), datatype=term(v.XSD_INTEGER))


@lru_cache(maxsize=4096)
def offset(value: int) -> Literal:
    """A line or a code point, as the Web Annotation standard wants it; Oxigraph stores it as ``xsd:integer``.

    >>> offset(37).value
    '37'
    """
    return Literal(str(value), datatype=_NON_NEGATIVE_INTEGER)


def year(value: int) -> Literal:
    """A year in at least four digits.

    >>> year(2026).value, year(33).value, year(-43).value
    ('2026', '0033', '-0043')
    """
    return Literal(f"{'-' if value < 0 else ''}{abs(value):04d}", datatype=_G_YEAR)
