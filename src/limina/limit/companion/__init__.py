"""The companion for physical games of Limit: layouts to lay out, and positions that players enter."""
