// Which parts of the pack does this start want, where do they come from, and how far along are they? (Runs in the worker.)
"use strict";

class Parts {
  /**
   * @param {ToldAtStart} told
   * @param {(fraction: number) => void} advance
   */
  constructor(told, advance) {
    this.told = told;
    this.advance = advance;
    this.arrived_bytes = 0;
    this.stage = 0;
    /** @type {Map<string, (payload: PackPayload) => void>} What scripts hand over is promised here and kept by later messages. */
    this.awaited = new Map();
    this.wanted_bytes = told.entry.parts
      .filter((part) => told.numpy || part.name !== "numpy")
      .reduce((sum, part) => sum + part.pack_bytes, 0);
  }

  /** @param {number} bytes */
  arrived(bytes) {
    this.arrived_bytes += bytes;
    this.tell();
  }

  /** @param {number} stage how much of the start itself is done, from 0 to 1 */
  reached(stage) {
    this.stage = stage;
    this.tell();
  }

  /** Fetching counts for three quarters of the way, starting for the rest; they overlap. */
  tell() {
    this.advance(0.75 * Math.min(this.arrived_bytes / this.wanted_bytes, 1) + 0.25 * this.stage);
  }

  /**
   * @param {string} name
   * @returns {PackPart}
   */
  listed(name) {
    const part = this.told.entry.parts.find((candidate) => candidate.name === name);
    if (!part) throw new PackProblem("damaged", "entry.js", `it has no ${name}`);
    return part;
  }

  /** @param {PackPayload} payload */
  handOver(payload) {
    this.awaited.get(payload.name)?.(payload);
    this.awaited.delete(payload.name);
  }

  /**
   * @param {string} name
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async bytes(name) {
    const part = this.listed(name);
    if (this.told.fetches) return Packs.bytes(await this.stream(part), part, part.pack);
    const payload = await new Promise((/** @type {(payload: PackPayload) => void} */ keep) => this.awaited.set(name, keep));
    this.arrived(part.pack_bytes);
    const { body } = new Response(Packs.unpacked(payload, part.script));
    if (!body) throw new PackProblem("old", part.script);
    return Packs.bytes(body, part, part.script);
  }

  /** @param {PackPart} part */
  stream(part) {
    return Packs.fetched(this.told.folder, part, (bytes) => this.arrived(bytes));
  }

  /**
   * The interpreter, compiled while it still arrives.
   * @returns {Promise<WebAssembly.Module>}
   */
  async engine() {
    if (this.told.fetches) {
      const { stream, gzip } = await Packs.inflated(await this.stream(this.listed("engine")));
      const response = new Response(stream, { headers: { "Content-Type": "application/wasm" } });
      // A damaged file fails here in one of many ways; fetched as a whole it is told apart from a failing compiler.
      const compiled = gzip && (await WebAssembly.compileStreaming(response).catch(() => null));
      if (compiled) return compiled;
    }
    const bytes = await this.bytes("engine");
    return WebAssembly.compile(bytes).catch((error) => {
      throw new PackProblem(outOfMemory(error) ? "memory" : "wasm", "engine", String(error));
    });
  }
}

/** @param {unknown} error */
function outOfMemory(error) {
  return error instanceof RangeError || /out of memory|allocat|MemoryError/i.test(String(error));
}
