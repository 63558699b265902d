"""The authority: what is legal, what is saved, who may see what. It knows neither HTTP nor sockets."""

from limina.server.play.authority import Authority
from limina.server.play.match import Match
from limina.server.play.refusal import RefusedError

__all__ = ["Authority", "Match", "RefusedError"]
