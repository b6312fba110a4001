// Pyodide as its documentation has it: a module worker, its files beside it, packages by name, sources from a zip file.
import { loadPyodide } from "./pyodide.mjs";

self.onmessage = async () => {
  const python = await loadPyodide();
  await python.loadPackage("numpy", { messageCallback: () => {} });
  python.unpackArchive(await (await fetch("./site.zip")).arrayBuffer(), "zip");
  python.runPython("import numpy");
  python.pyimport("demos.kit.host.session");
  self.postMessage("ready");
};
