// How does a file get into a text box? Dropped onto it or chosen; it is read here and goes nowhere else.
"use strict";

const FileDrop = {
  /** @param {DemoFigure} figure */
  listen(figure) {
    for (const chooser of figure.element.querySelectorAll("input[data-file-for]")) {
      const box = chooser instanceof HTMLInputElement ? figure.form.controls.get(chooser.dataset.fileFor || "") : null;
      if (!(chooser instanceof HTMLInputElement) || !(box instanceof HTMLTextAreaElement)) continue;
      chooser.addEventListener("change", (event) => {
        event.stopPropagation();
        FileDrop.take(figure, box, chooser.files);
        // The same file can be chosen again after it has changed.
        chooser.value = "";
      });
      box.addEventListener("dragover", (event) => FileDrop.hover(box, event));
      for (const end of ["dragleave", "dragend", "drop"]) box.addEventListener(end, () => box.classList.remove("dropping"));
      box.addEventListener("drop", (event) => {
        if (!event.dataTransfer?.files.length) return;
        event.preventDefault();
        FileDrop.take(figure, box, event.dataTransfer.files);
      });
    }
  },

  /**
   * @param {HTMLTextAreaElement} box
   * @param {DragEvent} event
   */
  hover(box, event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    box.classList.add("dropping");
  },

  /**
   * @param {DemoFigure} figure
   * @param {HTMLTextAreaElement} box
   * @param {FileList | null} files
   */
  async take(figure, box, files) {
    const file = files?.[0];
    if (!file) return;
    const limit = Number(box.dataset.limit);
    try {
      const { text, cut } = await FileDrop.read(file, limit);
      figure.form.write({ [box.name]: text });
      box.dispatchEvent(new Event("change", { bubbles: true }));
      if (cut) figure.words.note(`${file.name} is longer than the ${limit.toLocaleString("en")} characters that fit here: these are its last ones.`);
    } catch {
      figure.words.note(`${file.name} cannot be read.`);
    }
  },

  /**
   * The text of a file; of a long one its end from the start of a line, where tools print their figures.
   * @param {File} file
   * @param {number} limit
   */
  async read(file, limit) {
    // A character has at most four bytes.
    const whole = await file.slice(Math.max(0, file.size - 4 * limit)).text();
    const text = whole.replace(/\r\n?/g, "\n").replace(/\0/g, "");
    if (file.size <= 4 * limit && CharacterCount.characters(text) <= limit) return { text, cut: false };
    const end = text.slice(-limit);
    return { text: end.slice(end.indexOf("\n") + 1), cut: true };
  },
};
