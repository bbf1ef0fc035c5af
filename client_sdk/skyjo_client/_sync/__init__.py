# Written by client_sdk/generate_sync.py from client_sdk/skyjo_client/_async/__init__.py.
"""The synchronous client."""
