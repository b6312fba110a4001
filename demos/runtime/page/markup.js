// What does a figure's HTML say about it before Python has? Its parts, and the run that was drawn when the site was built.
"use strict";

const DemoMarkup = {
  /**
   * @param {HTMLElement} figure
   * @param {string} selector
   */
  part(figure, selector) {
    const found = figure.querySelector(selector);
    if (!(found instanceof HTMLElement)) throw new Error(`the demo ${figure.id} lacks ${selector}`);
    return found;
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
