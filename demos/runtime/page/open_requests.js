// The requests to Python that are still without an answer, each with its deadline.
"use strict";

/** @typedef {{resolve: (text: string) => void, reject: (error: Error) => void, timer: number}} OpenRequest */

class OpenRequests {
  constructor() {
    /** @type {Map<number, OpenRequest>} */
    this.requests = new Map();
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
      this.requests.set(id, { resolve, reject, timer });
    });
    return { id, answer };
  }

  /**
   * Takes a question off the list, so that whoever calls can answer it.
   * @param {number} id
   * @returns {OpenRequest | undefined}
   */
  close(id) {
    const ask = this.requests.get(id);
    if (ask) clearTimeout(ask.timer);
    this.requests.delete(id);
    return ask;
  }

  /** @param {Error} error */
  rejectAll(error) {
    for (const id of [...this.requests.keys()]) this.close(id)?.reject(error);
  }
}
