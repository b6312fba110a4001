"""The small arithmetic of architecture entries: numbers, names of fields, + - * / // % ( ), min, max, and tests.

An entry says `"2 * hidden_size * laurel_rank + hidden_size"`, with dots for a field within a field; nothing else
of Python is allowed.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from pysim.errors import BadCatalogue, BadConfig

Number = int | float
_SIGNS: Final[dict[type, Callable[[Number, Number], Number]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Gt: operator.gt, ast.Lt: operator.lt, ast.GtE: operator.ge,
    ast.LtE: operator.le,
}  # fmt: skip


def evaluate(text: str, value_of: Callable[[str], Number]) -> int:
    """The whole number that an expression gives; `value_of` is asked for each name in it.

    Raises BadCatalogue for what is no such expression, BadConfig where it divides by zero or leaves all bounds.
    """
    try:
        return int(_value(_parsed(text), value_of))
    except (ZeroDivisionError, OverflowError, ValueError):
        raise BadConfig(f"{text} has no value with the sizes given") from None


def names_in_expression(text: str) -> tuple[str, ...]:
    """The names that an expression asks for, functions apart."""
    names = (_dotted(node) for node in ast.walk(_parsed(text)) if isinstance(node, ast.Name | ast.Attribute))
    return tuple(dict.fromkeys(name for name in names if name not in ("min", "max")))


@lru_cache(maxsize=512)
def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadCatalogue(f'"{text}" is not arithmetic of fields') from None


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
    raise BadCatalogue(f'"{ast.unparse(node)}" is not the name of a field')


def _value(node: ast.expr, value_of: Callable[[str], Number]) -> Number:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name() | ast.Attribute():
            return value_of(_dotted(node))
        case ast.BinOp(left=left, op=sign, right=right) | ast.Compare(left=left, ops=[sign], comparators=[right]):
            if type(sign) in _SIGNS:
                return _SIGNS[type(sign)](_value(left, value_of), _value(right, value_of))
        case ast.BoolOp(op=ast.And(), values=values):
            return int(all(_value(value, value_of) for value in values))
        case ast.IfExp(test=asked, body=body, orelse=orelse):
            return _value(body if _value(asked, value_of) else orelse, value_of)
        case ast.Call(func=ast.Name(id="min" | "max" as name), args=args):
            numbers = [_value(argument, value_of) for argument in args]
            return min(numbers) if name == "min" else max(numbers)
    raise BadCatalogue(f'"{ast.unparse(node)}" is not arithmetic of fields')
