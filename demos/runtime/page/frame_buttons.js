// Buttons inside a picture: one sets a control, adds a line to a text, or copies what it carries.
"use strict";

class FrameButtons {
  /**
   * @param {DemoForm} form
   * @param {(text: string) => void} note
   */
  constructor(form, note) {
    this.form = form;
    this.note = note;
    form.figure.querySelector("[data-part=frame]")?.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button) this.press(button);
    });
  }

  /** @param {HTMLButtonElement} button */
  press(button) {
    const { sets, adds, copies } = button.dataset;
    const control = this.form.controls.get(sets || adds || "");
    if (copies) this.copy(button, copies);
    if (!control) return;
    control.value = adds ? `${control.value.trimEnd()}\n${button.value}\n` : button.value;
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {string} name what is copied, for the reader
   */
  async copy(button, name) {
    const copied = await DemoClipboard.copy(button.value, name, button.parentElement || button);
    this.note(copied ? `${name} is copied.` : `${name} is shown in the picture, selected.`);
  }
}
