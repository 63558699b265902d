"""Sheets to print and play Limes with."""
