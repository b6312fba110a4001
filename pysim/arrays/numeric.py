"""Numbers and arrays of them: how do both go through the same formula?"""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pysim.checks import MOST, shown
from pysim.errors import BadValue

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numeric: TypeAlias = float | NDArray[np.float64]
    # What callers may give: whole numbers too.
    Given: TypeAlias = float | NDArray[np.floating[Any]] | NDArray[np.integer[Any]]
    Flags: TypeAlias = bool | NDArray[np.bool_]


_REFUSED: Final = {
    "b": "truth values", "c": "complex numbers", "U": "texts", "S": "bytes", "M": "dates", "m": "spans of time",
}  # fmt: skip


def checked(value: object, name: str, least: float = 0) -> Numeric:
    """A count, or an array of counts as floats, each in [least, MOST]; BadValue names what is not."""
    if type(value) is int or type(value) is float:
        if least <= value <= MOST:
            return value
        raise BadValue(f"{name} must be from {least:g} to {MOST:,.0f}, not {shown(value)}")
    if isinstance(value, bool | str | bytes) or value is None:
        raise BadValue(f"{name} must be a number, not {shown(value)}")
    array = _floats(value, name)
    import numpy as np

    if array.size and not (array.min() >= least and array.max() <= MOST):
        worst = array.ravel()[np.argmax(~((array >= least) & (array <= MOST)))]
        raise BadValue(f"{name} must be from {least:g} to {MOST:,.0f}, not {worst:g}")
    return array if array.ndim else float(array)


def _floats(value: object, name: str) -> NDArray[np.float64]:
    """An array of real numbers as floats; truth values, complex numbers, dates and texts are refused as alone."""
    import numpy as np

    try:
        array = np.asarray(value)
        kind = array.dtype.kind
        if kind in "iuf" or (kind == "O" and all(isinstance(item, Real) for item in array.flat)):
            return array.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError):
        kind = "O"
    holds = _REFUSED.get(kind)
    given = shown(value) if holds is None else f"an array of {holds}" if array.ndim else holds
    raise BadValue(f"{name} must be a number or an array of numbers, not {given}")


def common_shape(**arrays: Numeric | None) -> tuple[int, ...]:
    """The shape to which arguments broadcast; BadValue names the shapes that do not go together."""
    shapes = {name: getattr(value, "shape", ()) for name, value in arrays.items()}
    import numpy as np

    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        told = " and ".join(f"{name} of shape {shape}" for name, shape in shapes.items() if shape)
        raise BadValue(f"arrays that don't broadcast to one shape: {told}") from None


def one_number(value: object, name: str, least: float = 0) -> float:
    """One count in [least, MOST]; BadValue names what is not, an array with the function that takes arrays."""
    number = checked(value, name, least)
    if not is_plain(number):
        raise BadValue(f"{name} must be one number, not an array: estimate_many and pass_cost_many take arrays")
    return cast("float", number)


def is_plain(*values: object) -> bool:
    """Are all of these single Python numbers? Then numpy is not needed, and not imported."""
    return all(isinstance(value, int | float) for value in values)


def lesser(a: Numeric, b: Numeric) -> Numeric:
    """The smaller of two, element by element."""
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a if a <= b else b
    import numpy as np

    return cast("Numeric", np.minimum(a, b))


def greater(a: Numeric, b: Numeric) -> Numeric:
    """The larger of two, element by element."""
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a if a >= b else b
    import numpy as np

    return cast("Numeric", np.maximum(a, b))


def choose(condition: Flags, yes: Numeric, no: Numeric) -> Numeric:
    """`yes` where the condition holds, else `no`; both are computed."""
    if isinstance(condition, bool):
        return yes if condition else no
    import numpy as np

    return cast("Numeric", np.where(condition, yes, no))


def whole(value: Numeric) -> Numeric:
    """The largest whole number that is not larger."""
    if isinstance(value, int | float):
        return float(value // 1)
    import numpy as np

    return cast("Numeric", np.floor(value))


def exponential(value: Numeric) -> Numeric:
    """The exponential function, element by element."""
    if isinstance(value, int | float):
        return math.exp(value)
    import numpy as np

    return cast("Numeric", np.exp(value))
