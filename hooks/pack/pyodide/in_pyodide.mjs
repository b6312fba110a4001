// Runs in_pyodide.py in Pyodide under Node: node in_pyodide.mjs <pyodide folder> <work folder> <in_pyodide.py>
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodideFolder, workFolder, program] = process.argv.slice(2);
try {
  const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/pyodide.mjs`).href);
  // Columns of every instruction, which only underline places in tracebacks, are a third of compressed bytecode.
  const env = { HOME: "/house", PYTHONNODEBUGRANGES: "1" };
  const python = await loadPyodide({ indexURL: pyodideFolder, packageBaseUrl: "file:///nowhere/", env });
  python.FS.mkdirTree("/job");
  python.mountNodeFS("/job", workFolder);
  python.runPython(readFileSync(program, "utf8"));
} catch (error) {
  // Of a traceback the last line says what went wrong.
  console.error(String(error.message).trim().split("\n").pop());
  process.exitCode = 1;
}
