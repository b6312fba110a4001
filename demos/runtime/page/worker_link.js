// The link between the page and one worker: all messages from its birth to its end.
"use strict";

const SILENCE_S = 60;

class WorkerLink {
  /**
   * @param {boolean} numpy
   * @param {(fraction: number) => void} advance
   */
  constructor(numpy, advance) {
    this.advance = advance;
    /** @type {(detail: string) => void} */
    this.lost = () => {};
    this.asks = new OpenRequests();
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {PackEntry | null} */
    this.entry = null;
    this.folder = new URL("assets/python/", new URL(`${TwoSpeeds.base.replace(/\/$/, "")}/`, document.baseURI)).href;
    this.silence = 0;
    /** @type {() => void} */
    this.numpyCame = () => {};
    /** @type {Promise<Record<string, number>>} */
    this.ready = new Promise((resolve, reject) => {
      this.started = resolve;
      this.refused = reject;
    });
    this.begin(numpy).catch((error) => this.refuse(error));
  }

  /** @param {boolean} numpy */
  async begin(numpy) {
    const trouble = startErrorAhead({
      userAgent: navigator.userAgent,
      wasm: typeof WebAssembly === "object",
      inflates: typeof DecompressionStream === "function",
      worker: typeof TwoSpeeds.NativeWorker === "function",
    });
    if (trouble) throw new StartError(trouble);
    this.listen();
    const { worker: program, ...entry } = await Payload.entry(this.folder);
    this.entry = { worker: program, ...entry };
    const fetches = entry.packs && location.protocol.startsWith("http");
    this.worker = this.born(program);
    this.send({ do: "start", entry, folder: this.folder, numpy, touch_points: navigator.maxTouchPoints || 0, fetches });
    if (!fetches) await this.deliver(entry.parts.filter((part) => numpy || part.name !== "numpy"));
  }

  /**
   * @param {string} program
   * @returns {Worker}
   */
  born(program) {
    const address = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
    try {
      const worker = new TwoSpeeds.NativeWorker(address);
      worker.onmessage = (event) => this.hear(event.data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.refuse(new StartError("worker", "", event.message));
        this.lost(event.message || "the worker ended");
      };
      return worker;
    } catch (error) {
      throw new StartError("worker", "", String(error));
    } finally {
      // The worker has the program as soon as it speaks; the address is needed no longer than that.
      this.ready.finally(() => URL.revokeObjectURL(address)).catch(() => {});
    }
  }

  /** @param {PackPart[]} parts the largest first, so that it compiles while the others come */
  async deliver(parts) {
    await Promise.all(parts.map(async (part) => this.send({ do: "payload", payload: await Payload.part(this.folder, part) })));
  }

  /** @param {ToWorker} message */
  send(message) {
    this.worker?.postMessage(message);
  }

  /** Starts to wait for the next sign of life; a start that gives none for a minute has failed. */
  listen() {
    clearTimeout(this.silence);
    this.silence = window.setTimeout(() => this.refuse(new StartError("silent")), SILENCE_S * 1e3);
  }

  /** @param {FromWorker} message */
  hear(message) {
    if (message.say === "answer") this.asks.close(message.id)?.resolve(message.text);
    else if (message.say === "error") this.asks.close(message.id)?.reject(new Error(message.message, { cause: message.detail }));
    else if (message.say === "dead") this.lost(message.detail);
    else if (message.say === "numpy") this.numpyCame();
    else if (message.say === "failed") this.refuse(new StartError(message.why, message.file, message.detail));
    else if (message.say === "ready") {
      clearTimeout(this.silence);
      this.started?.(message.timing);
    } else {
      this.listen();
      this.advance(message.fraction);
    }
  }

  /** @param {unknown} error */
  refuse(error) {
    clearTimeout(this.silence);
    this.refused?.(error instanceof PayloadProblem ? new StartError(error.why, error.file) : error);
  }

  /** Brings numpy to a worker that was started without. */
  async addNumpy() {
    const part = this.entry?.parts.filter((candidate) => candidate.name === "numpy") || [];
    const came = new Promise((/** @type {(value: void) => void} */ resolve) => (this.numpyCame = resolve));
    this.send({ do: "numpy" });
    if (!(this.entry?.packs && location.protocol.startsWith("http"))) await this.deliver(part);
    await came;
  }

  /**
   * @param {string} call
   * @param {PythonArgument[]} args
   * @param {number} patience_s
   * @returns {Promise<string>}
   */
  ask(call, args, patience_s) {
    const { id, answer } = this.asks.open(patience_s, () => this.lost(`no answer to ${call} for ${patience_s} s`));
    this.send({ do: "ask", id, call, args });
    return answer;
  }

  /**
   * Ends the worker; what was asked is not answered any more.
   * @param {Error} error
   */
  end(error) {
    clearTimeout(this.silence);
    this.lost = () => {};
    this.worker?.terminate();
    this.asks.rejectAll(error);
  }
}
