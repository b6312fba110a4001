// A reader's interest in a demo: only then are the recorded run and Python fetched.
"use strict";

/** A demo that stays in view this long, scrolled to by the reader, is being looked at. */
const LOOKING_MS = 1000;

const DemoInterest = {
  /**
   * Calls `begin` once, at the first sign of interest.
   * @param {HTMLElement} figure
   * @param {() => void} begin
   */
  watch(figure, begin) {
    const signs = ["pointerenter", "touchstart", "focusin"];
    /** @type {IntersectionObserver | null} */
    let eye = null;
    const once = () => {
      for (const sign of signs) figure.removeEventListener(sign, once);
      if (eye) eye.disconnect();
      begin();
    };
    for (const sign of signs) figure.addEventListener(sign, once, { passive: true });
    if (DemoInterest.unmetered()) eye = DemoInterest.lookFor(figure, once);
  },

  /** Whether fetching some megabytes unasked is fair; a browser that does not tell is not asked to pay. */
  unmetered() {
    const line = navigator.connection;
    return Boolean(line) && !line?.saveData && line?.effectiveType === "4g" && line?.type !== "cellular";
  },

  /**
   * @param {HTMLElement} figure
   * @param {() => void} seen
   */
  lookFor(figure, seen) {
    let first = true;
    let timer = 0;
    const eye = new IntersectionObserver(
      ([entry]) => {
        // What is in view when the page opens was not scrolled to.
        const scrolled = !first;
        first = false;
        clearTimeout(timer);
        if (scrolled && entry.isIntersecting) timer = setTimeout(() => DemoInterest.whenIdle(seen), LOOKING_MS);
      },
      { threshold: 0.4 },
    );
    eye.observe(figure);
    return eye;
  },

  /** @param {() => void} then */
  whenIdle(then) {
    if ("requestIdleCallback" in window) requestIdleCallback(then);
    else then();
  },
};
