"""From files of abstracts to a knowledge graph, and from the graph to answers and files."""
