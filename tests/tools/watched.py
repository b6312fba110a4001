"""Does a page complain, or does it ask for anything outside the site?"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from playwright.sync_api import Browser, ConsoleMessage, Page, Request

# As root in a container, without a screen, and with no network but this machine's own.
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
INSIDE_THE_PAGE = ("data:", "blob:", "about:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The built site as a reader reaches it: from a host, or unzipped in a folder."""

    kind: Literal["http", "file"]
    base: str

    def url(self, path: str = "index.html", *, query: str = "", fragment: str = "") -> str:
        """The address of a page of the site; query and fragment come percent-encoded, without `?` and `#`."""
        return f"{self.base}/{path}{'?' if query else ''}{query}{'#' if fragment else ''}{fragment}"


@dataclass
class Visits:
    """Opens pages of the site, each in a fresh context, and remembers what went wrong in any of them."""

    browser: Browser
    site: Site
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    allowed: list[re.Pattern[str]] = field(default_factory=list)
    closers: list[Callable[[], None]] = field(default_factory=list)

    def __call__(
        self,
        path: str = "index.html",
        *,
        query: str = "",
        fragment: str = "",
        init_script: str = "",
        before: Callable[[Page], None] | None = None,
        **context_options: Any,
    ) -> Page:
        """Open a page, for example `visit("index.html", viewport={"width": 360, "height": 740})`.

        `init_script` runs in the page before its own scripts; `before` gets the page before it goes anywhere;
        the rest are Playwright's context options.
        """
        context = self.browser.new_context(**context_options)
        self.closers.append(context.close)
        if init_script:
            context.add_init_script(init_script)
        page = context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._problem(f"page error: {error}"))
        page.on("request", self._request)
        page.on("requestfailed", self._request_failed)
        if before:
            before(page)
        page.goto(self.site.url(path, query=query, fragment=fragment))
        return page

    def allow(self, pattern: str) -> None:
        """Expect complaints that match, where a test breaks something on purpose."""
        self.allowed.append(re.compile(pattern))

    def close(self) -> None:
        """Close every context; what is still to complain comes before."""
        for closer in self.closers:
            closer()

    def check(self) -> None:
        """Raise if a page complained or a request left the site."""
        unexpected = [line for line in self.problems if not any(known.search(line) for known in self.allowed)]
        if unexpected:
            raise AssertionError("the page complained:\n" + "\n".join(unexpected))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._problem(f"console error: {message.text} ({message.location['url']})")

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self.site.base + "/", *INSIDE_THE_PAGE)):
            self._problem(f"request leaves the site: {request.url}")

    def _request_failed(self, request: Request) -> None:
        # What is still loading when the test leaves the page is aborted; a missing file says so on the console.
        if "ERR_ABORTED" not in (request.failure or ""):
            self._problem(f"request failed: {request.url} {request.failure}")

    def _problem(self, line: str) -> None:
        self.problems.append(line)
