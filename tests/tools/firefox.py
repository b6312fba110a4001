"""How does a test drive an unmodified Firefox?

Playwright needs a patched one, and geckodriver is in no registry as a plain file. Firefox itself speaks WebDriver
BiDi, a W3C standard, over a websocket: this is the small part of it that the tests need.
"""

from __future__ import annotations

import json
import queue
import re
import subprocess
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websockets.sync.client import ClientConnection, connect

START_S = 60.0
ANSWER_S = 60.0
# No network but this machine's own, nothing but the page at start, no service of Mozilla's.
PREFERENCES: Mapping[str, bool | int | str] = {
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1",
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.type": 1,
    "remote.active-protocols": 1,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}


class Firefox:
    """A running Firefox and the connection to it; events are kept in the order in which they come."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._last_id = 0
        self.events: list[dict[str, Any]] = []
        self.ask("session.new", {"capabilities": {}})
        self.ask("session.subscribe", {"events": ["log.entryAdded", "network.beforeRequestSent"]})

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """One command and its answer; raises with Firefox's own words where it fails."""
        self._last_id += 1
        self._socket.send(json.dumps({"id": self._last_id, "method": method, "params": params}))
        while True:
            message: dict[str, Any] = json.loads(self._socket.recv(timeout=ANSWER_S))
            if message.get("id") != self._last_id:
                self.events.append(message)
            elif message["type"] == "error":
                raise AssertionError(f"Firefox, {method}: {message['error']}: {message['message']}")
            else:
                result: dict[str, Any] = message["result"]
                return result


@contextmanager
def running_firefox(path: Path) -> Iterator[Firefox]:
    """Start a Firefox with an empty profile, and end it."""
    with TemporaryDirectory(prefix="two-speeds-firefox-") as profile:
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items())
        (Path(profile) / "user.js").write_text("\n".join(lines))
        process = subprocess.Popen(
            [path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        told: queue.Queue[str] = queue.Queue()
        reader = threading.Thread(target=keep_reading, args=(process.stderr, told), daemon=True)
        reader.start()
        try:
            with connect(f"{address_in(told)}/session", max_size=None, compression=None) as socket:
                yield Firefox(socket)
        finally:
            process.terminate()
            process.wait()
            reader.join()
            if process.stderr:
                process.stderr.close()


def keep_reading(stream: Iterable[str], told: queue.Queue[str]) -> None:
    """Take lines to their end, so that Firefox never waits for a reader."""
    for line in stream:
        told.put(line)


def address_in(told: queue.Queue[str]) -> str:
    """Wait for the line in which Firefox says where it listens."""
    lines = []
    try:
        while True:
            lines.append(told.get(timeout=START_S))
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", lines[-1]):
                return found[1]
    except queue.Empty:
        raise AssertionError("Firefox did not start:\n" + "".join(lines)) from None
