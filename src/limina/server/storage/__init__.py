"""What is kept: the tables, the values in them, and the store, the only room with SQL."""
