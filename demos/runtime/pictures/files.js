// Saving a picture as a file of the reader's, and what is said if the browser refuses.
"use strict";

/** A file's name carries the values that differ from the start, as far as names go. */
const LONGEST_FILE_NAME = 80;
const REFUSED = "This browser doesn't let a page turn its picture into a file. You can print the picture instead, on paper or as a PDF.";

const PictureFiles = {
  /**
   * @param {PictureSubject} subject
   * @param {"png" | "svg"} kind
   * @param {HTMLElement} place after which a refusal is shown
   */
  async save(subject, kind, place) {
    const name = `${PictureFiles.name(subject)}.${kind}`;
    try {
      const plots = kind === "svg" ? PlotTracing.trace(subject.element) : "";
      const blob = kind === "svg" ? new Blob([plots || PictureDrawing.draw(subject).svg], { type: "image/svg+xml" }) : await PictureDrawing.png(subject);
      PictureFiles.hand(blob, name);
      const without = kind === "svg" && !plots ? " It is text and boxes: browsers show it, but drawing programs may not." : "";
      subject.note(`The picture is saved as ${name}.${without}`);
    } catch {
      subject.note(REFUSED);
      PicturePrint.offer(subject.element, place);
    }
  },

  /** The demo and its setting, in letters that every file system takes. @param {PictureSubject} subject */
  name({ form, element }) {
    const set = form.differing().filter((name) => !(form.controls.get(name) instanceof HTMLTextAreaElement));
    const values = form.values();
    const words = [element.dataset.demo, ...set.map((name) => `${name}-${values[name]}`)].join("-");
    return words.replace(/[^A-Za-z0-9.]+/g, "-").slice(0, LONGEST_FILE_NAME).replace(/[-.]+$/, "");
  },

  /** @param {Blob} blob @param {string} name */
  hand(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    // The browser has its own hold on the file by then.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },
};

TwoSpeeds.pictures = PictureFiles;
