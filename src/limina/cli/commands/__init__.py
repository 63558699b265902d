"""The commands of `limina`, with one module for each."""
