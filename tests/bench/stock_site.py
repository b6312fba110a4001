"""What would the site be with Pyodide as it comes? The same modules imported, nothing trimmed or compiled ahead."""

import json
from io import BytesIO
from pathlib import Path
from shutil import copyfile
from zipfile import ZIP_DEFLATED, ZipFile

from hooks.pack.archive import classic, payload_script
from hooks.pack.files import html_files, own_files
from hooks.pack.inputs.pins import ENGINE, LOCK, MODULE, NUMPY_WHEEL, PYODIDE_FILES, START, STDLIB
from hooks.pack.paths import Places

HERE = Path(__file__).parent / "stock"
PAGE = '<!doctype html><meta charset="utf-8"><title>stock</title><link rel="icon" href="data:,">'
SERVED = """<script>
const boot = () => new Promise((done) => {
  const worker = new Worker("served.mjs", { type: "module" });
  worker.onmessage = done;
  worker.postMessage("start");
});
</script>"""
FOLDER = """<script>
const TwoSpeeds = { payload: { add(name, bytes, units) { got.push({ name, bytes, units }); } } }, got = [];
const load = (src) => new Promise((done) => document.head.append(
  Object.assign(document.createElement("script"), { src, onload: done })));
const boot = async () => {
  const program = new Blob([PROGRAM], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(program));
  await Promise.all(FILES.map(load));
  await new Promise((done) => { worker.onmessage = done; worker.postMessage(got); });
};
</script>"""


def site_zip(places: Places) -> bytes:
    """Our packages and the HTML builder as one zip of sources."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for name, content in {**html_files(), **own_files(places.root)}.items():
            archive.writestr(name, content)
    return made.getvalue()


def lay_out_served(site: Path, places: Places) -> None:
    """Pyodide's own folder, with the wheel and our sources beside it."""
    site.mkdir()
    for pin in PYODIDE_FILES:
        copyfile(places.pyodide / pin.name, site / pin.name)
    copyfile(places.cache / NUMPY_WHEEL.name, site / NUMPY_WHEEL.name)
    copyfile(HERE / "served.mjs", site / "served.mjs")
    (site / "site.zip").write_bytes(site_zip(places))
    (site / "index.html").write_text(PAGE + SERVED)


def lay_out_folder(site: Path, places: Places) -> None:
    """The same files as scripts."""
    site.mkdir()
    files = {pin.name: (places.pyodide / pin.name).read_bytes() for pin in (START, ENGINE, STDLIB, LOCK)}
    files["pyodide.asm.js"] = classic((places.pyodide / MODULE.name).read_text(), MODULE.name).encode()
    files[NUMPY_WHEEL.name] = (places.cache / NUMPY_WHEEL.name).read_bytes()
    files["site.zip"] = site_zip(places)
    scripts = [f"payload{index}.js" for index in range(len(files))]
    for script, (name, content) in zip(scripts, files.items(), strict=True):
        (site / script).write_bytes(payload_script(name, content))
    unpacking = (places.root / "demos" / "runtime" / "worker" / "packs.js").read_text()
    program = json.dumps(unpacking + (HERE / "folder.js").read_text()).replace("</", "<\\/")
    constants = f"<script>const PROGRAM = {program}, FILES = {json.dumps(scripts)};</script>"
    (site / "index.html").write_text(PAGE + constants + FOLDER, encoding="utf-8")
