"""Programs that work on data from clients, each in a subprocess beside the server, which can end it at any time.

They load nothing of the server and keep nothing between two requests.
"""
