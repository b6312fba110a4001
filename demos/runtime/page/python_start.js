// The way in which a figure hears of Python: starting, there, gone, back again.
"use strict";

/**
 * @typedef {{
 *   progress: (progress: PythonProgress) => void,
 *   ready: () => void,
 *   failed: (error: Error) => void,
 * }} PythonListener
 */

const PythonStart = {
  /** @param {PythonListener} listener */
  begin(listener) {
    const python = TwoSpeeds.python;
    if (!python) {
      listener.failed(new Error("A file of this page is missing, so Python can't start. Reload the page."));
      return;
    }
    python.on("progress", listener.progress);
    // Python becomes ready when it has started, and again when it had to start anew.
    python.on("ready", listener.ready);
    python.on("failed", listener.failed);
    if (python.state === "ready") listener.ready();
    else python.start({ numpy: PythonStart.pageNeedsNumpy() }).catch(() => undefined);
  },

  pageNeedsNumpy() {
    return document.querySelector('figure.demo[data-numpy="true"]') !== null;
  },
};
