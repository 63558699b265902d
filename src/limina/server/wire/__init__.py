"""What goes over the wire: the shapes of requests, answers and messages, and their JSON."""
