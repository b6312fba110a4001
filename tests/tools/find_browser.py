"""Browsers of this machine: which can the tests drive, and how does one get here where there is none?"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.tools.build import alone
from tests.tools.watched import CHROMIUM_FLAGS

CHROMIUM_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM_ON_MACOS = ("Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium")
FIREFOX_COMMANDS = ("firefox", "firefox-esr")
FIREFOX_ON_MACOS = ("Firefox.app/Contents/MacOS/firefox",)
MACOS_FOLDERS = (Path("/Applications"), Path.home() / "Applications")


def starts(path: Path) -> bool:
    """Whether it is a browser that runs here: some names are only a note that points to a shop."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def on_this_machine(commands: tuple[str, ...], macos_apps: tuple[str, ...]) -> Iterator[Path]:
    for command in commands:
        if found := shutil.which(command):
            yield Path(found)
    for folder in MACOS_FOLDERS:
        yield from (folder / app for app in macos_apps if (folder / app).is_file())


def named_by(variable: str) -> Path | None:
    """The browser that the environment names; a wrong name is an error, never passed over."""
    named = os.environ.get(variable)
    if not named:
        return None
    if not starts(Path(named)):
        sys.exit(f"{variable}={named} is no browser that starts here; name another one or unset it")
    return Path(named)


def playwrights_own() -> Path | None:
    """The Chromium that Playwright fetched earlier, if it did."""
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.is_file() and starts(path) else None


def chromium() -> Path | None:
    """The first Chromium or Chrome that runs here."""
    if named := named_by("BROWSER_PATH"):
        return named
    found = next(filter(starts, on_this_machine(CHROMIUM_COMMANDS, CHROMIUM_ON_MACOS)), None)
    return found or playwrights_own()


def firefox() -> Path | None:
    """The first Firefox that runs here."""
    if named := named_by("FIREFOX_PATH"):
        return named
    return next(filter(starts, on_this_machine(FIREFOX_COMMANDS, FIREFOX_ON_MACOS)), None)


@cache
def needed_chromium() -> Path:
    """The Chromium that the tests drive; where there is none one is installed, or a line says how."""
    if not (path := chromium()):
        with alone():
            path = chromium() or install_chromium()
    if not path:
        raise AssertionError(
            "no browser for the tests: install Chromium or Chrome (Debian: sudo apt install chromium), "
            "or name one: BROWSER_PATH=/path/to/chrome make test"
        )
    return path


def install_chromium() -> Path | None:
    """Playwright's own download first, then, as root on Debian or Ubuntu, the distribution's."""
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False, capture_output=True)
    if path := chromium():
        return path
    if os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-q"], env=quiet, check=False, capture_output=True)
        subprocess.run(["apt-get", "install", "-y", "-q", "chromium"], env=quiet, check=False, capture_output=True)
    return chromium()


@contextmanager
def running_chromium(*flags: str) -> Iterator[Browser]:
    """Chromium as the tests drive it, from start to end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=needed_chromium(), args=[*CHROMIUM_FLAGS, *flags])
        yield browser
        browser.close()
