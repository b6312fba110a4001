"""What does a plain static web host do with the built site?

It sends files with a MIME type, compresses nothing and knows no redirects: the least that any host offers.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class PlainHandler(SimpleHTTPRequestHandler):
    """HTTP/1.1, so that a page's many files share connections as they do on real hosts."""

    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".woff2": "font/woff2",
    }

    def log_message(self, *args: object) -> None:
        """Tests read no access log."""


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that closes a page hangs up in mid-answer; that is no fault of the host."""


@contextmanager
def static_host(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port of this machine; gives the address without a slash at its end."""
    server = QuietServer(("127.0.0.1", 0), partial(PlainHandler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
