"""`python -m hooks.pack`: bring build/python/ up to date."""

import sys

from hooks.pack.build import build
from hooks.pack.errors import PackError
from hooks.pack.inputs.fetch import size_text


def main() -> int:
    """Build, print what there is; 1 with one line on stderr if it cannot be built."""
    try:
        manifest = build()
    except PackError as error:
        print(f"Python pack: {error}", file=sys.stderr)
        return 1
    sizes = ", ".join(f"{part.name} {size_text(part.pack_bytes)}" for part in manifest.parts)
    print(f"Python pack: {size_text(manifest.pack_bytes)} compressed ({sizes})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
