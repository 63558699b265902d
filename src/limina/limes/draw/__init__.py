"""Drawings of Limes as SVG and for the terminal."""
