// What does the status line say, and how often may it change? A screen reader speaks every change.
"use strict";

/** While a run plays the line changes at most this often, and while Python starts. */
const CALM_MS = 2000;
const PROGRESS_MS = 500;

class DemoStatus {
  /** @param {Element} element */
  constructor(element) {
    this.element = element;
    this.changed_ms = -CALM_MS;
  }

  /** @param {string} text */
  say(text) {
    if (this.element.textContent === text) return;
    this.element.textContent = text;
    this.changed_ms = performance.now();
  }

  /**
   * Says something that is left out where the line has just changed.
   * @param {string} text
   * @param {number} gap_ms
   */
  sayCalmly(text, gap_ms) {
    if (performance.now() - this.changed_ms >= gap_ms) this.say(text);
  }
}
