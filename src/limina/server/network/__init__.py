"""Connections: uvicorn's protocols with limits, rate limits, allowed origins, security headers."""
