// A demo's picture on the page: of a new frame only what differs is touched, so focus, hover, selection and open parts stay.
"use strict";

class DemoFrame {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.html = "";
    /** @type {Record<string, number>} */
    this.measured_s = {};
  }

  /** @param {DemoState} state */
  render({ frame_html, measured_s, outdated }) {
    // Says to sight and to scripts that the picture is not yet that of the controls.
    if ((this.element.getAttribute("aria-busy") === "true") !== outdated) this.element.setAttribute("aria-busy", String(outdated));
    const measured_anew = measured_s !== this.measured_s;
    const forgotten = measured_anew && !Object.keys(measured_s).length;
    this.measured_s = measured_s;
    if (frame_html && (frame_html !== this.html || forgotten)) this.show(frame_html);
    if (measured_anew) for (const output of this.element.querySelectorAll("output")) this.writeMeasured(output);
  }

  /** @param {string} html */
  show(html) {
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

  /** @param {HTMLElement} output */
  writeMeasured(output) {
    const real_s = this.measured_s[output.dataset.readout || ""];
    if (real_s === undefined) return;
    output.dataset.value = String(Number(real_s.toPrecision(9)));
    if (output.nextElementSibling?.classList.contains("readout-reason")) output.nextElementSibling.remove();
    output.textContent = real_s < 1 ? `${(real_s * 1000).toFixed(0)} ms` : `${real_s.toFixed(2)} s`;
  }
}
