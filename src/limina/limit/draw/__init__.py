"""Drawings of Limit as SVG and for the terminal."""
