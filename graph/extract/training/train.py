"""Fine-tune the span tagger on annotated abstracts.

    python -m methodmap.graph.extract.training.train TRAIN.jsonl... --dev DEV.jsonl --base DIR -o DIR

Writes a checkpoint after every epoch and goes on from it when started again with the same arguments. The weights that are kept are an
exponential moving average over the steps, which evens out what single batches of a model-annotated corpus teach.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn

from methodmap.graph.evaluate import evaluate, format_scores
from methodmap.graph.extract.decode import SpanLogits
from methodmap.graph.extract.encode import Window
from methodmap.graph.extract.training.data import Batch, batches, collate, read_examples
from methodmap.graph.extract.training.network import ROLE_MASK, SpanTagger
from methodmap.graph.extract.training.predict import predict

BATCH = 8
ENCODER_RATE = 2e-4
HEAD_RATE = 1e-3
AVERAGE = 0.998
"""Decay of the moving average, a step, once an epoch has got going."""


def loss_of(model: SpanTagger, batch: Batch) -> torch.Tensor:
    """Sum the losses of mention score, type and role, each a mean over the batch's papers.

    Type and role are learned twice: for each mention, and for the mean over an entity's mentions, which is what decides in use.
    """
    score, kind, role = model(batch.ids, batch.shapes, batch.mask, batch.first, batch.last)
    row, word, length, kind_gold, role_gold, entity = batch.gold.T
    target = torch.zeros_like(score)
    target[row, word, length] = 1.0
    size = torch.bincount(row, minlength=len(score)).clamp(min=10).float()
    miss = nn.functional.binary_cross_entropy_with_logits(score, target, reduction="none") * batch.valid
    loss = (miss.sum((1, 2)) / size).mean()
    if not len(row):
        return loss
    states_kind, states_role = kind[row, word, length], role[row, word, length]
    weight = 1 / size[row] / len(score)
    loss = loss + 0.5 * _choice(states_kind, states_role, kind_gold, role_gold, weight)
    _, which = torch.unique(entity, return_inverse=True)
    count = torch.bincount(which).float()
    entities = len(count)

    def mean(rows: torch.Tensor) -> torch.Tensor:
        return torch.zeros(entities, rows.shape[1]).index_add(0, which, rows) / count.unsqueeze(1)

    def any_of(values: torch.Tensor) -> torch.Tensor:
        return torch.zeros(entities, dtype=torch.long).index_copy(0, which, values)

    per_entity = torch.zeros(entities).index_add(0, which, weight)
    return loss + 0.5 * _choice(mean(states_kind), mean(states_role), any_of(kind_gold), any_of(role_gold), per_entity)


def _choice(kind: torch.Tensor, role: torch.Tensor, kind_gold: torch.Tensor, role_gold: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    lost = nn.functional.cross_entropy(kind, kind_gold, reduction="none")
    lost = lost + nn.functional.cross_entropy(role + ROLE_MASK[kind_gold], role_gold, reduction="none")
    return (lost * weight).sum()


def logits_of(model: SpanTagger, window: Window) -> SpanLogits:
    """Run the torch network on one window, as the shipped model is run."""
    rows = [torch.tensor([v]) for v in (window.ids, window.shapes, [1] * len(window.ids), window.first, window.last)]
    with torch.inference_mode():
        score, kind, role = model(*rows)
    return SpanLogits(score[0].numpy(), kind[0].numpy(), role[0].numpy())


def main(argv: Sequence[str] | None = None) -> None:
    """Train or resume, and write ``tagger.pt``, the averaged weights, to the output folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("train", nargs="+", type=Path)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True, help="folder of the pretrained encoder and its tokenizer.json")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    tokenizer = Tokenizer.from_file(str(args.base / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    read = [read_examples(path, tokenizer) for path in args.train]
    examples = [e for rows, _ in read for e in rows]
    print(f"{len(examples)} windows, {sum(len(e.spans) for e in examples)} mentions, {sum(n for _, n in read)} lost", file=sys.stderr)
    dev = {p["id"]: p for p in map(json.loads, args.dev.read_text(encoding="utf-8").splitlines())}
    model = SpanTagger(args.base)
    average = copy.deepcopy(model).eval().requires_grad_(False)
    optimizer = torch.optim.AdamW(
        [
            {"params": model.encoder.parameters(), "lr": ENCODER_RATE},
            {"params": [p for n, p in model.named_parameters() if not n.startswith("encoder.")], "lr": HEAD_RATE},
        ],
        weight_decay=0.01,
    )
    steps = args.epochs * math.ceil(len(examples) / BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / (0.1 * steps)) * max(0.0, 1 - s / steps))
    checkpoint = args.out / "checkpoint.pt"
    done = 0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        for name, part in (("model", model), ("average", average), ("optimizer", optimizer), ("schedule", schedule)):
            part.load_state_dict(state[name])
        done = state["epoch"]
    lengths = [len(e.window.ids) for e in examples]
    started = time.monotonic()
    for epoch in range(done, args.epochs):
        torch.manual_seed(args.seed * 1000 + epoch)  # a resumed run draws the same dropout
        model.train()
        total, step = 0.0, 0
        for chosen in batches(lengths, BATCH, random.Random(args.seed * 1000 + epoch)):
            loss = loss_of(model, collate(examples[i] for i in chosen))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total, step = total + loss.item(), step + 1
            seen = (epoch + 1) * step  # the average starts anew with each epoch: weights of the one before lag behind
            decay = min(AVERAGE, seen / (seen + 10))
            with torch.no_grad():
                for kept, now in zip(average.parameters(), model.parameters(), strict=True):
                    kept.lerp_(now, 1 - decay)
        state = {"model": model.state_dict(), "average": average.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save({**state, "schedule": schedule.state_dict(), "epoch": epoch + 1}, checkpoint.with_suffix(".tmp"))
        checkpoint.with_suffix(".tmp").replace(checkpoint)
        print(f"epoch {epoch + 1}/{args.epochs} loss {total / step:.3f} {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
        if (epoch + 1) % 3 == 0 or epoch + 1 == args.epochs:
            rows = evaluate(dev, predict(dev, tokenizer, lambda window: logits_of(average, window)))
            print(format_scores(rows), file=sys.stderr, flush=True)
    torch.save(average.state_dict(), args.out / "tagger.pt")


if __name__ == "__main__":
    main()
