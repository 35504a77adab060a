"""The network: a small encoder that scores every span of a text as a mention and gives it a type and a role.

Span scoring follows Lee et al. 2017, "End-to-end Neural Coreference Resolution", section 3: a span is its first and last word, its
length and an average of its words. Ours adds the words before and after it, and keeps mention score, type and role apart, since most
errors of a joint label are wrong boundaries.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn
from transformers import AutoModel

from methodmap.graph.extract.words import SHAPES
from methodmap.graph.model import ENTITY_TYPES, ROLE_ORDER, ROLES

__all__ = ["ROLE_MASK", "WIDTH", "SpanTagger"]

WIDTH = 10
"""The longest span in words: 99 mentions in a hundred are no longer."""

HIDDEN = 192

ROLE_MASK = torch.tensor([[0.0 if role in ROLES[kind] else -1e4 for role in ROLE_ORDER] for kind in ENTITY_TYPES])
"""Added to role logits: (types, roles), 0 where the type can have the role."""


class SpanTagger(nn.Module):
    """Encoder, shape embeddings and span heads."""

    def __init__(self, base: Path, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(
            base, add_pooling_layer=False, attn_implementation="sdpa", attention_probs_dropout_prob=0.0
        )
        size = self.encoder.config.hidden_size
        self.shape = nn.Embedding(len(SHAPES), size)
        nn.init.zeros_(self.shape.weight)  # the pretrained encoder starts undisturbed
        self.dropout = nn.Dropout(dropout)
        self.parts = nn.ModuleDict({name: nn.Linear(size, HIDDEN) for name in ("first", "last", "before", "after", "inside")})
        self.length = nn.Embedding(WIDTH, HIDDEN)
        self.mix = nn.Linear(HIDDEN, HIDDEN)
        self.score_head = nn.Linear(HIDDEN, 1)
        self.type_head = nn.Linear(HIDDEN, len(ENTITY_TYPES))
        self.role_head = nn.Linear(HIDDEN, len(ROLE_ORDER))
        nn.init.constant_(self.score_head.bias, -4.0)  # one span in sixty is a mention

    def forward(
        self, ids: torch.Tensor, shapes: torch.Tensor, mask: torch.Tensor | None, first: torch.Tensor, last: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Score all spans.

        ``ids``, ``shapes`` and ``mask`` (None: no padding) are (batch, subwords); ``first`` and ``last`` are (batch, words), each word's
        first and last subword. Returns mention logits (batch, words, WIDTH), type logits (…, types) and role logits (…, roles) of the
        span that begins at a word and is 1 to WIDTH words long; what lies past the last word is to be ignored.
        """
        words = self.encoder.embeddings.word_embeddings(ids) + self.shape(shapes)
        hidden = self.dropout(self.encoder(inputs_embeds=words, attention_mask=mask).last_hidden_state)
        width = hidden.shape[-1]
        head = torch.gather(hidden, 1, first.unsqueeze(-1).expand(-1, -1, width))
        tail = torch.gather(hidden, 1, last.unsqueeze(-1).expand(-1, -1, width))
        pad = torch.zeros_like(head[:, :1])
        before = self.parts["before"](torch.cat([pad, tail[:, :-1]], 1))
        after = self.parts["after"](torch.cat([head[:, 1:], pad], 1))
        start, end, inside = self.parts["first"](head), self.parts["last"](tail), self.parts["inside"]((head + tail) / 2)
        spans, total = [], torch.zeros_like(inside)
        for n in range(WIDTH):
            total = total + _ahead(inside, n)
            spans.append(start + before + _ahead(end + after, n) + total / (n + 1) + self.length.weight[n])
        states = nn.functional.gelu(torch.stack(spans, 2), approximate="tanh")
        states = states + self.dropout(nn.functional.gelu(self.mix(states), approximate="tanh"))
        return self.score_head(states).squeeze(-1), self.type_head(states), self.role_head(states)


def _ahead(rows: torch.Tensor, n: int) -> torch.Tensor:
    # Row i of the answer is row i + n, zeros past the end.
    if n == 0:
        return rows
    return torch.cat([rows[:, n:], torch.zeros_like(rows[:, :n])], 1)
