// Copying to the clipboard: if the browser refuses, the text is shown selected, to be copied by hand.
"use strict";

const DemoClipboard = {
  /**
   * @param {string} text
   * @param {string} name what the text is, for the reader
   * @param {HTMLElement} place after which a refused text is shown
   * @returns {Promise<boolean>} whether it is in the clipboard
   */
  async copy(text, name, place) {
    DemoClipboard.forget(place);
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      DemoClipboard.show(text, name, place);
      return false;
    }
  },

  /** @param {HTMLElement} place */
  forget(place) {
    const shown = place.nextElementSibling;
    if (shown && shown.classList.contains("demo-copy")) shown.remove();
  },

  /**
   * @param {string} text
   * @param {string} name
   * @param {HTMLElement} place
   */
  show(text, name, place) {
    const label = document.createElement("label");
    label.className = "demo-copy";
    label.textContent = name;
    const field = document.createElement("textarea");
    field.readOnly = true;
    field.rows = Math.min(text.split("\n").length + 1, 8);
    field.value = text;
    label.append(field);
    place.after(label);
    field.focus();
    field.select();
  },
};
