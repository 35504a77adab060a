"""What people read at a terminal about a map."""

from __future__ import annotations

from dataclasses import replace

from examples import GRAPH, LORA_PAPER, NEO_PAPER

from methodmap.describe import describe_node


def test_no_text_of_a_paper_drives_the_terminal() -> None:
    """A title, a venue or an address may hold anything; control characters in it are shown as escapes."""
    hostile = replace(LORA_PAPER, title="\x1b]0;owned\x07LoRA", venue="\x1b[2J", url="https://e.org/\u202egpj.exe")
    graph = replace(GRAPH, papers=(NEO_PAPER, hostile))
    for name in ("lora-x", "LoRA"):
        shown = describe_node(graph, name)
        assert r"\x1b]0;owned\x07LoRA" in shown
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
