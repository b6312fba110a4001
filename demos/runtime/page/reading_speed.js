// The reader's own reading speed: a paragraph appears, the page's clock runs until it is read, and the control takes the result.
"use strict";

{
  const MINUTE_MS = 60_000;

  /** @param {HTMLElement} box @param {string} name */
  const part = (box, name) => {
    const part = box.querySelector(`[data-do="${name}"], [data-part="${name}"]`);
    return part instanceof HTMLElement ? part : null;
  };

  /** Shows the paragraph, or hides it again. @param {HTMLElement} box @param {boolean} reading */
  const show = (box, reading) => {
    for (const name of ["reading-text", "reading-done"]) {
      const shown = part(box, name);
      if (shown) shown.hidden = !reading;
    }
    const start = part(box, "reading-start");
    if (start) start.hidden = reading;
    part(box, reading ? "reading-done" : "reading-start")?.focus();
  };

  /** Writes words per minute into the control that the box belongs to. @param {HTMLElement} box @param {number} spent_ms */
  const take = (box, spent_ms) => {
    const control = box.closest("form")?.elements.namedItem(box.dataset.readingFor || "");
    if (!(control instanceof HTMLInputElement) || spent_ms <= 0) return;
    const rate = Math.round((Number(box.dataset.words) * MINUTE_MS) / spent_ms);
    control.value = String(Math.min(Math.max(rate, Number(control.min)), Number(control.max)));
    control.dispatchEvent(new Event("input", { bubbles: true }));
  };

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-do^=reading-]") : null;
    const box = button?.closest("[data-reading-for]");
    if (!(button instanceof HTMLElement) || !(box instanceof HTMLElement)) return;
    if (button.dataset.do === "reading-start") {
      show(box, true);
      box.dataset.begun = String(performance.now());
    } else {
      take(box, performance.now() - Number(box.dataset.begun));
      show(box, false);
    }
  });
}
