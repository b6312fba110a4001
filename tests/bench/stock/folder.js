// The same from a folder: the untouched files come through scripts, since nothing else loads there.
// Runs behind worker_packs.js, whose unpacking it shares.
"use strict";

const WHERE = "https://pyodide.invalid/";

self.onmessage = async ({ data }) => {
  const files = Object.fromEntries(data.map((payload) => [payload.name, Packs.unpacked(payload, payload.name)]));
  const text = (name) => new TextDecoder().decode(files[name]);
  self.importScripts = () => {
    throw new Error("no scripts");
  };
  self.fetch = async (wanted) => {
    const name = wanted.toString().slice(WHERE.length);
    return new Response(files[name], { headers: { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "" } });
  };
  (0, eval)(text("pyodide.js"));
  (0, eval)(text("pyodide.asm.js"));
  const python = await loadPyodide({
    createPyodideModule: self._createPyodideModule,
    indexURL: WHERE,
    packageBaseUrl: WHERE,
    lockFileContents: text("pyodide-lock.json"),
  });
  await python.loadPackage("numpy", { messageCallback: () => {}, checkIntegrity: false });
  python.unpackArchive(files["site.zip"].buffer, "zip");
  python.runPython("import numpy");
  python.pyimport("demos.kit.host.session");
  self.postMessage("ready");
};
