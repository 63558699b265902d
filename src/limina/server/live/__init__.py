"""The sockets of live matches: the application, the handler of each socket, the subscribers and their messages."""
