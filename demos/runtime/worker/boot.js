// The boot of Python from parts that are already here, asking nobody for anything else. (Runs in the worker.)
"use strict";

// An address that nobody answers: whatever Pyodide asks for below it is answered from memory.
const PYODIDE_ADDRESS = "https://pyodide.invalid/";
const STACK_RESERVE_BYTES = 96 * 1024;

const Boot = {
  started_ms: performance.now(),
  /** @type {Record<string, number>} */
  timing: {},

  /** @param {string} what */
  mark(what) {
    Boot.timing[`${what}_s`] = (performance.now() - Boot.started_ms) / 1e3;
  },

  /**
   * Python with our packages in it.
   * @param {{
   *   engine: Promise<WebAssembly.Module>,
   *   loader: Promise<Uint8Array<ArrayBuffer>>,
   *   stdlib: Promise<Uint8Array<ArrayBuffer>>,
   *   packages: Promise<Uint8Array<ArrayBuffer>>[],
   * }} parts
   * @param {number} touch_points
   * @param {(stage: number) => void} reached
   * @returns {Promise<PyodideApi>}
   */
  async python(parts, touch_points, reached) {
    const scope = /** @type {Window & PyodideScope} */ (/** @type {unknown} */ (self));
    const files = Packs.files(await parts.loader);
    // Pyodide takes a worker whose importScripts works for a classic one, which it refuses.
    scope.importScripts = () => {
      throw new Error("scripts come from the pack");
    };
    // An iPad calls itself a Mac; only this number, which workers lack, tells them apart.
    if (!("maxTouchPoints" in navigator)) Object.defineProperty(navigator, "maxTouchPoints", { value: touch_points });
    for (const name of ["pyodide.js", "pyodide.asm.js"]) (0, eval)(`${Boot.text(files, name)}\n//# sourceURL=${name}`);
    Boot.mark("loader");
    reached(0.1);
    Boot.answerFromMemory(parts.stdlib, parts.engine);
    // Pyodide waits for ever where its engine does not compile: that failure has to end the start.
    const engine_fails = parts.engine.then(() => new Promise(() => {}));
    const loaded = scope.loadPyodide({
      createPyodideModule: scope._createPyodideModule,
      indexURL: PYODIDE_ADDRESS,
      packageBaseUrl: PYODIDE_ADDRESS,
      stdLibURL: `${PYODIDE_ADDRESS}stdlib.zip`,
      lockFileContents: Boot.text(files, "lock.json"),
      stdin: () => null,
      stdout: () => {},
      stderr: (/** @type {string} */ line) => console.warn(line),
      fsInit: async (/** @type {PyodideFs} */ fs) => {
        Boot.mark("files");
        for (const block of await Promise.all([parts.stdlib, ...parts.packages])) Boot.write(fs, block);
        reached(0.3);
      },
    });
    const python = await /** @type {Promise<PyodideApi>} */ (Promise.race([loaded, engine_fails]));
    Boot.guardStack(python);
    Boot.mark("python");
    reached(0.8);
    return python;
  },

  /**
   * @param {Map<string, Uint8Array<ArrayBuffer>>} files
   * @param {string} name
   */
  text(files, name) {
    return new TextDecoder().decode(files.get(name));
  },

  /**
   * From here on this worker fetches nothing: two questions have an answer, all others are refused.
   * @param {Promise<Uint8Array<ArrayBuffer>>} stdlib
   * @param {Promise<WebAssembly.Module>} engine
   */
  answerFromMemory(stdlib, engine) {
    self.fetch = async (wanted) => {
      if (wanted.toString().endsWith("/stdlib.zip")) return new Response(Packs.files(await stdlib).get("stdlib.zip"));
      if (wanted.toString().endsWith(".wasm")) return new Response();
      throw new TypeError(`nothing is fetched here: ${wanted}`);
    };
    // The engine has been compiling since its first bytes came; Pyodide would start only now.
    WebAssembly.instantiateStreaming = async (_response, imports) => {
      const module = await engine;
      Boot.mark("engine");
      return { module, instance: await WebAssembly.instantiate(module, imports) };
    };
  },

  /**
   * Writes the files of a block that have an absolute path.
   * @param {PyodideFs} fs
   * @param {Uint8Array<ArrayBuffer>} block
   */
  write(fs, block) {
    const made = new Set();
    for (const [path, content] of Packs.files(block)) {
      if (!path.startsWith("/")) continue;
      const above = path.slice(0, path.lastIndexOf("/"));
      if (!made.has(above)) fs.mkdirTree(above);
      made.add(above);
      fs.writeFile(path, content, { canOwn: true });
    }
  },

  /**
   * Runaway recursion becomes a RecursionError while there is stack left, instead of ending the interpreter.
   * @param {PyodideApi} python
   */
  guardStack(python) {
    const { _PyUnstable_ThreadState_SetStackProtection: protect, _PyThreadState_Get: thread } = python._module;
    const base = python._module._emscripten_stack_get_base;
    if (!protect || !thread || !base) return;
    protect(thread(), base() - STACK_RESERVE_BYTES, STACK_RESERVE_BYTES);
  },
};
