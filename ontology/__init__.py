"""The vocabulary of the map, its shapes and its alignments with other vocabularies."""
