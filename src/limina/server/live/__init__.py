"""Sockets of live matches: the application, a handler for each socket, subscribers, and their messages."""
