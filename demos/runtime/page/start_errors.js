// The errors of a failed start of Python, in words: what is wrong, and what to do.
"use strict";

const STILL = "The recorded run still plays.";

/** @type {Record<StartErrorKind, (file: string) => string>} */
const START_ERROR_WORDS = {
  old: () => `This browser is too old for live Python, which needs Chrome 112, Firefox 113, Safari 16.4 or newer. ${STILL}`,
  wasm: () => `WebAssembly, which live Python runs on, is turned off or blocked in this browser. Allow it or try another browser. ${STILL}`,
  worker: () => `This browser blocked the background worker that live Python runs in. Allow workers for this page or try another browser. ${STILL}`,
  missing: (file) => `Python can't start: the file ${file} couldn't be loaded. Check the connection, or unzip the download again, then reload the page. ${STILL}`,
  damaged: (file) => `Python can't start: the file ${file} arrived damaged. Reload the page; a downloaded copy may need to be unzipped again. ${STILL}`,
  memory: () => `There is not enough memory for live Python. Close other tabs, then reload the page. ${STILL}`,
  silent: () => `Python didn't start: nothing has arrived for a minute. Check the connection, then reload the page. ${STILL}`,
  died: () => `Python stopped twice. Choose other values or reload the page. ${STILL}`,
  other: () => `Python failed to start in this browser. Reload the page or try another browser. ${STILL}`,
};

class StartError extends Error {
  /**
   * @param {StartErrorKind} why
   * @param {string} [file]
   * @param {string} [detail] for whoever looks closer
   */
  constructor(why, file = "", detail = "") {
    super(START_ERROR_WORDS[why](file));
    this.name = "StartError";
    this.why = why;
    this.detail = detail;
  }
}

/**
 * What is known to stand in the way before anything is fetched.
 * @param {{userAgent: string, wasm: boolean, inflates: boolean, worker: boolean}} browser
 * @returns {StartErrorKind | null}
 */
function startErrorAhead({ userAgent, wasm, inflates, worker }) {
  const chrome = /\bChrom(?:e|ium)\/(\d+)/.exec(userAgent);
  // Firefox 113 and Safari 16.4 are the first with DecompressionStream; Chrome had it long before 112.
  if (!inflates || (chrome && Number(chrome[1]) < 112)) return "old";
  if (!wasm) return "wasm";
  return worker ? null : "worker";
}
