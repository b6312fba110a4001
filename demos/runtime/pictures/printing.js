// Printing one demo's picture and nothing else of its page: what is beside it is left out while it prints.
"use strict";

const PicturePrint = {
  /** Puts a button after the actions. @param {HTMLElement} figure @param {HTMLElement} place */
  offer(figure, place) {
    DemoClipboard.forget(place);
    const row = document.createElement("div");
    row.className = "demo-copy";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Print the picture";
    button.addEventListener("click", () => PicturePrint.print(figure));
    row.append(button);
    place.after(row);
    button.focus();
  },

  /** @param {HTMLElement} figure */
  print(figure) {
    const out = PicturePrint.beside(DemoMarkup.part(figure, "[data-part=frame]"));
    for (const part of out) part.setAttribute("data-unprinted", "");
    addEventListener("afterprint", () => out.forEach((part) => part.removeAttribute("data-unprinted")), { once: true });
    print();
  },

  /** All that is neither the picture nor its title, nor holds one of them. @param {HTMLElement} frame */
  beside(frame) {
    /** @type {Element[]} */
    const out = [];
    for (let at = /** @type {Element} */ (frame); at.parentElement && at !== document.body; at = at.parentElement) {
      out.push(...[...at.parentElement.children].filter((sibling) => sibling !== at && !sibling.matches(".demo-head, script, style, link")));
    }
    return out;
  },
};
