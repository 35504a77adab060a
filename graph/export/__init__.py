"""The map as files for other tools, one format a module."""
