"""A server on this machine, for what has to go over real connections. It answers; it moves nothing on by itself."""

from __future__ import annotations

from threading import Thread
from typing import Any

from werkzeug.serving import BaseWSGIServer, make_server


class LocalServer:
    """A server on this machine that can be stopped, and started again on its port."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._port = 0
        self._server: BaseWSGIServer | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        if self._server is None:
            self._server = make_server("127.0.0.1", self._port, self._app, threaded=True)
            self._port = self._server.server_port
            self._thread = Thread(target=self._server.serve_forever)
            self._thread.start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()
            self._server = None
