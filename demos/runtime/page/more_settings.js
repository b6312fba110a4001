// The settings of a demo that are not at first sight: how many differ from the start, and when they open by themselves.
"use strict";

class MoreSettings {
  /** @param {DemoForm} form */
  constructor(form) {
    this.form = form;
    this.details = form.figure.querySelector("details.demo-more");
    this.changed = form.figure.querySelector("[data-part=changed]");
    /** @type {RawValues | null} */
    this.address_values = null;
  }

  /** @param {DemoState} state */
  render(state) {
    if (!(this.details instanceof HTMLDetailsElement) || !this.changed) return;
    const changed = this.form.differing().filter((name) => this.holds(name)).length;
    const text = changed ? ` · ${changed} changed` : "";
    if (this.changed.textContent !== text) this.changed.textContent = text;
    if ([...state.refused].some((name) => this.holds(name))) this.details.open = true;
    if (state.address_values === this.address_values) return;
    // What an address sets is in sight, once; the reader may close it again.
    this.address_values = state.address_values;
    if (Object.keys(state.address_values || {}).some((name) => this.holds(name))) this.details.open = true;
  }

  /** @param {string} name */
  holds(name) {
    const control = this.form.controls.get(name);
    return Boolean(control && this.details?.contains(control));
  }
}
