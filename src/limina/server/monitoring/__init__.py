"""Metrics for Prometheus and the health check of the database."""
