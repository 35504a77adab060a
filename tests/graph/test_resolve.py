from __future__ import annotations

import random
from decimal import Decimal

import pytest
from examples import GRAPH, LORA_EXTRACTION, LORA_PAPER, NEO_EXTRACTION, NEO_PAPER
from hypothesis import given
from hypothesis import strategies as st

from methodmap.graph.ledger import Merge
from methodmap.graph.model import ROLES, Entity, EntityType, Evidence, Extraction, Mention, Paper, Relation, Result, Role, Source, text_hash
from methodmap.graph.resolve import resolve

Said = tuple[EntityType, Role, tuple[str, ...]]


def used(*forms: str) -> Said:
    """A method that a paper uses, with its forms."""
    return ("Method", "used", forms)


def proposed(*forms: str) -> Said:
    """A method that a paper proposes, with its forms."""
    return ("Method", "proposed", forms)


def paper(id_: str, *said: Said) -> tuple[Paper, Extraction]:
    """A paper whose abstract says the forms one after another, inside one sentence; the first form of an entity is its name."""
    abstract = "We say: " + " ; ".join(form for _, _, forms in said for form in forms) + " ."
    entities, at = [], len("We say: ")
    for kind, role, forms in said:
        mentions = []
        for form in forms:
            mentions.append(
                Mention(form, Evidence(id_, text_hash(abstract), at, at + len(form), form, 0, len(abstract), abstract, 0.9, "toy/1"))
            )
            at += len(form) + len(" ; ")
        entities.append(Entity(forms[0], kind, role, tuple(mentions), 0.9))
    return Paper(id_, abstract, Source("toy.txt", 1, 0)), Extraction(id_, text_hash(abstract), "toy/1", tuple(entities))


def groups(*said: tuple[Paper, Extraction]) -> dict[str, tuple[str, ...]]:
    """What the papers resolve to: the papers of each entity, by its label; homonyms' labels are followed by what their ids add."""
    graph, _ = resolve([p for p, _ in said], [e for _, e in said])
    ids = {e.id: e.label for e in graph.entities}
    shared = [label for label in ids.values() if list(ids.values()).count(label) > 1]
    out: dict[str, tuple[str, ...]] = {}
    for id_, label in ids.items():
        papers = tuple(link.paper for link in graph.links if link.entity == id_)
        out[f"{label} {papers}" if label in shared else label] = papers
    return out


def test_what_one_of_many_papers_says_names_nothing() -> None:
    """A short form that one paper proposes does not become the name of what six papers call by its full form."""
    others = [paper(f"p{i}", used("reinforcement learning")) for i in range(6)]
    assert "QeRL" not in groups(paper("q", proposed("QeRL", "reinforcement learning")), *others)


def test_toy_papers_give_the_toy_map() -> None:
    """Two papers resolve to the map written out in the examples, attributes included, with the one merge in the ledger."""
    graph, merges = resolve((LORA_PAPER, NEO_PAPER), (LORA_EXTRACTION, NEO_EXTRACTION))
    assert graph == GRAPH
    assert merges == (Merge("dataset/imagenet-c", "same normalised form", ("ImageNet-C",), ("000-06", "lora-x"), 2),)


def test_forms_of_one_name_are_one_entity_under_the_form_of_most_papers() -> None:
    """Case, number and hyphens differ; the label is the form that most papers use, the others are its other labels."""
    said = [
        paper("a", used("Large Language Models")),
        paper("b", used("large language models")),
        paper("c", used("large-language models")),
        paper("d", used("large language models")),
    ]
    graph, merges = resolve([p for p, _ in said], [e for _, e in said])
    (entity,) = graph.entities
    assert (entity.id, entity.label) == ("method/large-language-models", "large language models")
    assert entity.alt_labels == ("Large Language Models", "large-language models")
    assert merges == (
        Merge(
            "method/large-language-models",
            "same normalised form",
            ("Large Language Models", "large language models", "large-language models"),
            ("a", "b", "c", "d"),
            4,
        ),
    )


def test_capital_of_a_sentences_beginning_is_not_preferred() -> None:
    """A form that only stands at the beginning of a sentence counts for the form inside sentences."""
    abstract = "Dropout helps."
    evidence = Evidence("a", text_hash(abstract), 0, 7, "Dropout", 0, 14, abstract, 0.9, "toy/1")
    entity = Entity("Dropout", "Method", "used", (Mention("Dropout", evidence),), 0.9)
    first = (Paper("a", abstract, Source("toy.txt", 1, 0)), Extraction("a", text_hash(abstract), "toy/1", (entity,)))
    assert groups(first, paper("b", used("dropout"))) == {"dropout": ("a", "b")}


def test_short_form_joins_its_one_full_form() -> None:
    """Papers with the abbreviation alone and papers with the full form alone meet over a paper that explains it."""
    said = [paper("a", used("Low-Rank Adaptation", "LoRA")), paper("b", used("LoRA")), paper("c", used("low-rank adaptation"))]
    graph, merges = resolve([p for p, _ in said], [e for _, e in said])
    assert [e.label for e in graph.entities] == ["LoRA"]
    assert graph.entities[0].alt_labels == ("Low-Rank Adaptation", "low-rank adaptation")
    assert merges == (
        Merge("method/lora", "abbreviation pair", ("LoRA", "Low-Rank Adaptation", "low-rank adaptation"), ("a", "b", "c"), 1),
        Merge("method/lora", "same normalised form", ("LoRA",), ("a", "b"), 2),
        Merge("method/lora", "same normalised form", ("Low-Rank Adaptation", "low-rank adaptation"), ("a", "c"), 2),
    )


def test_general_terms_go_by_their_full_form() -> None:
    """An abbreviation with a plural is a class of things, however many papers use only it."""
    assert groups(paper("a", used("LLMs", "large language models")), paper("b", used("LLMs")), paper("c", used("LLM"))) == {
        "large language models": ("a", "b", "c")
    }


def test_homonyms_stay_apart() -> None:
    """Two full forms share an abbreviation: papers with the abbreviation alone belong to neither, and nothing is joined through it."""
    assert groups(
        paper("a", used("density functional theory", "DFT")),
        paper("b", used("discrete Fourier transform", "DFT")),
        paper("c", used("DFT")),
        paper("d", used("DFT")),
    ) == {"density functional theory": ("a",), "discrete Fourier transform": ("b",), "DFT": ("c", "d")}


def test_one_stray_expansion_does_not_make_a_homonym() -> None:
    """Where at least four papers in five agree on what an abbreviation stands for, papers with it alone follow them."""
    said = [paper(f"a{i}", used("direct preference optimization", "DPO")) for i in range(4)]
    found = groups(*said, paper("b", used("differential policy optimization", "DPO")), paper("c", used("DPO")))
    assert sorted(found.values()) == [("a0", "a1", "a2", "a3", "c"), ("b",)]


def test_expansions_that_differ_in_an_ending_are_one() -> None:
    """The same abbreviation in nearly the same words is no homonym."""
    assert list(
        groups(paper("a", used("rotary position embedding", "RoPE")), paper("b", used("rotary positional embeddings", "RoPE"))).values()
    ) == [("a", "b")]
    assert len(groups(paper("a", used("multimodal large model", "MLM")), paper("b", used("multilingual large model", "MLM")))) == 2


def test_two_letters_need_two_papers() -> None:
    """One paper's explanation of a two-letter abbreviation does not hold for others; two papers' does."""
    explained = [paper("a", used("anomaly detection", "AD")), paper("b", used("anomaly detection", "AD"))]
    alone = paper("c", used("AD"))
    assert groups(explained[0], alone) == {"anomaly detection": ("a",), "AD": ("c",)}
    assert groups(*explained, alone) == {"anomaly detection": ("a", "b", "c")}


def test_papers_that_propose_one_name_keep_their_own_entities() -> None:
    """Two proposals of one coined name are two entities, and a paper that only uses the name names neither."""
    assert groups(paper("a", proposed("NEO")), paper("b", proposed("NEO")), paper("c", used("NEO"))) == {
        "NEO ('a',)": ("a",),
        "NEO ('b',)": ("b",),
        "NEO ('c',)": ("c",),
    }
    assert sorted(
        groups(paper("a", proposed("NEO", "Noise-Erasing Optimization")), paper("b", proposed("NEO", "Neural Edge Operators"))).values()
    ) == [("a",), ("b",)]


def test_users_join_the_one_proposal() -> None:
    """A name that one paper proposes is what others use under that name."""
    assert groups(paper("a", proposed("NEO")), paper("b", used("NEO")), paper("c", ("Method", "baseline", ("NEO",)))) == {
        "NEO": ("a", "b", "c")
    }


def test_name_of_the_field_is_not_split_by_stray_roles() -> None:
    """Where more papers use a name than propose it, it is one thing."""
    said = [paper("a", proposed("LoRA")), paper("b", proposed("LoRA")), *(paper(f"c{i}", used("LoRA")) for i in range(3))]
    assert groups(*said) == {"LoRA": ("a", "b", "c0", "c1", "c2")}


def test_two_full_forms_of_one_paper_join_nothing_elsewhere() -> None:
    """A paper that calls its accuracy both ways does not make all classification accuracies accuracies."""
    assert groups(
        paper("a", ("Metric", "reported", ("classification accuracy", "accuracy"))),
        paper("b", ("Metric", "reported", ("accuracy",))),
        paper("c", ("Metric", "reported", ("classification accuracy",))),
    ) == {"accuracy": ("b",), "classification accuracy": ("a", "c")}


def test_types_stay_apart() -> None:
    """A name that is a Task in one paper and a Method in another is two entities."""
    said = [paper("a", used("reinforcement learning")), paper("b", ("Task", "addressed", ("reinforcement learning",)))]
    graph, merges = resolve([p for p, _ in said], [e for _, e in said])
    assert [e.id for e in graph.entities] == ["method/reinforcement-learning", "task/reinforcement-learning"]
    assert merges == ()


def test_homonyms_ids_do_not_depend_on_each_other() -> None:
    """Without a clear leader every homonym's id has its own mark; a third paper's homonym changes none of them."""
    a, b = paper("a", proposed("NEO")), paper("b", proposed("NEO"))
    two, _ = resolve([a[0], b[0]], [a[1], b[1]])
    c = paper("c", proposed("NEO"))
    three, _ = resolve([a[0], b[0], c[0]], [a[1], b[1], c[1]])
    assert [e.id[: len("method/neo-")] for e in two.entities] == ["method/neo-"] * 2
    assert {e.id for e in two.entities} < {e.id for e in three.entities}


def test_entities_of_one_paper_that_fall_together_share_a_link() -> None:
    """The role is the first in the order of roles, mentions are united in the order of the text."""
    p, e = paper("a", used("LoRA"), ("Method", "baseline", ("LoRAs",)))
    graph, _ = resolve([p], [e])
    (link,) = graph.links
    assert (link.role, [m.text for m in link.mentions]) == ("baseline", ["LoRA", "LoRAs"])
    assert graph.entities[0].baseline


def test_relations_and_results_go_by_id() -> None:
    """Names become ids; what names no entity is None in a result and drops a relation, as an entity's relation to itself does."""
    p, e = paper("a", used("LoRA"), ("Method", "baseline", ("LoRAs",)), ("Dataset", "evaluated_on", ("GLUE",)))
    evidence = e.entities[0].mentions[0].evidence
    relations = (
        Relation("LoRA", "evaluatedOn", "GLUE", evidence),
        Relation("LoRA", "evaluatedOn", "nothing", evidence),
        Relation("LoRA", "outperforms", "LoRAs", evidence),
    )
    result = Result("LoRA", "GLUE", "nothing", Decimal(1), None, None, None, None, False, evidence)
    graph, _ = resolve([p], [Extraction(e.paper, e.text_hash, e.extractor, e.entities, relations, (result,))])
    assert [(s.head, s.type, s.tail, s.evidence) for s in graph.statements] == [("method/lora", "evaluatedOn", "dataset/glue", (evidence,))]
    assert graph.results == (Result("method/lora", "dataset/glue", None, Decimal(1), None, None, None, None, False, evidence),)


def test_extraction_without_its_paper_is_refused() -> None:
    """The error names the paper."""
    with pytest.raises(ValueError, match="000-06"):
        resolve([LORA_PAPER], [NEO_EXTRACTION])


FORMS = (
    "NEO",
    "DFT",
    "density functional theory",
    "discrete Fourier transform",
    "LLMs",
    "LLM",
    "large language models",
    "LoRA",
    "low-rank adaptation",
    "Dropout",
    "dropout",
    "C++",
    "GPT-3.5",
    "∑",
)


@st.composite
def corpora(draw: st.DrawFn) -> list[tuple[Paper, Extraction]]:
    """Up to six papers that say a few names, alone and together, in all roles of two types."""
    kinds: list[EntityType] = ["Method", "Task"]
    said = []
    for i in range(draw(st.integers(0, 6))):
        entities: list[Said] = []
        for _ in range(draw(st.integers(0, 4))):
            kind = draw(st.sampled_from(kinds))
            forms = draw(st.lists(st.sampled_from(FORMS), min_size=1, max_size=3, unique=True))
            entities.append((kind, draw(st.sampled_from(ROLES[kind])), tuple(forms)))
        said.append(paper(f"p{i}", *entities))
    return said


@given(corpora(), st.integers(0, 9))
def test_order_of_input_does_not_matter(said: list[tuple[Paper, Extraction]], seed: int) -> None:
    """Shuffled papers and extractions give the same map and ledger."""
    mixed = list(said)
    random.Random(seed).shuffle(mixed)
    assert resolve([p for p, _ in said], [e for _, e in said]) == resolve([p for p, _ in mixed], [e for _, e in said[::-1]])


@given(corpora())
def test_every_mention_is_on_one_link(said: list[tuple[Paper, Extraction]]) -> None:
    """No mention is lost or doubled; labels are disjoint from other labels; ids are unique, and every merge is of two papers or more."""
    graph, merges = resolve([p for p, _ in said], [e for _, e in said])
    given_ = [(e.paper, m) for _, e in said for entity in e.entities for m in entity.mentions]
    linked = [(link.paper, m) for link in graph.links for m in link.mentions]
    assert sorted(given_, key=repr) == sorted(linked, key=repr)
    ids = [e.id for e in graph.entities]
    assert ids == sorted(set(ids))
    assert {link.entity for link in graph.links} == set(ids)
    for entity in graph.entities:
        assert entity.label not in entity.alt_labels
        assert list(entity.alt_labels) == sorted(set(entity.alt_labels))
    assert list(merges) == sorted(set(merges))
    assert all(len(merge.papers) > 1 and merge.entity in ids for merge in merges)


@given(corpora())
def test_labels_are_stable(said: list[tuple[Paper, Extraction]]) -> None:
    """A map whose entities are named by their labels resolves to the same labels."""
    graph, _ = resolve([p for p, _ in said], [e for _, e in said])
    label = {e.id: e.label for e in graph.entities}
    kind = {e.id: e.type for e in graph.entities}
    again = [
        paper(p.id, *((kind[link.entity], link.role, (label[link.entity],)) for link in graph.links if link.paper == p.id)) for p, _ in said
    ]
    renamed, _ = resolve([p for p, _ in again], [e for _, e in again])
    assert {e.label for e in renamed.entities} <= set(label.values())
