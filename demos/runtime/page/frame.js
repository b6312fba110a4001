// How does a new frame reach the page? Only what differs is touched, so focus, hover, selection and open parts stay.
"use strict";

class DemoFrame {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.html = "";
    /** @type {Map<string, number>} real seconds by readout, from the page's own clock */
    this.measured = new Map();
  }

  /** @param {string} html */
  show(html) {
    if (html === this.html) return;
    this.html = html;
    morphdom(this.element, `<div>${html}</div>`, {
      childrenOnly: true,
      onBeforeElUpdated: (from, to) => {
        if (to.dataset.readout) this.writeMeasured(to);
        if (from instanceof HTMLDetailsElement && to instanceof HTMLDetailsElement) to.open = from.open;
        return !from.isEqualNode(to);
      },
    });
  }

  /** Says to sight and to scripts that the picture is not yet that of the controls. @param {boolean} waiting */
  wait(waiting) {
    this.element.setAttribute("aria-busy", String(waiting));
  }

  /**
   * Notes how long the page really took to reach a moment of the run.
   * @param {string} readout
   * @param {number} real_s
   */
  measure(readout, real_s) {
    this.measured.set(readout, real_s);
    for (const output of this.element.querySelectorAll("output")) this.writeMeasured(output);
  }

  forgetMeasures() {
    if (!this.measured.size) return;
    this.measured.clear();
    const html = this.html;
    this.html = "";
    this.show(html);
  }

  /** @param {HTMLElement} output */
  writeMeasured(output) {
    const real_s = this.measured.get(output.dataset.readout || "");
    if (real_s === undefined) return;
    output.dataset.value = String(Number(real_s.toPrecision(9)));
    if (output.nextElementSibling?.classList.contains("readout-reason")) output.nextElementSibling.remove();
    output.textContent = real_s < 1 ? `${(real_s * 1000).toFixed(0)} ms` : `${real_s.toFixed(2)} s`;
  }
}
