"""Continue the encoder's masked-language pretraining on unlabelled abstracts.

    python -m methodmap.graph.extract.training.pretrain ABSTRACTS.jsonl... --base DIR -o DIR

The published encoder was tuned for sentence similarity and has lost part of what a tagger needs: the identity of single tokens. Two passes
over in-domain abstracts bring it back (Gururangan et al. 2020, "Don't Stop Pretraining", section 3). The run writes a checkpoint every few
hundred steps and goes on from it when it is started again with the same arguments.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from pathlib import Path

import torch
from torch import nn
from transformers import AutoModel, AutoTokenizer, PreTrainedTokenizerBase

from methodmap.graph.extract.training.data import batches

MASK_RATE = 0.2  # Wettig et al. 2023: small models profit from 15 to 20 %
BATCH = 12
RATE = 3e-4
LIMIT = 384  # tokens; three abstracts in a hundred are longer
CHECKPOINT_EVERY = 200  # steps


class MaskedLanguageModel(nn.Module):
    """The encoder with a fresh BERT output head whose decoder is tied to the word embeddings."""

    def __init__(self, base: Path) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(
            base, add_pooling_layer=False, attn_implementation="sdpa", attention_probs_dropout_prob=0.0
        )
        width = self.encoder.config.hidden_size
        self.transform = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.LayerNorm(width))
        self.bias = nn.Parameter(torch.zeros(self.encoder.config.vocab_size))

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """The mean cross-entropy, in nats, over the positions whose label is not -100."""
        hidden = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        chosen = labels != -100
        words = self.encoder.embeddings.word_embeddings.weight
        logits = self.transform(hidden[chosen]) @ words.T + self.bias
        return nn.functional.cross_entropy(logits, labels[chosen])


def read_abstracts(paths: list[Path]) -> list[str]:
    """The distinct abstracts of the JSONL files, in order."""
    seen: dict[str, None] = {}
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            seen.setdefault(json.loads(line)["abstract"])
    return list(seen)


def masked(rows: list[list[int]], tokenizer: PreTrainedTokenizerBase, generator: torch.Generator) -> tuple[torch.Tensor, ...]:
    """Ids with BERT's 80/10/10 masking, attention mask and labels, each (batch, longest)."""
    size = max(map(len, rows))
    ids = torch.zeros(len(rows), size, dtype=torch.long)
    attention = torch.zeros(len(rows), size, dtype=torch.long)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = torch.tensor(row)
        attention[i, : len(row)] = 1
    special = torch.tensor(tokenizer.all_special_ids)
    draw = torch.rand(ids.shape, generator=generator)
    chosen = (draw < MASK_RATE) & (attention == 1) & ~torch.isin(ids, special)
    labels = torch.where(chosen, ids, -100)
    ids = ids.clone()
    ids[chosen & (draw < MASK_RATE * 0.8)] = tokenizer.mask_token_id
    noise = chosen & (draw >= MASK_RATE * 0.9)
    ids[noise] = torch.randint(len(tokenizer), (int(noise.sum()),), generator=generator)
    return ids, attention, labels


def main(argv: list[str] | None = None) -> None:
    """Run or resume the pretraining, and write the encoder with its tokenizer to the output folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("abstracts", nargs="+", type=Path)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--stop", type=int, help="end after so many steps, on the way of the whole schedule")
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    checkpoint = args.out / "pretrain.pt"
    torch.manual_seed(1)
    tokenizer = AutoTokenizer.from_pretrained(args.base)
    rows = tokenizer(read_abstracts(args.abstracts), truncation=True, max_length=LIMIT)["input_ids"]
    model = MaskedLanguageModel(args.base)
    plan = [b for epoch in range(args.epochs) for b in batches(list(map(len, rows)), BATCH, random.Random(epoch))]
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    warm = 0.06 * len(plan)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: min(1.0, (s + 1) / warm) * 0.5 * (1 + math.cos(math.pi * s / len(plan)))
    )
    done = 0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        done = state["step"]
    started, total = time.monotonic(), 0.0
    model.train()
    end = min(len(plan), args.stop or len(plan))
    for step in range(done, end):
        torch.manual_seed(step)  # dropout is the same whether the run was resumed or not
        generator = torch.Generator().manual_seed(step)
        loss = model(*masked([rows[i] for i in plan[step]], tokenizer, generator))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        total += loss.item()
        if (step + 1) % CHECKPOINT_EVERY == 0 or step + 1 == end:
            torch.save(
                {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "schedule": schedule.state_dict(), "step": step + 1},
                checkpoint.with_suffix(".tmp"),
            )
            checkpoint.with_suffix(".tmp").replace(checkpoint)
            print(
                f"step {step + 1}/{len(plan)} loss {total / CHECKPOINT_EVERY:.3f} {time.monotonic() - started:.0f} s",
                file=sys.stderr,
                flush=True,
            )
            total = 0.0
    model.encoder.save_pretrained(args.out)
    tokenizer.save_pretrained(args.out)


if __name__ == "__main__":
    main()
