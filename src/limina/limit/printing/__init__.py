"""Print sheets of Limit."""
