// When does an explanation beside a word show, beyond pointing at it and focusing it? On a tap; Escape puts it away.
"use strict";

{
  /** @param {EventTarget | null} target @returns {HTMLElement | null} the word with its explanation */
  const tipped = (target) => (target instanceof Element ? target.closest(".tipped") : null);

  /** @param {HTMLElement} word */
  const tip = (word) => word.querySelector(".tip");

  /** Puts the explanation under the word, or above it where the window ends, inside the column of the text. @param {HTMLElement} word */
  const place = (word) => {
    const box = tip(word);
    const anchor = word.firstElementChild;
    if (!(box instanceof HTMLElement) || !(box.offsetParent instanceof HTMLElement) || !anchor) return;
    const column = box.offsetParent.getBoundingClientRect();
    const lines = anchor.getClientRects();
    const first = lines[0];
    const last = lines[lines.length - 1];
    const room = column.width - box.offsetWidth;
    box.style.setProperty("--tip-x", `${Math.max(0, Math.min(last.left - column.left, room))}px`);
    const above = last.bottom + box.offsetHeight > innerHeight && first.top > box.offsetHeight;
    box.style.top = `${(above ? first.top - box.offsetHeight : last.bottom) - column.top}px`;
  };

  const open = () => document.querySelectorAll(".tipped[data-open]");

  /** @param {Element | null} [kept] */
  const close = (kept) => {
    for (const word of open()) if (word !== kept) word.removeAttribute("data-open");
  };

  for (const happening of ["pointerover", "focusin"]) {
    document.addEventListener(happening, (event) => {
      const word = tipped(event.target);
      if (word) place(word);
    });
  }

  // A finger cannot point: the first tap on a term explains it, the next one follows its link.
  let touched = false;
  document.addEventListener("pointerdown", (event) => {
    touched = event.pointerType !== "mouse";
    const word = tipped(event.target);
    if (!word) close();
  });
  document.addEventListener("click", (event) => {
    const word = tipped(event.target);
    if (!word || !touched) return;
    close(word);
    if (word.hasAttribute("data-open")) return;
    event.preventDefault();
    word.removeAttribute("data-closed");
    word.setAttribute("data-open", "");
    place(word);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    close();
    for (const word of document.querySelectorAll(".tipped:is(:hover, :focus-within)")) word.setAttribute("data-closed", "");
  });

  // What was put away shows again the next time.
  for (const leaving of ["pointerout", "focusout"]) {
    document.addEventListener(leaving, (event) => {
      const word = tipped(event.target);
      const next = event instanceof PointerEvent || event instanceof FocusEvent ? event.relatedTarget : null;
      if (!word || (next instanceof Node && word.contains(next))) return;
      if (leaving === "pointerout" ? !word.matches(":focus-within") : !word.matches(":hover")) word.removeAttribute("data-closed");
      if (leaving === "focusout") word.removeAttribute("data-open");
    });
  }
}
