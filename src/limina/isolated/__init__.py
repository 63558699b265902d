"""Programs that process data from clients in subprocesses, which the server can kill at any time.

They import nothing from the server and keep no state between two requests.
"""
