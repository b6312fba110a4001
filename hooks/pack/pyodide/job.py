"""Jobs for Pyodide at build: a folder that both sides see, and one start of Node."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

from hooks.pack.node import run_node
from hooks.pack.paths import Places

HERE = Path(__file__).parent


class Imports(TypedDict):
    """What the imports took."""

    files: list[str]
    refused: list[str]
    versions: dict[str, str]


class Answer(TypedDict):
    """What in_pyodide.py answers."""

    imports: Imports
    problems: list[str]


class JobFolder:
    """A folder that Pyodide sees as /job."""

    def __init__(self, folder: Path, pyodide: Path) -> None:
        self.folder = folder
        self._pyodide = pyodide

    def put(self, name: str, content: bytes) -> None:
        """Lay a file into the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def run(self, job: Mapping[str, object]) -> Answer:
        """Start Pyodide on a job; raises PackError if it does not come to its end."""
        self.put("job.json", json.dumps(job).encode())
        run_node(HERE / "in_pyodide.mjs", [self._pyodide, self.folder, HERE / "in_pyodide.py"])
        answer: Answer = json.loads((self.folder / "answer.json").read_text())
        return answer


@contextmanager
def job_folder(places: Places) -> Iterator[JobFolder]:
    """Yield a folder for a job, which is removed when the job ends."""
    places.cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=places.cache, prefix="work-") as name:
        yield JobFolder(Path(name), places.pyodide)
