"""Limit beside a physical game: positions that are entered by hand."""
