"""From an abstract to its entities: the spaCy pipeline, the tagger and the grouping of mentions."""
