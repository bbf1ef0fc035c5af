"""The use cases of the service: who may do what, exactly once. Knows the rules, and ports; no HTTP and no SQL."""

from skyjo_server.service import errors, model
from skyjo_server.service.arena import Arena

__all__ = ["Arena", "errors", "model"]
