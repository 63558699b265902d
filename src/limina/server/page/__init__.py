"""The files of the built page."""
