// Runs inside.py in Pyodide under Node: node inside.mjs <pyodide folder> <work folder> <inside.py>
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodideFolder, workFolder, program] = process.argv.slice(2);
try {
  const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/pyodide.mjs`).href);
  const python = await loadPyodide({ indexURL: pyodideFolder, packageBaseUrl: "file:///nowhere/" });
  python.FS.mkdirTree("/work");
  python.mountNodeFS("/work", workFolder);
  python.runPython(readFileSync(program, "utf8"));
} catch (error) {
  // Of a traceback the last line says what went wrong.
  console.error(String(error.message).trim().split("\n").pop());
  process.exitCode = 1;
}
