// Which questions to Python are still without an answer, and for how long?
"use strict";

/** @typedef {{resolve: (text: string) => void, reject: (error: Error) => void, timer: number}} OpenAsk */

class OpenAsks {
  constructor() {
    /** @type {Map<number, OpenAsk>} */
    this.open_asks = new Map();
    this.last_id = 0;
  }

  /**
   * @param {number} patience_s
   * @param {() => void} outOfPatience
   * @returns {{id: number, answer: Promise<string>}}
   */
  open(patience_s, outOfPatience) {
    this.last_id += 1;
    const id = this.last_id;
    const answer = new Promise((/** @type {(text: string) => void} */ resolve, reject) => {
      const timer = window.setTimeout(outOfPatience, patience_s * 1e3);
      this.open_asks.set(id, { resolve, reject, timer });
    });
    return { id, answer };
  }

  /**
   * Takes a question off the list, so that whoever calls can answer it.
   * @param {number} id
   * @returns {OpenAsk | undefined}
   */
  close(id) {
    const ask = this.open_asks.get(id);
    if (ask) clearTimeout(ask.timer);
    this.open_asks.delete(id);
    return ask;
  }

  /** @param {Error} error */
  rejectAll(error) {
    for (const id of [...this.open_asks.keys()]) this.close(id)?.reject(error);
  }
}
