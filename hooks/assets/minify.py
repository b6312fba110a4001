"""Smaller scripts and styles, without comments and spaces; scripts keep the names that the page shares.

A third of a page's scripts are words for those who change them; readers of the page need not fetch those.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import lru_cache

from hooks.paths import ROOT
from hooks.setup.node import search_path

TERSER = ROOT / "node_modules" / "terser" / "bin" / "terser"


@lru_cache(maxsize=8)
def minified(script: str) -> str:
    """Return a script that does the same in fewer bytes; raises RuntimeError where Node or terser is missing."""
    node = shutil.which("node", path=search_path())
    if node is None or not TERSER.is_file():
        raise RuntimeError("scripts need Node 18 or newer and terser: run `make site`, which finds or fetches both")
    # Names at the top are shared by all scripts of a page, so only those inside functions are shortened.
    command = [node, str(TERSER), "--mangle", "--comments", "false"]
    done = subprocess.run(command, input=script, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(f"terser did not run: {done.stderr.strip()}")
    return done.stdout


def small_style(style: str) -> str:
    """Return a style sheet without its comments and empty lines; a space between selectors may mean something."""
    return re.sub(r"\n\s+", "\n", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)).strip() + "\n"
