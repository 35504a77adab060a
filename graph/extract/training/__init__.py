"""How the shipped weights were made. Needs the extra `train`."""
