// The parts of the Python pack on a page opened from a folder: scripts, each of which hands over one of them.
"use strict";

// Scripts come in any order; whoever is first makes the object that all of them share.
window.TwoSpeeds = window.TwoSpeeds || /** @type {TwoSpeedsGlobal} */ ({});
TwoSpeeds.NativeWorker = TwoSpeeds.NativeWorker || window.Worker;
if (document.currentScript instanceof HTMLScriptElement && !TwoSpeeds.base) {
  // This file stands in <site>/assets/runtime/, on a server or in a folder whatever its name.
  TwoSpeeds.base = new URL("../../", document.currentScript.src).href;
}

class PayloadProblem extends Error {
  /**
   * @param {"missing" | "damaged"} why
   * @param {string} file
   */
  constructor(why, file) {
    super(`${file} is ${why}`);
    this.why = why;
    this.file = file;
  }
}

const Payload = {
  /** @type {PackEntry | null} */
  handed_entry: null,
  /** @type {Map<string, PackPayload>} */
  handed_over: new Map(),

  /**
   * What the pack consists of; read once per page.
   * @param {string} folder
   * @returns {Promise<PackEntry>}
   */
  async entry(folder) {
    if (!Payload.handed_entry) await Payload.run(folder, "entry.js");
    if (!Payload.handed_entry) throw new PayloadProblem("damaged", "entry.js");
    return Payload.handed_entry;
  },

  /**
   * One part, from its script. Nothing is kept: a part is wanted once per worker.
   * @param {string} folder
   * @param {PackPart} part
   * @returns {Promise<PackPayload>}
   */
  async part(folder, part) {
    await Payload.run(folder, part.script);
    const payload = Payload.handed_over.get(part.name);
    Payload.handed_over.delete(part.name);
    // A script that does not parse loads without an error event, and hands over nothing.
    if (!payload) throw new PayloadProblem("damaged", part.script);
    return payload;
  },

  /**
   * @param {string} folder
   * @param {string} file
   * @returns {Promise<void>}
   */
  run(folder, file) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.onload = () => resolve();
      script.onerror = () => reject(new PayloadProblem("missing", file));
      script.src = folder + file;
      document.head.append(script);
      script.remove();
    });
  },
};

TwoSpeeds.payload = {
  entry(entry) {
    Payload.handed_entry = entry;
  },
  add(name, bytes, units) {
    Payload.handed_over.set(name, { name, bytes, units });
  },
};
