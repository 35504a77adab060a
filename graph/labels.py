"""The name under which each paper is shown. Titles are never invented: an untitled paper goes by what it proposes, else its first words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from methodmap.graph.model import CanonicalEntity, KnowledgeGraph, Link, Paper
from methodmap.graph.text import to_plain

__all__ = ["paper_labels"]

FIRST_WORDS_LENGTH = 60
"""Code points: about what one line of a list or a tooltip shows."""

READ_LENGTH = 600
"""Code points of an abstract that are rendered for its first words: ten times what is shown, for the markup that goes."""


def paper_labels(graph: KnowledgeGraph) -> dict[str, str]:
    """The labels of all papers of the graph, by paper id: its title, else its proposal's name and expansion, else its first words."""
    links: defaultdict[str, list[Link]] = defaultdict(list)
    for link in graph.links:
        links[link.paper].append(link)
    entities = {entity.id: entity for entity in graph.entities}
    return {paper.id: _label(paper, links[paper.id], entities) for paper in graph.papers}


def _label(paper: Paper, links: Iterable[Link], entities: Mapping[str, CanonicalEntity]) -> str:
    if paper.title:
        return paper.title
    proposals = [(link, entities[link.entity]) for link in links if link.role == "proposed" and link.entity in entities]
    if not proposals:
        return _first_words(to_plain(paper.abstract[:READ_LENGTH]).text) or paper.id
    # Methods first: a paper with both a method and a dataset is remembered by its method.
    link, entity = min(proposals, key=lambda pair: (pair[1].type != "Method", -pair[0].confidence, pair[1].id))
    return _name_and_expansion([entity.label, *(mention.text for mention in link.mentions)])


def _name_and_expansion(names: Iterable[str]) -> str:
    """The shortest of the names that abbreviates another, and that other one; else the first name.

    >>> _name_and_expansion(["LoRA", "Low-Rank Adaptation", "our LoRA"])
    'LoRA: Low-Rank Adaptation'
    >>> _name_and_expansion(["Dreamer", "Dreamers"])
    'Dreamer'
    """
    distinct = list(dict.fromkeys(names))
    pairs = [(short, long) for short in distinct for long in distinct if _abbreviates(short, long)]
    if not pairs:
        return distinct[0]
    short, long = min(pairs, key=lambda pair: (len(pair[0]), len(pair[1]), pair))
    return f"{short}: {long}"


def _abbreviates(short: str, long: str) -> bool:
    """Whether the long name has more words, the same first letter, and the short one's letters in their order.

    >>> _abbreviates("GRPO", "Group Relative Policy Optimization"), _abbreviates("GRPO", "Policy Optimization")
    (True, False)
    """
    letters = [character for character in short.casefold() if character.isalnum()]
    words = long.replace("-", " ").split()
    if " " in short or len(words) < 2 or len(letters) >= len(long) or not letters or not long.casefold().startswith(letters[0]):
        return False
    rest = iter(long.casefold())
    return short.casefold() not in long.casefold() and all(letter in rest for letter in letters)


def _first_words(text: str) -> str:
    """As many whole words as fit, on one line.

    >>> _first_words("We study   why")
    'We study why'
    >>> _first_words("word " * 20)
    'word word word word word word word word word word word word…'
    """
    line = " ".join(text.split())
    if len(line) <= FIRST_WORDS_LENGTH:
        return line
    cut = line[: FIRST_WORDS_LENGTH + 1]
    return (cut.rpartition(" ")[0] or cut[:FIRST_WORDS_LENGTH]).rstrip(" ,;:.") + "…"
