"""The HTTP edge: routes, schemas, problems and the OpenAPI document. Decides nothing about games and stores nothing."""

from skyjo_server.http.app import create_http_app

__all__ = ["create_http_app"]
