"""Figures of speed: `make bench`. Never a test: a machine may be busy."""
