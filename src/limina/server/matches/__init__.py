"""Matches: what is legal, saved and visible in a match. The package knows neither HTTP nor sockets."""

from limina.server.matches.bot_runner import BotRunner
from limina.server.matches.hosted_bots import HostedBots
from limina.server.matches.loaded_match import LoadedMatch
from limina.server.matches.match import Match
from limina.server.matches.match_service import MatchService
from limina.server.matches.new_match import MatchRequest, SeatRequest

__all__ = ["BotRunner", "HostedBots", "LoadedMatch", "Match", "MatchRequest", "MatchService", "SeatRequest"]
