// What does the worker do when the page asks? It starts Python once, then answers one call after the other.
"use strict";

const Serve = {
  /** @type {PyodideApi | null} */
  python: null,
  /** @type {Record<string, (...args: string[]) => string> | null} */
  session: null,
  /** @type {Omit<Extract<ToWorker, {do: "start"}>, "do"> | null} */
  told: null,
  /** Parts from scripts, by name: each is promised here and kept by a later message. */
  waiting: /** @type {Map<string, (payload: PackPayload) => void>} */ (new Map()),
  arrived_bytes: 0,
  stage: 0,

  /** @param {FromWorker} message */
  tell(message) {
    self.postMessage(message);
  },

  /** Fetching is three quarters of the way, starting the rest; they overlap. */
  advance() {
    if (Serve.session) return;
    const wanted_bytes = Serve.wanted().reduce((sum, part) => sum + part.pack_bytes, 0);
    const arrived = Math.min(Serve.arrived_bytes / wanted_bytes, 1);
    Serve.tell({ say: "progress", fraction: 0.75 * arrived + 0.25 * Serve.stage });
  },

  /** @param {number} bytes */
  arrived(bytes) {
    Serve.arrived_bytes += bytes;
    Serve.advance();
  },

  /** @param {number} stage */
  reached(stage) {
    Serve.stage = stage;
    Serve.advance();
  },

  wanted() {
    if (!Serve.told) return [];
    const { entry, numpy } = Serve.told;
    return entry.parts.filter((part) => numpy || part.name !== "numpy");
  },

  /**
   * @param {string} name
   * @returns {PackPart}
   */
  part(name) {
    const part = Serve.told?.entry.parts.find((candidate) => candidate.name === name);
    if (!part) throw new PackProblem("damaged", "entry.js", `it has no ${name}`);
    return part;
  },

  /**
   * @param {string} name
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async bytes(name) {
    const part = Serve.part(name);
    if (Serve.told?.fetches) return Packs.bytes(await Packs.fetched(Serve.told.folder, part, Serve.arrived), part, part.pack);
    const payload = await new Promise((/** @type {(payload: PackPayload) => void} */ keep) => Serve.waiting.set(name, keep));
    Serve.arrived(part.pack_bytes);
    const packed = Packs.unpacked(payload, part.script);
    const stream = new Response(packed).body;
    if (!stream) throw new PackProblem("old", part.script);
    return Packs.bytes(stream, part, part.script);
  },

  /** @returns {Promise<WebAssembly.Module>} */
  async engine() {
    if (Serve.told?.fetches) {
      const part = Serve.part("engine");
      const { stream, gzip } = await Packs.inflated(await Packs.fetched(Serve.told.folder, part, Serve.arrived));
      const response = new Response(stream, { headers: { "Content-Type": "application/wasm" } });
      // A damaged file fails here in one of many ways; fetched as a whole it is told apart from a failing compiler.
      const compiled = gzip && (await WebAssembly.compileStreaming(response).catch(() => null));
      if (compiled) return compiled;
    }
    const bytes = await Serve.bytes("engine");
    return WebAssembly.compile(bytes).catch((error) => {
      throw new PackProblem(Serve.outOfMemory(error) ? "memory" : "wasm", "engine", String(error));
    });
  },

  /** @param {Omit<Extract<ToWorker, {do: "start"}>, "do">} told */
  async start(told) {
    Serve.told = told;
    const { entry, numpy, touch_points } = told;
    const packages = [Serve.bytes("site"), ...(numpy ? [Serve.bytes("numpy")] : [])];
    const parts = { engine: Serve.engine(), loader: Serve.bytes("loader"), stdlib: Serve.bytes("stdlib"), packages };
    // The first part that fails ends the start, whichever of them is being waited for.
    const all = Promise.all([parts.engine, parts.loader, parts.stdlib, ...packages]).then(() => new Promise(() => {}));
    const booted = Boot.python(parts, touch_points, Serve.reached);
    const python = /** @type {PyodideApi} */ (await Promise.race([booted, all]));
    if (numpy) python.runPython("import numpy");
    Boot.mark("numpy");
    const [session] = entry.imports.map((name) => python.pyimport(name));
    Boot.mark("ready");
    Serve.python = python;
    Serve.session = session;
    Serve.tell({ say: "ready", timing: Boot.timing });
  },

  /** numpy after all: another demo of the page wants it. */
  async numpy() {
    const block = await Serve.bytes("numpy");
    const python = /** @type {PyodideApi} */ (Serve.python);
    const folder = String(python.runPython("import importlib, site; importlib.invalidate_caches(); site.getsitepackages()[0]"));
    Boot.write(python.FS, folder, block);
    python.runPython("import importlib; importlib.invalidate_caches(); import numpy");
    Serve.tell({ say: "numpy" });
  },

  /** @param {Extract<ToWorker, {do: "ask"}>} question */
  ask({ id, call, args }) {
    try {
      const answer = /** @type {Record<string, (...args: string[]) => string>} */ (Serve.session)[call](...args);
      Serve.tell({ say: "answer", id, text: answer });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const python_error = error instanceof Error && error.constructor.name === "PythonError";
      if (!python_error || /\bMemoryError\b/.test(text)) Serve.tell({ say: "dead", detail: text });
      else Serve.tell({ say: "error", id, message: text.trim().split("\n").pop() || text, detail: text });
    }
  },

  /** @param {unknown} error */
  outOfMemory(error) {
    return error instanceof RangeError || /out of memory|allocat|MemoryError/i.test(String(error));
  },

  /** @param {unknown} error */
  failed(error) {
    if (error instanceof PackProblem) Serve.tell({ say: "failed", why: error.why, file: error.file, detail: error.message });
    else Serve.tell({ say: "failed", why: Serve.outOfMemory(error) ? "memory" : "other", file: "", detail: String(error) });
  },
};

self.onmessage = (/** @type {MessageEvent<ToWorker>} */ event) => {
  const message = event.data;
  if (message.do === "start") Serve.start(message).catch(Serve.failed);
  else if (message.do === "numpy") Serve.numpy().catch(Serve.failed);
  else if (message.do === "payload") Serve.waiting.get(message.payload.name)?.(message.payload);
  else Serve.ask(message);
};
