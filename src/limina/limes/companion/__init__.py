"""Limes beside a physical game: displays that are entered by hand."""
