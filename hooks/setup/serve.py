"""The development server: the address at which the site is served while it is being written.

The first free port from 8000 on, or the one that is named: `make serve port=9000`.
"""

from __future__ import annotations

import os
import socket
import sys

from hooks.paths import ROOT
from hooks.setup.common import fail

HOST = "127.0.0.1"
PORTS = range(8000, 8020)


def is_free(port: int) -> bool:
    """Return whether nothing listens on a port of this machine."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def chosen_port(named: str | None) -> int:
    """The named port, or the first free one; ends with one line where there is none."""
    if named is None:
        free = next(filter(is_free, PORTS), None)
        return free or fail(f"ports {PORTS[0]} to {PORTS[-1]} are all taken; name a free one: make serve port=9000")
    if not (named.isascii() and named.isdecimal() and 1024 <= int(named) <= 65535):
        fail(f"port={named!r}: a port is a number from 1024 to 65535")
    if not is_free(int(named)):
        fail(f"port {named} is taken; name another one, or leave it out to get the first free one from {PORTS[0]}")
    return int(named)


def main() -> None:
    """Serve the site and rebuild it on every edit; `python -m hooks.setup.serve [port]`."""
    port = chosen_port(sys.argv[1] if len(sys.argv) > 1 else None)
    os.chdir(ROOT)
    # Click's flag is off unless said, in the versions that MkDocs 1.6 now gets.
    serve = ["mkdocs", "serve", "--livereload", "--dev-addr", f"{HOST}:{port}"]
    print(f"two-speeds: building; then open http://{HOST}:{port}/ (Ctrl+C ends)", flush=True)
    os.execv(sys.executable, [sys.executable, "-m", *serve])


if __name__ == "__main__":
    main()
