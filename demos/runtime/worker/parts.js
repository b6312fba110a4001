// The parts of the pack that this start wants: where they come from, and how far along they are. (Runs in the worker.)
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
    /** @type {Map<string, (payload: PackPayload) => void>} */
    this.keepers = new Map();
    /** @type {Map<string, Promise<PackPayload>>} */
    this.payloads = new Map();
    this.forget();
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

  /** Lets go of what scripts have handed over, and promises it anew. */
  forget() {
    for (const { name } of this.told.entry.parts) {
      this.payloads.set(name, new Promise((keep) => this.keepers.set(name, keep)));
    }
  }

  /** @param {PackPayload} payload */
  handOver(payload) {
    this.keepers.get(payload.name)?.(payload);
  }

  /**
   * @param {string} name
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async bytes(name) {
    const part = this.listed(name);
    return Packs.bytes(await this.stream(part), part, this.file(part));
  }

  /** @param {PackPart} part */
  file(part) {
    return this.told.fetches ? part.pack : part.script;
  }

  /**
   * A part as it comes, still compressed.
   * @param {PackPart} part
   * @returns {Promise<ReadableStream<Uint8Array<ArrayBuffer>>>}
   */
  async stream(part) {
    if (this.told.fetches) return Packs.fetched(this.told.folder, part, (bytes) => this.arrived(bytes));
    const payload = /** @type {PackPayload} */ (await this.payloads.get(part.name));
    this.arrived(part.pack_bytes);
    return Packs.streamed(Packs.unpacked(payload, part.script));
  }

  /**
   * The interpreter, compiled while it still arrives.
   * @returns {Promise<WebAssembly.Module>}
   */
  async engine() {
    const part = this.listed("engine");
    const { stream, gzip } = await Packs.inflated(await this.stream(part));
    const response = new Response(stream, { headers: { "Content-Type": "application/wasm" } });
    // A damaged file fails here in one of many ways; taken as a whole it is told apart from a failing compiler.
    const compiled = gzip && (await WebAssembly.compileStreaming(response).catch(() => null));
    if (compiled) return compiled;
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
