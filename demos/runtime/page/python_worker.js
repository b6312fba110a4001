// The Python worker as the page knows it: started, asked, restarted after its death. One for all demos of the page.
"use strict";

TwoSpeeds.WorkerDied = class WorkerDied extends Error {};

class PythonWorker {
  constructor() {
    /** @type {PythonApi["state"]} */
    this.state = "idle";
    this.patience_s = 20;
    /** @type {Record<string, number>} */
    this.timing = {};
    this.numpy = false;
    this.deaths = 0;
    /** @type {WorkerLink | null} */
    this.link = null;
    /** @type {Promise<void> | null} */
    this.starting = null;
    /** @type {{[K in keyof PythonEvents]: Set<PythonEvents[K]>}} */
    this.listeners = { progress: new Set(), ready: new Set(), failed: new Set(), restarted: new Set() };
  }

  /**
   * @template {keyof PythonEvents} K
   * @param {K} event
   * @param {PythonEvents[K]} listener
   */
  on(event, listener) {
    this.listeners[event].add(listener);
  }

  /**
   * Resolves when Python is ready; asked again it does nothing more, except after a failure.
   * @param {{numpy: boolean}} wanted
   * @returns {Promise<void>}
   */
  start({ numpy }) {
    const more = numpy && !this.numpy;
    this.numpy = this.numpy || numpy;
    if (!this.starting || this.state === "failed") {
      this.deaths = 0;
      this.starting = this.launch();
    } else if (more) {
      this.starting = this.starting.then(() => this.link?.addNumpy());
    }
    return this.starting;
  }

  async launch() {
    this.state = "loading";
    this.advance(0);
    const link = new WorkerLink(this.numpy, (fraction) => this.advance(fraction));
    this.link = link;
    try {
      this.timing = await link.ready;
    } catch (error) {
      throw this.fail(error);
    }
    link.lost = (detail) => this.lose(detail);
    this.state = "ready";
    for (const listener of this.listeners.ready) listener();
  }

  /**
   * One call, its answer as text. Rejects with WorkerDied if the worker ends before it answers.
   * @param {string} call
   * @param {PythonArgument[]} args
   * @returns {Promise<string>}
   */
  ask(call, args) {
    if (this.state !== "ready" || !this.link) return Promise.reject(new TwoSpeeds.WorkerDied("Python is not running"));
    return this.link.ask(call, args, this.patience_s);
  }

  /** @param {string} detail */
  lose(detail) {
    if (this.state !== "ready" || !this.link) return;
    this.link.end(new TwoSpeeds.WorkerDied(detail));
    this.deaths += 1;
    if (this.deaths > 1) {
      this.fail(new StartError("died", "", detail));
      return;
    }
    this.starting = this.launch().then(() => {
      for (const listener of this.listeners.restarted) listener();
    });
    // Nobody may be waiting for it; a failure is told to the listeners.
    this.starting.catch(() => {});
  }

  /**
   * @param {unknown} error
   * @returns {Error}
   */
  fail(error) {
    const failure = error instanceof Error ? error : new StartError("other", "", String(error));
    this.link?.end(failure);
    this.link = null;
    this.state = "failed";
    for (const listener of this.listeners.failed) listener(failure);
    return failure;
  }

  /** @param {number} fraction */
  advance(fraction) {
    if (this.state !== "loading") return;
    const progress = { fraction, text: `Starting Python: ${Math.floor(100 * fraction)} %` };
    for (const listener of this.listeners.progress) listener(progress);
  }
}

TwoSpeeds.python = new PythonWorker();
