"""Benchmarks of speed and strength: `make bench`. They are not tests, because other programs may use the machine."""
