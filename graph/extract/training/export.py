"""Turn trained weights into the model folder that ships: ONNX with int8 weights, the tokenizer, and calibrated thresholds.

    python -m methodmap.graph.extract.training.export TAGGER_DIR --base DIR --dev DEV.jsonl -o MODEL_DIR

The encoder's matrix products run on integers: 7-bit weights with a scale for each output, 8-bit inputs with a scale for each text. Seven
bits, because with eight processors without VNNI saturate and would find other entities; and since a text is run alone, its scales do not
depend on others. The tables of embeddings are stored as int8 with a scale for each row; all else is float.
Confidences are fitted on the development papers, and thresholds chosen there, with the quantised model.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process

from methodmap.graph.evaluate import evaluate, format_scores, surface_forms
from methodmap.graph.extract.entities import Calibration
from methodmap.graph.extract.tagger import Tagger
from methodmap.graph.extract.training.network import SpanTagger
from methodmap.graph.extract.training.predict import predict
from methodmap.graph.model import ENTITY_TYPES, EntityType

SMALLEST = 4096
"""Tables with fewer numbers stay float: they are a thousandth of the file."""

RAW: dict[EntityType, Calibration] = {kind: Calibration(threshold=0.0) for kind in ENTITY_TYPES}


class _One(torch.nn.Module):
    # The tagger for one text at a time, which needs no mask.
    def __init__(self, model: SpanTagger) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, ids: torch.Tensor, shapes: torch.Tensor, first: torch.Tensor, last: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return self.model(ids, shapes, None, first, last)


def to_onnx(model: SpanTagger, path: Path) -> None:
    """Write the float network."""
    ids, words = torch.ones(1, 12, dtype=torch.long), torch.arange(1, 11).unsqueeze(0)
    torch.onnx.export(
        _One(model).eval(),
        (ids, torch.ones_like(ids), words, words),
        str(path),
        input_names=["ids", "shapes", "first", "last"],
        output_names=["score", "type", "role"],
        dynamic_axes={
            "ids": {1: "subwords"},
            "shapes": {1: "subwords"},
            "first": {1: "words"},
            "last": {1: "words"},
            "score": {1: "words"},
            "type": {1: "words"},
            "role": {1: "words"},
        },
        opset_version=17,
        dynamo=False,
    )


def quantise(source: Path, target: Path) -> None:
    """Quantise a float network: the encoder's products dynamically, the tables of embeddings for storage."""
    ready, halfway = target.with_suffix(".ready"), target.with_suffix(".halfway")
    quant_pre_process(str(source), str(ready), skip_symbolic_shape=True)
    heads = [n.name for n in onnx.load(str(ready)).graph.node if n.op_type == "MatMul" and "/encoder/" not in n.name]
    quantize_dynamic(
        str(ready),
        str(halfway),
        op_types_to_quantize=["MatMul"],
        nodes_to_exclude=heads,
        per_channel=True,
        reduce_range=True,
        weight_type=QuantType.QInt8,
    )
    model = onnx.load(str(halfway))
    _store_as_integers(model.graph)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))
    ready.unlink()
    halfway.unlink()


def _store_as_integers(graph: onnx.GraphProto) -> None:
    # Every large table of embeddings becomes int8 numbers and a scale for each row; only the rows that a text asks for become floats again.
    tables = {
        tensor.name: values
        for tensor in graph.initializer
        if (values := numpy_helper.to_array(tensor)).dtype == np.float32 and values.ndim == 2 and values.size >= SMALLEST
    }
    gathered = {node.input[0] for node in graph.node if node.op_type == "Gather"} & tables.keys()
    kept = [tensor for tensor in graph.initializer if tensor.name not in gathered]
    for name in sorted(gathered):
        scale = np.abs(tables[name]).max(axis=1, keepdims=True) / 127
        scale = np.where(scale == 0, 1.0, scale).astype(np.float32)
        whole = np.clip(np.rint(tables[name] / scale), -127, 127).astype(np.int8)
        kept += [numpy_helper.from_array(whole, f"{name}.int8"), numpy_helper.from_array(scale, f"{name}.scale")]
    nodes = []
    for node in graph.node:
        if node.op_type != "Gather" or node.input[0] not in gathered:
            nodes.append(node)
            continue
        table, rows, out = node.input[0], node.input[1], node.output[0]
        nodes += [
            helper.make_node("Gather", [f"{table}.int8", rows], [f"{out}.int8"]),
            helper.make_node("Gather", [f"{table}.scale", rows], [f"{out}.scale"]),
            helper.make_node("Cast", [f"{out}.int8"], [f"{out}.float"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"{out}.float", f"{out}.scale"], [out]),
        ]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    del graph.node[:]
    graph.node.extend(nodes)


def calibrate(gold: Mapping[str, Any], raw: Mapping[str, Any]) -> dict[EntityType, Calibration]:
    """Fit each type's confidence (Platt 1999: logistic regression on the logit) and choose its threshold for F1.

    Entities of all confidences are compared with the gold ones; the threshold is, among the confidences that occur, the one whose F1 is
    highest for the type when the entities above it are kept, but never one whose precision is below its recall, and never above one half:
    what is likelier right than wrong is kept, whatever a hundred entities of a rare type suggest.
    """
    out: dict[EntityType, Calibration] = {}
    for kind in ENTITY_TYPES:
        points, total = [], 0
        for key, paper in raw.items():
            wanted = [surface_forms(e) for e in gold[key]["entities"] if e["type"] == kind]
            total += len(wanted)
            for entity in sorted((e for e in paper["entities"] if e["type"] == kind), key=lambda e: -e["confidence"]):
                forms = surface_forms(entity)
                hit = next((i for i, w in enumerate(wanted) if w & forms), None)
                if hit is not None:
                    wanted.pop(hit)
                points.append((entity["confidence"], hit is not None))
        slope, offset = _platt(points)
        best, chosen = -1.0, 0.5
        points.sort(key=lambda p: -p[0])
        right = 0
        for n, (confidence, hit) in enumerate(points, 1):
            right += hit
            f1 = 2 * right / (n + total)
            if f1 > best and right / n >= right / total:
                best, chosen = f1, confidence
        logit = math.log(max(chosen, 1e-6) / max(1 - chosen, 1e-6))
        threshold = 1 / (1 + math.exp(-(slope * logit + offset)))
        out[kind] = Calibration(round(slope, 4), round(offset, 4), round(min(threshold - 5e-5, 0.5), 4))
    return out


def _platt(points: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    logits = np.array([math.log(max(p, 1e-6) / max(1 - p, 1e-6)) for p, _ in points])
    hits = np.array([float(h) for _, h in points])
    slope, offset = 1.0, 0.0

    def loss(slope: float, offset: float) -> float:
        z = slope * logits + offset
        return float((np.logaddexp(0, z) - hits * z).sum()) + 0.5 * (slope - 1) ** 2

    for _ in range(100):  # Newton's method with halved steps, on two parameters and a little ridge
        p = 1 / (1 + np.exp(-(slope * logits + offset)))
        w = p * (1 - p)
        gradient = np.array([((p - hits) * logits).sum() + slope - 1, (p - hits).sum()])
        hessian = np.array([[(w * logits**2).sum() + 1, (w * logits).sum()], [(w * logits).sum(), w.sum() + 1e-6]])
        step = np.linalg.solve(hessian, gradient)
        while loss(slope - step[0], offset - step[1]) > loss(slope, offset) and abs(step).max() > 1e-9:
            step = step / 2
        slope, offset = slope - float(step[0]), offset - float(step[1])
    return slope, offset


def main(argv: Sequence[str] | None = None) -> None:
    """Write the model folder and print the development scores of what was written."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tagger", type=Path, help="folder with tagger.pt")
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--version", required=True, help="the version that evidence will carry")
    parser.add_argument("-o", "--out", type=Path, required=True)
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    model = SpanTagger(args.base)
    model.load_state_dict(torch.load(args.tagger / "tagger.pt", weights_only=True))
    to_onnx(model, args.tagger / "float.onnx")
    quantise(args.tagger / "float.onnx", args.out / "model.onnx")
    shutil.copy(args.base / "tokenizer.json", args.out / "tokenizer.json")
    dev = {p["id"]: p for p in map(json.loads, args.dev.read_text(encoding="utf-8").splitlines())}
    tagger = Tagger(args.out, "methodmap-tagger", args.version, RAW)
    calibration = calibrate(dev, predict(dev, tagger.tokenizer, tagger.logits, RAW))
    config = {
        "name": "methodmap-tagger",
        "version": args.version,
        "calibration": {k: {"slope": c.slope, "offset": c.offset, "threshold": c.threshold} for k, c in calibration.items()},
    }
    (args.out / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    print(format_scores(evaluate(dev, predict(dev, tagger.tokenizer, tagger.logits, calibration))))


if __name__ == "__main__":
    main()
