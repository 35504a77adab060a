"""Readers: a file in, papers out, one format a module."""
