"""`python -m hooks.setup`: fetch what `make` needs once, or say in one line what is missing.

Only this file is read by a Python older than 3.11, so it keeps to syntax that such a Python knows.
"""

import os
import shutil
import sys

OLDEST = (3, 11)
NEWER_COMMANDS = ("python3.14", "python3.13", "python3.12", "python3.11")


def use_a_newer_python() -> None:
    """Start again under a newer Python of this machine, or end with one line that says what to install."""
    for command in NEWER_COMMANDS:
        python = shutil.which(command)
        if python:
            os.execv(python, [python, "-m", "hooks.setup", *sys.argv[1:]])
    running = ".".join(str(part) for part in sys.version_info[:3])
    sys.exit(
        f"two-speeds: python3 is {running}, 3.11 or newer is needed: install one, "
        "or name the one you have: make PYTHON=/path/to/python3"
    )


if sys.version_info < OLDEST:
    use_a_newer_python()
else:
    from hooks.setup.prepare import main

    main(sys.argv[1:])
