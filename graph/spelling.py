"""Spelling data of :mod:`methodmap.graph.normalise`: which letters and words of a name say nothing about what it names.

All words are lower case, as they are after case folding and, for every table but ``IRREGULAR_PLURALS``, in the singular.
"""

# ruff: noqa: SIM905 - word lists as wrapped text: as list literals they fill screens and hide their order

from __future__ import annotations

from typing import Final

__all__ = [
    "BRITISH",
    "CLASS_NOUNS",
    "DETERMINERS",
    "GENERIC_TAILS",
    "INVARIANT_S",
    "IRREGULAR_PLURALS",
    "ISE_WORDS",
    "JOINED",
    "LINK_WORDS",
    "MODIFIER_PARTS",
    "PREFIXES",
]

DETERMINERS: Final = frozenset("a an its our such that the their these this those".split())
"""Dropped from the front of a name."""

GENERIC_TAILS: Final = frozenset("algorithm approach framework mechanism method paradigm procedure scheme strategy technique".split())
"""Dropped from the end of a name: "LoRA method" names LoRA (annotation guide, "Cases that came up")."""

INVARIANT_S: Final = frozenset(
    """
    adams alias always atlas bayes bias canvas chaos charles cons cosmos descartes fuchs gas gibbs gloves hastings hermes james jones keras
    kmeans kubernetes lens lotus mars means mercedes news pandas pros reuters series siemens socrates species stokes texas times
    ulysses williams windows yes
    """.split()
)
"""Words that end in an s which is no plural's and that no ending ("ss", "us", "is", "ics") tells apart."""

IRREGULAR_PLURALS: Final = {
    "analyses": "analysis",
    "appendices": "appendix",
    "automata": "automaton",
    "axes": "axis",
    "biases": "bias",
    "caches": "cache",
    "characteristics": "characteristic",
    "children": "child",
    "cookies": "cookie",
    "corpora": "corpus",
    "corpuses": "corpus",
    "criteria": "criterion",
    "critics": "critic",
    "fabrics": "fabric",
    "gases": "gas",
    "halves": "half",
    "heuristics": "heuristic",
    "hypotheses": "hypothesis",
    "indices": "index",
    "lenses": "lens",
    "leaves": "leaf",
    "logics": "logic",
    "matrices": "matrix",
    "maxima": "maximum",
    "metrics": "metric",
    "minima": "minimum",
    "movies": "movie",
    "niches": "niche",
    "nuclei": "nucleus",
    "optima": "optimum",
    "parentheses": "parenthesis",
    "phenomena": "phenomenon",
    "quizzes": "quiz",
    "shoes": "shoe",
    "simplices": "simplex",
    "spectra": "spectrum",
    "stimuli": "stimulus",
    "syntheses": "synthesis",
    "tactics": "tactic",
    "theses": "thesis",
    "topics": "topic",
    "vertices": "vertex",
    "viruses": "virus",
}

BRITISH: Final = {
    "acknowledgement": "acknowledgment",
    "ageing": "aging",
    "analogue": "analog",
    "armour": "armor",
    "artefact": "artifact",
    "behaviour": "behavior",
    "cancelling": "canceling",
    "catalogue": "catalog",
    "catalyse": "catalyze",
    "centre": "center",
    "channelling": "channeling",
    "colour": "color",
    "defence": "defense",
    "dialogue": "dialog",
    "favour": "favor",
    "fibre": "fiber",
    "flavour": "flavor",
    "fulfil": "fulfill",
    "grey": "gray",
    "harbour": "harbor",
    "honour": "honor",
    "humour": "humor",
    "judgement": "judgment",
    "labelled": "labeled",
    "labelling": "labeling",
    "labour": "labor",
    "levelling": "leveling",
    "licence": "license",
    "metre": "meter",
    "modelled": "modeled",
    "modeller": "modeler",
    "modelling": "modeling",
    "neighbour": "neighbor",
    "offence": "offense",
    "programme": "program",
    "rigour": "rigor",
    "signalling": "signaling",
    "tumour": "tumor",
    "travelling": "traveling",
    "tunnelling": "tunneling",
    "vapour": "vapor",
}
"""Beginnings of British words and their American spelling; -ise and -yse are rules."""

ISE_WORDS: Final = frozenset(
    """
    advertise anise arise chastise compromise concise demise despise expertise franchise merchandise paradise precise premise promise
    sunrise treatise uprise
    """.split()
)
"""Words in -ise that are so spelt everywhere and that no ending ("wise", "vise", "noise" ...) tells apart."""

PREFIXES: Final = frozenset(
    "anti auto co cross hyper inter intra macro meta micro mid multi non post pre pseudo quasi re semi sub super un uni".split()
)
"""Joined to the next word: "pre-training", "pre training" and "pretraining" are one."""

JOINED: Final = {
    ("back", "propagation"): "backpropagation",
    ("bench", "mark"): "benchmark",
    ("check", "point"): "checkpoint",
    ("check", "pointing"): "checkpointing",
    ("dall", "e"): "dalle",
    ("data", "base"): "database",
    ("data", "set"): "dataset",
    ("deep", "fake"): "deepfake",
    ("drop", "out"): "dropout",
    ("f1", "score"): "f1",
    ("few", "shot"): "fewshot",
    ("fine", "tune"): "finetune",
    ("fine", "tuned"): "finetuned",
    ("fine", "tuning"): "finetuning",
    ("image", "net"): "imagenet",
    ("life", "long"): "lifelong",
    ("over", "fitting"): "overfitting",
    ("over", "parameterization"): "overparameterization",
    ("over", "parameterized"): "overparameterized",
    ("over", "smoothing"): "oversmoothing",
    ("res", "net"): "resnet",
    ("run", "time"): "runtime",
    ("soft", "max"): "softmax",
    ("time", "series"): "timeseries",
    ("time", "step"): "timestep",
    ("trade", "off"): "tradeoff",
    ("wall", "clock"): "wallclock",
    ("word2", "vec"): "word2vec",
    ("work", "flow"): "workflow",
    ("zero", "shot"): "zeroshot",
}
"""Pairs of words that are also written as one."""

MODIFIER_PARTS: Final = frozenset(
    """
    agnostic assisted augmented aware based centric driven enabled enhanced finetuned free generated guided induced informed inspired level
    like optimal optimized only oriented powered related specific style supervised trained tuned tuning type wise
    """.split()
)
"""What makes a modifier of a name that it is hyphenated to: "LLM-based" names nothing."""

CLASS_NOUNS: Final[dict[str, frozenset[str]]] = {
    "Dataset": frozenset("benchmark benchmarks corpora corpus dataset datasets".split()),
    "Method": frozenset("model models optimiser optimizer".split()),
}
"""By entity type: what says no more than the type does after a coined name: "GSM8K benchmark" names GSM8K."""

LINK_WORDS: Final = frozenset("a an and as at by for from in into is of on or over the to under using via with".split())
"""Words that need no letter in an abbreviation."""
