"""The commands of `limina`, a module each."""
