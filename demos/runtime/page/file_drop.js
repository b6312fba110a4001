// Files for a text box: dropped onto it or chosen; a file is read here and goes nowhere else.
"use strict";

const FileDrop = {
  /**
   * @param {DemoForm} form
   * @param {(text: string) => void} note says what has happened
   */
  listen(form, note) {
    for (const chooser of form.figure.querySelectorAll("input[data-file-for]")) {
      const box = chooser instanceof HTMLInputElement ? form.controls.get(chooser.dataset.fileFor || "") : null;
      if (!(chooser instanceof HTMLInputElement) || !(box instanceof HTMLTextAreaElement)) continue;
      chooser.addEventListener("change", (event) => {
        event.stopPropagation();
        FileDrop.take(form, box, note, chooser.files);
        // The same file can be chosen again after it has changed.
        chooser.value = "";
      });
      box.addEventListener("dragover", (event) => FileDrop.hover(box, event));
      for (const end of ["dragleave", "dragend", "drop"]) box.addEventListener(end, () => box.classList.remove("dropping"));
      box.addEventListener("drop", (event) => {
        if (!event.dataTransfer?.files.length) return;
        event.preventDefault();
        FileDrop.take(form, box, note, event.dataTransfer.files);
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
   * @param {DemoForm} form
   * @param {HTMLTextAreaElement} box
   * @param {(text: string) => void} note
   * @param {FileList | null} files
   */
  async take(form, box, note, files) {
    // A chooser forgets its files as soon as it is emptied.
    const chosen = [...(files || [])];
    const [file] = chosen;
    if (!file) return;
    const config = form.controls.get("config");
    if (config instanceof HTMLTextAreaElement && (await GgufFile.is(file).catch(() => false))) {
      FileDrop.takeModel(config, form, note, chosen);
      return;
    }
    const limit = Number(box.dataset.limit);
    try {
      const { text, cut } = await FileDrop.read(file, limit);
      form.write({ [box.name]: text });
      box.dispatchEvent(new Event("change", { bubbles: true }));
      if (cut) note(`${file.name} is longer than the ${limit.toLocaleString("en")} characters that fit here, so this is its end.`);
    } catch {
      note(`${file.name} can't be read.`);
    }
  },

  /**
   * The header of a model's files, wherever they were dropped, goes into the box for its config.
   * @param {HTMLTextAreaElement} box
   * @param {DemoForm} form
   * @param {(text: string) => void} note
   * @param {File[]} files
   */
  async takeModel(box, form, note, files) {
    const names = files.map((file) => file.name).join(", ");
    note(`Reading the header of ${names}, in this browser …`);
    try {
      form.write({ [box.name]: await GgufFile.digest(files) });
    } catch (error) {
      note(error instanceof GgufProblem ? error.message : `${names} can't be read.`);
      return;
    }
    box.dispatchEvent(new Event("change", { bubbles: true }));
    note(`The header of ${names} is read. Nothing was uploaded.`);
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
