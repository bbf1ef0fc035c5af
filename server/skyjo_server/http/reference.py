"""The interactive reference at /docs, the guide beside it, and the document at /openapi.json. All from this process.

The pages of Swagger UI come from the package flask-swagger-ui; of it, only the files are used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.resources import files
from typing import Any, Final

import orjson
from flask import Flask, Response

from skyjo_server.http import guide
from skyjo_server.http.answers import REVALIDATED

DOCUMENT_PATH: Final = "/openapi.json"
DOCS_PATH: Final = "/docs"

# The icons of Swagger UI are data URLs; it needs nothing else that does not lie beside the page.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of the reference: it can load nothing from elsewhere, and be in no frame."""

PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Skyjo Arena: API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<p><a href="/docs/guide">Guide: quickstarts, protocol, errors, operation</a></p>
<div id="reference"></div>
<noscript>This needs JavaScript. What it shows is <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""

START: Final = """\
window.addEventListener("load", () => {
  SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#reference",
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    // Swagger UI would ask a server of its makers whether the document is valid.
    validatorUrl: null,
  });
});
"""

_FROM_PACKAGE: Final = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "favicon-32x32.png": "image/png",
}


def register(app: Flask, document: dict[str, Any]) -> None:
    """Serve a document, its reference and the guide."""
    served = orjson.dumps(document)
    app.add_url_rule(DOCUMENT_PATH, "document", lambda: _public(served, "application/json"))
    app.add_url_rule(DOCS_PATH, "docs", lambda: _public(PAGE.encode(), "text/html; charset=utf-8"))
    for name, (content, media_type) in _files().items():
        _serve(app, f"{DOCS_PATH}/{name}", partial(_public, content, media_type))
    for path, (written, media_type) in guide.files().items():
        _serve(app, path, partial(_written, written, media_type))


def _serve(app: Flask, path: str, answer: Callable[[], Response]) -> None:
    # Flask takes dots in the name of an endpoint for those of a blueprint.
    app.add_url_rule(path, path.lstrip("/").replace("/", "-").replace(".", "-"), answer)


def _written(text: Callable[[], str], media_type: str) -> Response:
    return _public(text().encode(), media_type)


def _files() -> dict[str, tuple[bytes, str]]:
    folder = files("flask_swagger_ui") / "dist"
    package = {name: ((folder / name).read_bytes(), media_type) for name, media_type in _FROM_PACKAGE.items()}
    return {"start.js": (START.encode(), "text/javascript"), **package}


def _public(content: bytes, media_type: str) -> Response:
    headers = {"Cache-Control": REVALIDATED, "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer"}
    return Response(content, headers=headers, content_type=media_type)
