"""The authority: what is legal, what is saved, who may see what. It knows neither HTTP nor sockets."""

from limina.server.errors import RefusedError
from limina.server.matches.authority import Authority
from limina.server.matches.match import Match

__all__ = ["Authority", "Match", "RefusedError"]
