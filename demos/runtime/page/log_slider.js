// A logarithmic slider, say from 16 to 128,000: it has no name and moves by ratios; the number box beside it carries the value.
"use strict";

const LogSlider = {
  /** Sets every slider of a figure to where its number stands. @param {HTMLElement} figure */
  followAll(figure) {
    for (const slider of figure.querySelectorAll("input[data-log-for]")) {
      if (slider instanceof HTMLInputElement) LogSlider.follow(slider);
    }
  },

  /** @param {HTMLInputElement} slider */
  follow(slider) {
    const box = LogSlider.boxOf(slider);
    const place = box && Math.log(Number(box.value) / Number(box.min)) / Math.log(Number(box.max) / Number(box.min));
    if (typeof place === "number" && place >= 0 && place <= 1) slider.value = String(Math.round(place * Number(slider.max)));
  },

  /** Sets the slider of a number box, if it has one. @param {HTMLInputElement} box */
  followBox(box) {
    const slider = box.form && box.form.querySelector(`input[data-log-for="${box.name}"]`);
    if (slider instanceof HTMLInputElement) LogSlider.follow(slider);
  },

  /** Writes what a slider says into its number box, which is returned. @param {HTMLInputElement} slider */
  write(slider) {
    const box = LogSlider.boxOf(slider);
    if (!box) return null;
    const low = Number(box.min);
    const step = Number(box.step) || 1;
    const value = low * (Number(box.max) / low) ** (Number(slider.value) / Number(slider.max));
    const near = low + Math.round((value - low) / step) * step;
    box.value = String(Number(Math.min(near, Number(box.max)).toPrecision(12)));
    return box;
  },

  /** @param {HTMLInputElement} slider */
  boxOf(slider) {
    const box = slider.form && slider.form.elements.namedItem(slider.dataset.logFor || "");
    return box instanceof HTMLInputElement ? box : null;
  },
};
