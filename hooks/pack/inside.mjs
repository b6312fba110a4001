// Runs inside.py in Pyodide under Node: node inside.mjs <pyodide folder> <work folder> <inside.py>
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodideFolder, workFolder, program] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/pyodide.mjs`).href);
const py = await loadPyodide({ indexURL: pyodideFolder, packageBaseUrl: "file:///nowhere/" });
py.FS.mkdirTree("/work");
py.mountNodeFS("/work", workFolder);
py.runPython(readFileSync(program, "utf8"));
