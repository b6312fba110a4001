// The count of characters beside a text box: the reader sees the limit before it is reached.
"use strict";

const CharacterCount = {
  /** @param {HTMLElement} figure */
  countAll(figure) {
    for (const text of figure.querySelectorAll("textarea[data-limit]")) {
      if (text instanceof HTMLTextAreaElement) CharacterCount.count(text);
    }
  },

  /** @param {HTMLTextAreaElement} text */
  count(text) {
    const shown = text.closest(".control")?.querySelector(".control-count");
    if (!shown) return;
    const limit = Number(text.dataset.limit);
    const length = CharacterCount.characters(text.value);
    const over = length > limit ? `, ${(length - limit).toLocaleString("en")} too many` : "";
    shown.textContent = `${length.toLocaleString("en")} of ${limit.toLocaleString("en")} characters${over}`;
  },

  /** Counts as Python does: an emoji outside the first plane is one. @param {string} text */
  characters(text) {
    return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g) || []).length;
  },
};
