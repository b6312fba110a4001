// How can a page opened from the file system search, and run Python, in the background?
// Browsers refuse to start a worker from a file there. For the search, the vendored shim below stands
// in with a hidden frame; a worker made from a Blob is allowed, so it stays the browser's own.
(() => {
  const native = window.Worker;
  window.TwoSpeeds = Object.assign(window.TwoSpeeds || {}, { NativeWorker: native });
  /* iframe-worker */
  const shim = window.Worker;
  if (shim === native) return;
  window.Worker = /** @type {any} */ (
    function (/** @type {string | URL} */ url, /** @type {WorkerOptions | undefined} */ options) {
      return String(url).startsWith("blob:") ? new native(url, options) : new shim(url, options);
    }
  );
})();
