"""Errors: what went wrong, in words a reader can act on."""

# The names say what is wrong, an "Error" behind each would not add to that.
# ruff: noqa: N818

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class PysimError(Exception):
    """Every error that pysim raises on purpose; its text is one line for the reader."""

    def at(self, place: str) -> PysimError:
        """The same error, of the same kind, told after the place that it is about."""
        return type(self)(f"{place}: {self}")


class BadValue(PysimError):
    """A number or text outside of what is allowed."""


class BadConfig(PysimError):
    """A model's configuration that cannot be read: the text names the field and the file."""


class BadCatalogue(PysimError):
    """A catalog file that breaks its own rules: a missing source, an unreadable quantity."""


class MissingFact(PysimError):
    """Nobody published (or measured) a number that the question needs."""


class UnknownName(PysimError):
    """A name that is not in the catalog; the text offers the nearest ones."""

    def __init__(self, kind: str, name: object, allowed: Iterable[str], where: str = "", before: str = "") -> None:
        self.kind, self.name, self.where, self.before = kind, name, where, before
        self.allowed = tuple(allowed)
        self.nearest = nearest(name, self.allowed)
        place = f" ({where})" if where else ""
        called = quoted(name) if isinstance(name, str) else f"of type {type(name).__name__}"
        super().__init__(f"{before}unknown {kind} {called}; {_advice(self.nearest, self.allowed)}{place}")

    def at(self, place: str) -> UnknownName:
        """The same error, told after the place that it is about."""
        return UnknownName(self.kind, self.name, self.allowed, self.where, f"{place}: {self.before}")

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, object, tuple[str, ...], str, str]]:
        # An exception is otherwise rebuilt from its text alone, as when it comes back from another process.
        return UnknownName, (self.kind, self.name, self.allowed, self.where, self.before)


def quoted(value: object, most: int = 60) -> str:
    """A value of somebody else's as an error quotes it: on one line, cut after `most` characters and then counted."""
    text = value if isinstance(value, str) else repr(value)
    shortened = text if len(text) <= most else text[:most] + "…"
    # A line break is shown as Python writes it, since it may be what is wrong with the value.
    escaped = "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in shortened
    )
    return f'"{escaped}"' + (f" ({len(text):,} characters)" if len(text) > most else "")


def one_line(text: str, most: int) -> str:
    """A text without line breaks and control characters, cut with an ellipsis after `most` characters."""
    shortened = text if len(text) <= most else text[:most] + "…"
    return "".join(character if character.isprintable() else " " for character in shortened)


def nearest(name: object, allowed: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The allowed names that look most like `name`, best first; none if nothing is close."""
    if not isinstance(name, str):
        return ()
    by_lower = {known.lower(): known for known in allowed}
    close = get_close_matches(name[:200].lower(), by_lower, n=most, cutoff=0.55)
    return tuple(by_lower[word] for word in close)


def _advice(close: tuple[str, ...], allowed: Iterable[str]) -> str:
    if close:
        return "did you mean " + " or ".join(f'"{name}"' for name in close) + "?"
    names = sorted(allowed)
    listed = ", ".join(names[:12])
    return f"allowed: {listed}" + (f" and {len(names) - 12} more" if len(names) > 12 else "")
