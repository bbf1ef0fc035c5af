"""The interactive reference in a real browser: everything is shown, and the policy keeps nothing from it."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator
from typing import cast

import pytest
from werkzeug.serving import make_server

from skyjo_server.http import create_http_app
from skyjo_server.http.ports import AllUseCases
from tests.contract.document import Document

pytestmark = pytest.mark.browser


@pytest.fixture
def chromium() -> str:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("there is no Chromium here")
    return found


@pytest.fixture
def address() -> Iterator[str]:
    """Where the reference is served; it asks nothing of the service behind it."""
    server = make_server("127.0.0.1", 0, create_http_app(cast(AllUseCases, None)), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/docs"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_reference_shows_every_operation_and_breaks_no_policy(
    chromium: str, address: str, document: Document
) -> None:
    options = ["--headless=new", "--no-sandbox", "--enable-logging=stderr", "--virtual-time-budget=20000", "--dump-dom"]
    shown = subprocess.run([chromium, *options, address], capture_output=True, text=True, check=True, timeout=120)
    for operation in document.operations():
        assert operation.described["summary"].rstrip(".") in shown.stdout.replace("&#39;", "'"), operation.operation_id
    assert "CONSOLE" not in shown.stderr, shown.stderr
