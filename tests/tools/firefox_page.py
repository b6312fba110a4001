"""What can a test do with a page in Firefox?

Open it, ask its JavaScript, click a button by role and name, press keys, and wait until something is so.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from tests.tools.firefox import Firefox
from tests.tools.watched import INSIDE_THE_PAGE, Site

WAIT_S = 30.0


@dataclass(slots=True)
class FirefoxPage:
    """One tab."""

    firefox: Firefox
    context: str

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, by way of JSON; a promise is awaited."""
        answer = self.firefox.ask(
            "script.evaluate",
            {
                "expression": f"(async () => JSON.stringify(await ({expression})) ?? 'null')()",
                "target": {"context": self.context},
                "awaitPromise": True,
            },
        )
        if answer["type"] == "exception":
            raise AssertionError(f"{expression}: {answer['exceptionDetails']['text']}")
        return json.loads(answer["result"]["value"])

    def wait_until(self, expression: str, *, timeout_s: float = WAIT_S) -> Any:
        """Look again and again until the JavaScript expression is true, and give its value."""
        return self.evaluate(
            f"""new Promise((done, fail) => {{
                const end = performance.now() + {1000 * timeout_s};
                const look = async () => {{
                    const value = await ({expression});
                    if (value) done(value);
                    else if (performance.now() > end) fail(new Error("still false after {timeout_s} s"));
                    else setTimeout(look, 20);
                }};
                look();
            }})"""
        )

    def click(self, role: str, name: str) -> None:
        """Click with a real pointer on what has this role and accessible name."""
        found = self.firefox.ask(
            "browsingContext.locateNodes",
            {
                "context": self.context,
                "locator": {"type": "accessibility", "value": {"role": role, "name": name}},
            },
        )["nodes"]
        if len(found) != 1:
            raise AssertionError(f"{len(found)} of role {role} are named {name}")
        node = {"type": "element", "element": {"sharedId": found[0]["sharedId"]}}
        self.firefox.ask(
            "script.callFunction",
            {
                "functionDeclaration": "node => node.scrollIntoView({block: 'center', behavior: 'instant'})",
                "arguments": [{"sharedId": found[0]["sharedId"]}],
                "target": {"context": self.context},
                "awaitPromise": False,
            },
        )
        steps = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": node},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._act({"type": "pointer", "id": "mouse", "actions": steps})

    def press(self, *keys: str) -> None:
        r"""Press keys one after the other; special ones by their WebDriver code point, Tab is `\ue004`."""
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keyboard", "actions": steps})

    def _act(self, source: dict[str, Any]) -> None:
        self.firefox.ask("input.performActions", {"context": self.context, "actions": [source]})


@dataclass(slots=True)
class FirefoxVisits:
    """Opens pages of the site in Firefox, and remembers what went wrong in any of them."""

    firefox: Firefox
    site: Site
    allowed: list[re.Pattern[str]] = field(default_factory=list)
    tabs: list[str] = field(default_factory=list)

    def __call__(self, path: str = "index.html", *, query: str = "", fragment: str = "") -> FirefoxPage:
        context = self.firefox.ask("browsingContext.create", {"type": "tab"})["context"]
        self.tabs.append(context)
        url = self.site.url(path, query=query, fragment=fragment)
        self.firefox.ask("browsingContext.navigate", {"context": context, "url": url, "wait": "complete"})
        return FirefoxPage(self.firefox, context)

    def allow(self, pattern: str) -> None:
        """Expect complaints that match, where a test breaks something on purpose."""
        self.allowed.append(re.compile(pattern))

    def close(self) -> None:
        for context in self.tabs:
            self.firefox.ask("browsingContext.close", {"context": context})

    def check(self) -> None:
        """Raise if a page complained or a request left the site."""
        complaints = [line for event in self.firefox.events if (line := self._complaint(event))]
        self.firefox.events.clear()
        unexpected = [line for line in complaints if not any(known.search(line) for known in self.allowed)]
        if unexpected:
            raise AssertionError("the page complained in Firefox:\n" + "\n".join(unexpected))

    def _complaint(self, event: dict[str, Any]) -> str | None:
        params = event["params"]
        if params.get("context") not in self.tabs and params.get("source", {}).get("context") not in self.tabs:
            return None
        if event["method"] == "log.entryAdded":
            return f"{params['type']} {params['level']}: {params['text']}" if params["level"] == "error" else None
        url: str = params["request"]["url"]
        return None if url.startswith((self.site.base + "/", *INSIDE_THE_PAGE)) else f"request leaves the site: {url}"
