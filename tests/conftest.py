"""The plugins of every test. It holds nothing itself: see the modules it names."""

from __future__ import annotations

import importlib.util

# The SDK's tests run without the server's dependencies, and so without a database.
_DATABASE = ["tests.database"] if importlib.util.find_spec("psycopg") else []

pytest_plugins = ["tests.ground", *_DATABASE]
