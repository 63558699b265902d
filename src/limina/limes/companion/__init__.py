"""The companion of Limes: displays of a physical game, entered by hand."""
