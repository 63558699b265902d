"""The HTTP API: routes, what they depend on, errors as JSON, and the OpenAPI document."""
