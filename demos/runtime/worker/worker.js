// The worker's side of the link: it starts Python once, then answers one call after the other.
"use strict";

const ADD_NUMPY = `
import importlib, sitecustomize
sitecustomize.finder.add("/lib/modules/numpy")
importlib.invalidate_caches()
import numpy
`;

const Serve = {
  /** @type {Parts | null} */
  parts: null,
  /** @type {PyodideApi | null} */
  python: null,
  /** @type {Record<string, (...args: PythonArgument[]) => string>} */
  session: {},

  /** @param {FromWorker} message */
  tell(message) {
    self.postMessage(message);
  },

  /** @param {ToldAtStart} told */
  async start(told) {
    const parts = new Parts(told, (fraction) => Serve.tell({ say: "progress", fraction }));
    Serve.parts = parts;
    const wanted = {
      engine: parts.engine(),
      loader: parts.bytes("loader"),
      stdlib: parts.bytes("stdlib"),
      packages: [parts.bytes("site"), ...(told.numpy ? [parts.bytes("numpy")] : [])],
    };
    // The first part that fails ends the start, whichever of them is being waited for.
    const { packages, ...single } = wanted;
    const failing = Promise.all([...Object.values(single), ...packages]).then(() => new Promise(() => {}));
    const booting = Boot.python(wanted, told.touch_points, (stage) => parts.reached(stage));
    const python = /** @type {PyodideApi} */ (await Promise.race([booting, failing]));
    if (told.numpy) python.runPython("import numpy");
    Boot.mark("numpy");
    [Serve.session] = told.entry.imports.map((name) => python.pyimport(name));
    Boot.mark("ready");
    Serve.python = python;
    parts.forget();
    Serve.tell({ say: "ready", timing: Boot.timing });
  },

  /** numpy after all: another demo of the page wants it. */
  async numpy() {
    if (!Serve.parts || !Serve.python) return;
    const block = await Serve.parts.bytes("numpy");
    Boot.write(Serve.python.FS, block);
    Serve.python.runPython(ADD_NUMPY);
    Serve.parts.forget();
    Serve.tell({ say: "numpy" });
  },

  /** @param {Extract<ToWorker, {do: "ask"}>} question */
  ask({ id, call, args }) {
    try {
      Serve.tell({ say: "answer", id, text: Serve.session[call](...args) });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      // Anything but an exception of Python's own means that the interpreter is broken from now on.
      if (!(error instanceof Error) || error.name !== "PythonError") Serve.tell({ say: "dead", detail: text });
      else Serve.tell({ say: "error", id, message: Serve.lastLine(text), detail: text });
    }
  },

  /**
   * What a traceback ends with.
   * @param {string} traceback
   */
  lastLine(traceback) {
    if (/^MemoryError/m.test(traceback)) return "There is not enough memory for these values.";
    return traceback.trim().split("\n").pop() || traceback;
  },

  /** @param {unknown} error */
  failed(error) {
    const detail = String(error);
    if (error instanceof PackProblem) Serve.tell({ say: "failed", why: error.why, file: error.file, detail });
    else Serve.tell({ say: "failed", why: Serve.why(error), file: "", detail });
  },

  /**
   * @param {unknown} error
   * @returns {StartErrorKind}
   */
  why(error) {
    if (outOfMemory(error)) return "memory";
    // A page's policy that forbids to compile forbids both the scripts and WebAssembly.
    return error instanceof EvalError || /Content Security Policy/.test(String(error)) ? "wasm" : "other";
  },
};

self.onmessage = (/** @type {MessageEvent<ToWorker>} */ { data: message }) => {
  if (message.do === "start") Serve.start(message).catch(Serve.failed);
  else if (message.do === "numpy") Serve.numpy().catch(Serve.failed);
  else if (message.do === "payload") Serve.parts?.handOver(message.payload);
  else Serve.ask(message);
};
