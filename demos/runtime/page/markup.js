// What a figure's HTML says before Python does: its parts, and the run that was drawn when the site was built.
"use strict";

const DemoMarkup = {
  /**
   * @param {HTMLElement} figure
   * @param {string} selector
   */
  part(figure, selector) {
    const part = figure.querySelector(selector);
    if (!(part instanceof HTMLElement)) throw new Error(`the demo ${figure.id} lacks ${selector}`);
    return part;
  },

  /** What the status line says. @param {HTMLElement} figure */
  status(figure) {
    return DemoMarkup.part(figure, "[role=status]").textContent || "";
  },

  /** The time slider, where there is a time axis. @param {HTMLElement} figure */
  scrubber(figure) {
    const scrubber = figure.querySelector(".demo-transport [data-do=scrub]");
    return scrubber instanceof HTMLInputElement ? scrubber : null;
  },

  /** @param {HTMLElement} figure @returns {DemoRun} */
  run(figure) {
    const data = figure.dataset;
    return {
      stops: JSON.parse(data.stops || "[0]"),
      end_s: Number(data.endS || 0),
      rate: Number(data.rate || 1),
      says: JSON.parse(data.says || '[""]'),
      measure: JSON.parse(data.measure || "{}"),
    };
  },
};
