"""The command line as a module: `python -m pysim`."""

from __future__ import annotations

import sys

from pysim.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
