"""Every IRI that methodmap writes, one term a line with its meaning. Plain strings: each RDF library wraps them in its own term type.

The terms of methodmap's own namespace are defined in ``methodmap.ttl``, and tied to other vocabularies in ``alignments.ttl``.
"""

from collections.abc import Mapping
from typing import Final

MM: Final = "https://w3id.org/methodmap/ontology#"
DCTERMS: Final = "http://purl.org/dc/terms/"
FABIO: Final = "http://purl.org/spar/fabio/"
OA: Final = "http://www.w3.org/ns/oa#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
PROV: Final = "http://www.w3.org/ns/prov#"
RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
SCHEMA: Final = "https://schema.org/"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"

#: What queries and serialisations may abbreviate: prefix -> namespace.
PREFIXES: Final[Mapping[str, str]] = {
    "mm": MM,
    "dcterms": DCTERMS,
    "fabio": FABIO,
    "oa": OA,
    "owl": OWL,
    "prov": PROV,
    "rdf": RDF,
    "rdfs": RDFS,
    "schema": SCHEMA,
    "skos": SKOS,
    "xsd": XSD,
}

# ---- classes -------------------------------------------------------------------------------------------------------------------------

#: A scholarly paper, known by its abstract.
PAPER: Final = MM + "Paper"
#: What papers publish in: a conference or journal, with its year where the source names one.
VENUE: Final = MM + "Venue"
#: Anything that papers name and the map holds as a node; the superclass of the five types below.
ENTITY: Final = MM + "Entity"
#: An algorithm, model, architecture, framework, technique, loss or named system.
METHOD: Final = MM + "Method"
#: A method that some paper compares with; derived, and asserted so that it can be asked for.
BASELINE: Final = MM + "Baseline"
#: A dataset, benchmark, corpus, environment or simulator.
DATASET: Final = MM + "Dataset"
#: A problem or an application.
TASK: Final = MM + "Task"
#: A measure of quality, cost or speed.
METRIC: Final = MM + "Metric"
#: A phenomenon, property, theory or object of study.
CONCEPT: Final = MM + "Concept"
#: A figure that a paper states.
RESULT: Final = MM + "Result"
#: A link or relation as a node, so that role, confidence and evidence can be said of it.
STATEMENT: Final = MM + "Statement"
#: The words of a paper that say something.
EVIDENCE: Final = MM + "Evidence"
#: Evidence that names an entity.
MENTION: Final = MM + "Mention"

# ---- paper -> entity -----------------------------------------------------------------------------------------------------------------

#: The paper introduces this method or dataset.
PROPOSES: Final = MM + "proposes"
#: The paper compares its proposal with this method.
COMPARES_WITH: Final = MM + "comparesWith"
#: The paper, or the method, makes use of this.
USES: Final = MM + "uses"
#: The paper evaluates on this dataset.
EVALUATES_ON: Final = MM + "evaluatesOn"
#: The paper works on this task.
ADDRESSES: Final = MM + "addresses"
#: The paper gives figures in this metric.
REPORTS: Final = MM + "reports"
#: The paper names this task or metric in passing.
MENTIONS: Final = MM + "mentions"
#: The paper is about this concept.
DISCUSSES: Final = MM + "discusses"

# ---- entity -> entity (``uses`` is above) --------------------------------------------------------------------------------------------

#: The method is evaluated on the dataset.
EVALUATED_ON: Final = MM + "evaluatedOn"
#: The method is applied to the task or object.
APPLIED_TO: Final = MM + "appliedTo"
#: The method does better than the other.
OUTPERFORMS: Final = MM + "outperforms"
#: The method is compared with the other; no winner is stated.
COMPARED_WITH: Final = MM + "comparedWith"
#: The method builds on or modifies the other.
EXTENDS: Final = MM + "extends"
#: The method is trained on the dataset.
TRAINED_ON: Final = MM + "trainedOn"
#: The method, task or concept is measured by the metric.
MEASURED_BY: Final = MM + "measuredBy"
#: The dataset serves the task.
SUPPORTS_TASK: Final = MM + "supportsTask"
#: The first is a kind of the second, as some paper states it; not a claim about OWL classes.
SUB_CLASS_OF: Final = MM + "subClassOf"
#: The first is a component of the second.
PART_OF: Final = MM + "partOf"

# ---- papers and entities -------------------------------------------------------------------------------------------------------------

#: How many papers of the map link to the entity (xsd:integer).
PAPER_COUNT: Final = MM + "paperCount"
#: The file that holds the paper, as the user named it.
SOURCE_FILE: Final = MM + "sourceFile"
#: The first line of the paper's record in that file, from 1.
SOURCE_LINE: Final = MM + "sourceLine"
#: The code point at which the record starts in that file, from 0.
SOURCE_OFFSET: Final = MM + "sourceOffset"
#: The paper states this result.
HAS_RESULT: Final = MM + "hasResult"

# ---- results -------------------------------------------------------------------------------------------------------------------------

#: The method whose figure the result is.
RESULT_METHOD: Final = MM + "method"
#: The dataset on which the figure was measured.
RESULT_DATASET: Final = MM + "dataset"
#: The metric in which the figure is given.
RESULT_METRIC: Final = MM + "metric"
#: The figure (xsd:decimal).
VALUE: Final = MM + "value"
#: The figure's unit as the paper writes it.
UNIT: Final = MM + "unit"
#: The figure that it is set against (xsd:decimal).
REFERENCE: Final = MM + "reference"
#: The method that the reference figure belongs to.
COMPARATOR: Final = MM + "comparator"
#: Which way is better: "higher" or "lower".
DIRECTION: Final = MM + "direction"
#: Whether the figure is a change against the reference rather than a level (xsd:boolean).
RELATIVE: Final = MM + "relative"

# ---- statements and evidence (in the evidence graph; what would repeat the rest is left out, see each term) --------------------------

#: The role in which the statement's paper names the entity.
ROLE: Final = MM + "role"
#: Calibrated confidence from 0 to 1 (xsd:decimal): 0.8 means right 8 times of 10.
CONFIDENCE: Final = MM + "confidence"
#: The words that say what the statement or result says.
HAS_EVIDENCE: Final = MM + "evidence"
#: The mention in plain form: without LaTeX and markdown, on one line. Left out where the words themselves (oa:exact) are plain.
TEXT: Final = MM + "text"
#: The sentence that holds the words, as the source gives it.
SENTENCE: Final = MM + "sentence"
#: The code point of the abstract at which the sentence starts.
SENTENCE_START: Final = MM + "sentenceStart"
#: The code point of the abstract before which the sentence ends. Left out where that is its start plus its length.
SENTENCE_END: Final = MM + "sentenceEnd"
#: The SHA-256 of a paper's abstract, into which offsets point; on evidence only where that was cut from another text.
TEXT_HASH: Final = MM + "textHash"
#: Whether the words are hedged ("may", "could"). Left out where they are not.
HEDGED: Final = MM + "hedged"
#: Whether the words are negated. Left out where they are not.
NEGATED: Final = MM + "negated"

# ---- reused terms --------------------------------------------------------------------------------------------------------------------

#: What kind of thing the subject is.
TYPE: Final = RDF + "type"
#: The subject of a statement.
SUBJECT: Final = RDF + "subject"
#: The property of a statement.
PREDICATE: Final = RDF + "predicate"
#: The object of a statement.
OBJECT: Final = RDF + "object"
#: The name of a venue, an extractor or its run.
LABEL: Final = RDFS + "label"
#: The one name under which an entity or paper is shown.
PREF_LABEL: Final = SKOS + "prefLabel"
#: Another name of an entity.
ALT_LABEL: Final = SKOS + "altLabel"
#: The id under which the map holds a paper.
IDENTIFIER: Final = DCTERMS + "identifier"
#: A paper's title, where its source has one.
TITLE: Final = DCTERMS + "title"
#: A paper's abstract exactly as its source gives it.
ABSTRACT: Final = DCTERMS + "abstract"
#: A paper's year (xsd:gYear).
ISSUED: Final = DCTERMS + "issued"
#: A paper's venue.
IS_PART_OF: Final = DCTERMS + "isPartOf"
#: A paper's address on the web (xsd:anyURI, as the source gives it).
URL: Final = SCHEMA + "url"
#: The version of the extractor.
SOFTWARE_VERSION: Final = SCHEMA + "softwareVersion"
#: One run, or a set of like runs, of an extractor.
ACTIVITY: Final = PROV + "Activity"
#: The extractor.
SOFTWARE_AGENT: Final = PROV + "SoftwareAgent"
#: The paper that a piece of evidence was cut from.
WAS_DERIVED_FROM: Final = PROV + "wasDerivedFrom"
#: The extraction that found all evidence of a statement or result; where several did, each piece of evidence names its own.
WAS_GENERATED_BY: Final = PROV + "wasGeneratedBy"
#: The extractor that an extraction ran.
WAS_ASSOCIATED_WITH: Final = PROV + "wasAssociatedWith"
#: What the words speak of: an entity, a statement or a result.
HAS_BODY: Final = OA + "hasBody"
#: Where the words stand.
HAS_TARGET: Final = OA + "hasTarget"
#: The text in which a target lies: the paper's abstract.
HAS_SOURCE: Final = OA + "hasSource"
#: How to find the target in its text.
HAS_SELECTOR: Final = OA + "hasSelector"
#: A stretch of text given by code points, and by its words besides. A selector has one type, so it is not called one by quote as well.
TEXT_POSITION_SELECTOR: Final = OA + "TextPositionSelector"
#: The first code point of a stretch, from 0.
START: Final = OA + "start"
#: The code point after a stretch.
END: Final = OA + "end"
#: The words of a stretch exactly as the source gives them.
EXACT: Final = OA + "exact"

# ---- datatypes -----------------------------------------------------------------------------------------------------------------------

#: The datatype of web addresses.
XSD_ANY_URI: Final = XSD + "anyURI"
#: The datatype of flags.
XSD_BOOLEAN: Final = XSD + "boolean"
#: The datatype of confidences and figures.
XSD_DECIMAL: Final = XSD + "decimal"
#: The datatype of years.
XSD_G_YEAR: Final = XSD + "gYear"
#: The datatype of counts.
XSD_INTEGER: Final = XSD + "integer"
#: The datatype of offsets and lines.
XSD_NON_NEGATIVE_INTEGER: Final = XSD + "nonNegativeInteger"

# ---- how records map to terms --------------------------------------------------------------------------------------------------------

#: An entity's type -> its class.
TYPE_CLASSES: Final[Mapping[str, str]] = {
    "Method": METHOD,
    "Dataset": DATASET,
    "Task": TASK,
    "Metric": METRIC,
    "Concept": CONCEPT,
}

#: An entity's type and its role in a paper -> the property from the paper to it.
ROLE_PROPERTIES: Final[Mapping[tuple[str, str], str]] = {
    ("Method", "proposed"): PROPOSES,
    ("Method", "baseline"): COMPARES_WITH,
    ("Method", "used"): USES,
    ("Dataset", "proposed"): PROPOSES,
    ("Dataset", "evaluated_on"): EVALUATES_ON,
    ("Dataset", "used"): USES,
    ("Task", "addressed"): ADDRESSES,
    ("Task", "mentioned"): MENTIONS,
    ("Metric", "reported"): REPORTS,
    ("Metric", "mentioned"): MENTIONS,
    ("Concept", "discussed"): DISCUSSES,
}

#: A relation's type -> the property from one entity to the other.
RELATION_PROPERTIES: Final[Mapping[str, str]] = {
    "evaluatedOn": EVALUATED_ON,
    "appliedTo": APPLIED_TO,
    "outperforms": OUTPERFORMS,
    "comparedWith": COMPARED_WITH,
    "extends": EXTENDS,
    "uses": USES,
    "trainedOn": TRAINED_ON,
    "measuredBy": MEASURED_BY,
    "supportsTask": SUPPORTS_TASK,
    "subClassOf": SUB_CLASS_OF,
    "partOf": PART_OF,
}

#: Where the evidence graph's IRI stands under the base.
EVIDENCE_GRAPH: Final = "graph/evidence"
#: Where the IRI of the database's index of names stands under the base.
NAMES_GRAPH: Final = "graph/names"


def local_name(iri: str) -> str:
    """The part of one of methodmap's own terms after its namespace.

    >>> local_name(PROPOSES)
    'proposes'
    """
    return iri.removeprefix(MM)


# Computed, since a hundred terms written twice would drift apart.
__all__ = sorted(name for name in globals() if name == "local_name" or name.isupper())
