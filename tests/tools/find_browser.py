"""Which browsers on this machine can the tests drive, and how does one get here where there is none?"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

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
    from playwright.sync_api import sync_playwright

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


def install_chromium() -> Path | None:
    """Playwright's own download first, then, as root on Debian or Ubuntu, the distribution's."""
    print("no Chromium here: trying Playwright's own", flush=True)
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if found := chromium():
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print("trying the distribution's chromium", flush=True)
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-q"], env=quiet, check=False)
        subprocess.run(["apt-get", "install", "-y", "-q", "chromium"], env=quiet, check=False)
    return chromium()


def main() -> None:
    """Say which browsers the tests will drive; end with one line where there is none."""
    found = chromium() or install_chromium()
    if found is None:
        sys.exit(
            "no browser for the tests: install Chromium or Chrome (Debian: sudo apt install chromium), "
            "or name one: BROWSER_PATH=/path/to/chrome make test"
        )
    print(f"browser tests in {found}")
    fox = firefox()
    print(f"and in {fox}" if fox else "no Firefox here: its tests are skipped (FIREFOX_PATH names one)")


if __name__ == "__main__":
    main()
