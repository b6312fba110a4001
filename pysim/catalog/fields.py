"""Fields of a catalog table: which ones it may have, and of which kind, unit and choice their values are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from pysim import checks, units
from pysim.errors import BadCatalogue, BadValue, UnknownName, nearest

Kind = Literal["text", "texts", "flag", "count", "fraction", "quantity", "date", "rows", "sizes"]


_MOST: Final = 10**15  # models of 2026 have trillions of parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a table.

    `unit`: of a quantity, such as "B". `zero`: whether a quantity may be none at all. `allowed`: the only texts it
    may be, where not empty. `fields`: those of each row, where it is a list of rows. `required`: whether a table
    without it is refused.
    """

    kind: Kind = "text"
    unit: str = ""
    zero: bool = False
    allowed: tuple[str, ...] = ()
    fields: Mapping[str, Field] | None = None
    required: bool = False


# Every table with facts says where they are from and when that was read.
SOURCE: Final[Mapping[str, Field]] = {"source": Field(required=True), "checked": Field(kind="date", required=True)}


def check_fields(table: Mapping[str, object], fields: Mapping[str, Field], where: str) -> None:
    """Refuse a table with an unknown field, without a required one, or with a value of the wrong kind.

    `where`: the file and the table, as the error names them. Raises BadCatalogue in one line.
    """
    for name, value in table.items():
        if name not in fields:
            raise BadCatalogue(str(UnknownName("field", name, fields, where)))
        try:
            _check(value, name, fields[name], where)
        except BadValue as error:
            raise BadCatalogue(f"{where}: {error}") from error
    for name, field in fields.items():
        if field.required and name not in table:
            raise BadCatalogue(f"{where}: {name} is missing")


def _check(value: object, name: str, field: Field, where: str) -> None:
    match field.kind:
        case "rows":
            _check_rows(value, name, field, where)
        case "count" | "fraction" | "quantity":
            _check_number(value, name, field)
        case "flag" | "date":
            _check_type(value, name, field)
        case _:
            _check_texts(value, name, field)


def _check_rows(value: object, name: str, field: Field, where: str) -> None:
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise BadValue(f"{name} must be a list of rows")
    for row in value:
        check_fields(row, field.fields or {}, f"{where} {name}")


def _check_number(value: object, name: str, field: Field) -> None:
    if field.kind == "count":
        checks.count(value, name, least=0, most=_MOST)
    elif field.kind == "fraction":
        if checks.amount(value, name, above=True) > 1:
            raise BadValue(f"{name} must be from 0 to 1, not {checks.shown(value)}")
    elif isinstance(value, str):
        _check_quantity(value, name, field)
    else:
        raise BadValue(f'{name} must be a string with a unit, such as "24 G{field.unit}"')


def _check_quantity(value: str, name: str, field: Field) -> None:
    try:
        number = units.parse(value, field.unit)
    except BadValue as error:
        raise BadValue(f"{name}: {error}") from error
    if number < 0 or (number == 0 and not field.zero):
        raise BadValue(f"{name} must be {'at least' if field.zero else 'more than'} 0, not {checks.shown(value)}")


def _check_type(value: object, name: str, field: Field) -> None:
    if field.kind == "flag" and not isinstance(value, bool):
        raise BadValue(f"{name} must be true or false, not {checks.shown(value)}")
    if field.kind == "date" and not isinstance(value, date):
        raise BadValue(f"{name} must be a date such as 2026-12-01, not {checks.shown(value)}")


def _check_texts(value: object, name: str, field: Field) -> None:
    """One text, a list of texts, or names mapped to sizes."""
    if field.kind == "text":
        if checks.text(value, name) not in (field.allowed or (value,)):
            allowed = f"one of {', '.join(field.allowed)}, not {checks.shown(value)}"
            raise BadValue(f"{name} must be {allowed}{meant(value, field.allowed)}")
    elif field.kind == "texts":
        _check_list(value, name, field)
    elif not isinstance(value, dict) or not all(isinstance(size, str) for size in value.values()):
        raise BadValue(f'{name} must map names to sizes such as "8b"')


def _check_list(value: object, name: str, field: Field) -> None:
    if not isinstance(value, list) or not all(isinstance(text, str) and text.strip() for text in value):
        raise BadValue(f"{name} must be a list of texts")
    for text in value:
        if field.allowed and text not in field.allowed:
            allowed = f"{', '.join(field.allowed)}, not {checks.shown(text)}"
            raise BadValue(f"{name} may have {allowed}{meant(text, field.allowed)}")


def meant(value: object, allowed: Iterable[str]) -> str:
    """The end of an error: "; did you mean …?" with the allowed text nearest to `value`, "" where none is near."""
    close = nearest(value, allowed, most=1)
    return f'; did you mean "{close[0]}"?' if close else ""
