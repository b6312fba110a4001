// The form of a demo: the values that its controls carry are those that the reader wants; nothing is kept beside them.
"use strict";

class DemoForm {
  /** @param {HTMLElement} figure */
  constructor(figure) {
    this.figure = figure;
    /** @type {Map<string, Control>} */
    this.controls = new Map();
    for (const control of figure.querySelectorAll("form.demo-controls [name]")) {
      if (
        control instanceof HTMLInputElement ||
        control instanceof HTMLSelectElement ||
        control instanceof HTMLTextAreaElement
      ) {
        this.controls.set(control.name, control);
      }
    }
    /** Names of the texts that are the reader's own. */
    this.privates = new Set([...this.controls].filter(([, control]) => control.dataset.private !== undefined).map(([name]) => name));
    /** @type {Map<string, string>} what of them something else was written over */
    this.own = new Map();
    /** @type {Record<string, string>} */
    this.start = JSON.parse(figure.dataset.values || "{}");
    // What was pasted before this script was there stays.
    this.write(this.start, this.privates);
    /** The start values as the browser has tidied them: a slider makes 0.7 of 0.70. */
    this.tidy_start = this.values();
  }

  /** @returns {Record<string, string>} */
  values() {
    return Object.fromEntries([...this.controls].map(([name, control]) => [name, DemoForm.valueOf(control)]));
  }

  /** @returns {RawValues} */
  raw() {
    return Object.fromEntries(Object.entries(this.values()).map(([name, value]) => [name, [value]]));
  }

  /** @returns {RawValues} */
  startRaw() {
    return Object.fromEntries(Object.entries(this.start).map(([name, value]) => [name, [value]]));
  }

  isStart() {
    return this.differing().length === 0;
  }

  /** Whether a private text is not what the page began with. */
  pasted() {
    return [...this.privates].some((name) => this.controls.get(name)?.value !== this.start[name]);
  }

  /** @param {Record<string, string>} values */
  areStart(values) {
    return DemoForm.same(values, this.start);
  }

  /** Names of the controls that do not carry the page's start value. */
  differing() {
    return Object.entries(this.values())
      .filter(([name, value]) => value !== this.tidy_start[name])
      .map(([name]) => name);
  }

  /**
   * Sets controls; those named in `kept` are left as they are.
   * @param {Record<string, string>} values
   * @param {Set<string>} [kept]
   */
  write(values, kept) {
    for (const [name, value] of Object.entries(values)) {
      const control = this.controls.get(name);
      if (!control || (kept && kept.has(name)) || DemoForm.valueOf(control) === value) continue;
      if (control instanceof HTMLSelectElement) DemoForm.list(control, value);
      if (this.privates.has(name) && control.value && !ExampleFills.isFill(this.controls, name, control.value)) this.own.set(name, control.value);
      if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = value === "true";
      else control.value = value;
    }
    LogSlider.followAll(this.figure);
    CharacterCount.countAll(this.figure);
  }

  /**
   * Shows the values as words beside their controls.
   * @param {Record<string, string>} texts
   */
  writeTexts(texts) {
    for (const output of this.figure.querySelectorAll(".control-value")) {
      const text = output instanceof HTMLElement ? texts[output.dataset.for || ""] : undefined;
      if (text !== undefined && output.textContent !== text) output.textContent = text;
    }
    for (const [name, control] of this.controls) {
      const chosen = control instanceof HTMLSelectElement ? control.selectedOptions[0] : undefined;
      if (chosen?.dataset.added && texts[name]) chosen.textContent = texts[name];
    }
    for (const slider of this.figure.querySelectorAll("form.demo-controls input[type=range]")) {
      const text = slider instanceof HTMLInputElement ? texts[slider.dataset.logFor || slider.name] : undefined;
      if (text !== undefined) slider.setAttribute("aria-valuetext", text);
    }
  }

  /** Shows a value as it is until Python has words for it. @param {Control} control */
  writePlain(control) {
    const output = this.figure.querySelector(`.control-value[data-for="${control.name}"]`);
    if (output) output.textContent = control.value;
    if (control.type === "range") control.removeAttribute("aria-valuetext");
    const log = this.figure.querySelector(`input[data-log-for="${control.name}"]`);
    if (log) log.setAttribute("aria-valuetext", control.value);
  }

  /** A choice that a demo takes without listing it is listed once it is made. @param {HTMLSelectElement} select @param {string} value */
  static list(select, value) {
    if ([...select.options].some((option) => option.value === value)) return;
    const option = new Option(value, value);
    option.dataset.added = "true";
    select.add(option);
  }

  /**
   * @param {Record<string, string>} some
   * @param {Record<string, string>} others
   */
  static same(some, others) {
    const names = Object.keys(some);
    return names.length === Object.keys(others).length && names.every((name) => some[name] === others[name]);
  }

  /** @param {Control} control */
  static valueOf(control) {
    if (control instanceof HTMLInputElement && control.type === "checkbox") return String(control.checked);
    return control.value;
  }
}
