"""Connections: uvicorn's protocols with bounds, rate limits, allowed origins, security headers."""
