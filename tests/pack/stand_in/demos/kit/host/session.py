"""What can go wrong when the page asks? Each key of a figure asks for one thing."""

import importlib
import json
import sys
from importlib.resources import files


def show(figure_key: str, demo_id: str, raw_json: str, t_s: str) -> str:
    """Say back what was asked."""
    letters = (files("demos.kit") / "letters.txt").read_text(encoding="utf-8").strip()
    return json.dumps(
        {"asked": [figure_key, demo_id, raw_json, t_s], "letters": letters, "python": sys.version_info[:2]}
    )


def draw(figure_key: str, t_s: str) -> str:
    """Misbehave in the way that the key names."""
    match figure_key:
        case "raise":
            raise ValueError("no <b>such</b> value")
        case "recurse":
            return draw("recurse", t_s)
        case "memory":
            raise MemoryError
        case "hang":
            while True:
                pass
        case "break":
            chain: list[object] = []
            for _ in range(200_000):
                chain = [chain]
            del chain
    return "well"


def explain(figure_key: str) -> str:
    """Import the modules that the key names, and say how many there were."""
    return str(len([importlib.import_module(name) for name in figure_key.split()]))


def table(figure_key: str) -> str:
    """Compute with numpy, functions that need its less common parts among them."""
    import numpy as np

    numbers = np.arange(6, dtype=float).reshape(2, 3)
    product = np.einsum("ij,kj->ik", numbers, numbers)
    middle = np.median(numbers)
    drawn = np.random.default_rng(1).random(3).shape
    return json.dumps([product.tolist(), float(middle), drawn[0], float(np.linalg.det(product))])
