"""The HTTP API: routes, their dependencies, errors as JSON, and the OpenAPI document."""
