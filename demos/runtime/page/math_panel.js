// The math of a demo: an open panel is kept in step with the run shown.
"use strict";

/** The math follows a moving slider at most this often. */
const MATH_REST_MS = 250;

class MathPanel {
  /**
   * @param {HTMLElement} figure
   * @param {DemoState} state
   * @param {() => Promise<string>} explain
   * @param {() => void} changed
   */
  constructor(figure, state, explain, changed) {
    this.state = state;
    this.explain = explain;
    this.changed = changed;
    this.timer = 0;
    const details = figure.querySelector(".demo-foot details.demo-math");
    this.details = details instanceof HTMLDetailsElement ? details : null;
    if (this.details) this.details.addEventListener("toggle", () => this.refresh());
  }

  refresh() {
    clearTimeout(this.timer);
    if (!this.details?.open || !this.state.live) return;
    this.timer = window.setTimeout(async () => {
      const html = await this.explain().catch(() => "");
      if (!html) return;
      this.state.math_html = html;
      this.changed();
    }, MATH_REST_MS);
  }
}
