// How long does the page take, seen from inside? Defines `measure`, which the page benchmarks call.
"use strict";

const measure = {
  figure: /** @type {HTMLElement} */ (document.querySelector("figure.demo")),

  /** Resolves when the demo's picture has changed and that change has been painted. */
  painted() {
    const frame = measure.figure.querySelector("[data-part=frame]");
    return new Promise((done) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        // A message posted in an animation frame is read after that frame has been painted.
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => done(performance.now());
          channel.port2.postMessage(null);
        });
      });
      observer.observe(/** @type {Node} */ (frame), { subtree: true, childList: true, characterData: true, attributes: true });
    });
  },

  /** @param {string} text the whole name of a button */
  button(text) {
    const found = [...measure.figure.querySelectorAll("button")].find((each) => each.textContent?.trim() === text);
    return /** @type {HTMLButtonElement} */ (found);
  },

  /** Milliseconds from pressing Run to a changed picture. */
  async firstRun() {
    const start_ms = performance.now();
    const painted = measure.painted();
    measure.button("Run").click();
    return (await painted) - start_ms;
  },

  /**
   * Milliseconds from each of many slider inputs to the painted picture, each after a pause in which nothing happens.
   * @param {string} name
   * @param {number} count
   */
  async slider(name, count) {
    const input = /** @type {HTMLInputElement} */ (measure.figure.querySelector(`input[name="${name}"]`));
    const found = [];
    for (let i = 0; i < count; i += 1) {
      await new Promise((done) => setTimeout(done, 40 + ((i * 7) % 17)));
      const painted = measure.painted();
      const start_ms = performance.now();
      input.value = String(2 + (i % 30));
      input.dispatchEvent(new Event("input", { bubbles: true }));
      found.push((await painted) - start_ms);
    }
    return found;
  },

  /** Milliseconds between one changed picture and the next while a run plays to its end. */
  async gaps() {
    const frame = /** @type {Node} */ (measure.figure.querySelector("[data-part=frame]"));
    let changed = false;
    const observer = new MutationObserver(() => (changed = true));
    observer.observe(frame, { subtree: true, childList: true, characterData: true, attributes: true });
    /** @type {number[]} */
    const times_ms = [];
    measure.button("Reset").click();
    measure.button("Run").click();
    await new Promise((done) => {
      /** @param {number} now_ms */
      const look = (now_ms) => {
        if (changed) times_ms.push(now_ms);
        changed = false;
        if (measure.figure.dataset.playing === "true") requestAnimationFrame(look);
        else done(null);
      };
      requestAnimationFrame(look);
    });
    observer.disconnect();
    return times_ms.slice(1).map((time_ms, index) => time_ms - times_ms[index]);
  },

  /**
   * Draws as many frames by moving the scrubber, each when the one before is there.
   * @param {number} count
   */
  async scrub(count) {
    const scrubber = /** @type {HTMLInputElement} */ (measure.figure.querySelector('[data-do="scrub"]'));
    for (let i = 0; i < count; i += 1) {
      const painted = measure.changed();
      scrubber.value = String((Number(scrubber.value) + 37) % 1000);
      scrubber.dispatchEvent(new Event("input", { bubbles: true }));
      await painted;
    }
  },

  /** Resolves when the demo's picture has changed, painted or not. */
  changed() {
    const frame = /** @type {Node} */ (measure.figure.querySelector("[data-part=frame]"));
    return new Promise((done) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        done(null);
      });
      observer.observe(frame, { subtree: true, childList: true, characterData: true, attributes: true });
    });
  },
};
