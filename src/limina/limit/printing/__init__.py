"""Limit as sheets to print."""
