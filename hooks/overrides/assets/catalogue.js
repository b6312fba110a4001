// Which entries of the catalog does a reader see? Those that have all the words, of the chosen kind.
"use strict";

{
  const WAIT_MS = 80;
  const words = document.getElementById("catalogue-words");
  const kind = document.getElementById("catalogue-kind");
  const status = document.querySelector(".catalogue-status");
  const sections = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".catalogue"))].map((section) => ({
    section,
    entries: [.../** @type {NodeListOf<HTMLDetailsElement>} */ (section.querySelectorAll(".catalogue-entry"))].map(
      (entry) => ({ entry, spaced: entry.dataset.words || "", letters: letters(entry.dataset.words || "") })
    ),
  }));

  /** A name without gaps and signs: "RTX4090" is "rtx-4090". @param {string} text */
  function letters(text) {
    return text.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, "");
  }

  const show = () => {
    if (!(words instanceof HTMLInputElement) || !(kind instanceof HTMLSelectElement) || !status) return;
    const asked = words.value.toLowerCase().split(/[\s,]+/).map(letters).filter(Boolean);
    let shown = 0;
    let all = 0;
    for (const { section, entries } of sections) {
      const wanted = !kind.value || section.dataset.section === kind.value;
      let own = 0;
      for (const { entry, spaced, letters: joined } of entries) {
        const fits = wanted && asked.every((word) => spaced.includes(word) || joined.includes(word));
        if (entry.hidden === fits) entry.hidden = !fits;
        if (fits) own += 1;
      }
      section.hidden = own === 0;
      const count = section.querySelector(".catalogue-count");
      if (count) count.textContent = own < entries.length ? `${own} of ${entries.length}` : `${own}`;
      shown += own;
      all += entries.length;
    }
    const none = "Nothing matches all these words: try fewer.";
    status.textContent = shown ? `${shown} of ${all} entries` : none;
  };

  /** The entry that the address leads to opens. */
  const arrive = () => {
    let id = location.hash.slice(1);
    try {
      id = decodeURIComponent(id);
    } catch {
      return;
    }
    const entry = id && document.getElementById(id);
    if (!(entry instanceof HTMLDetailsElement)) return;
    if (entry.hidden && words instanceof HTMLInputElement && kind instanceof HTMLSelectElement) {
      words.value = kind.value = "";
      show();
    }
    entry.open = true;
    entry.scrollIntoView();
  };

  let waiting = 0;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, WAIT_MS);
  };
  if (words && kind) {
    words.addEventListener("input", later);
    kind.addEventListener("change", show);
    words.closest("form")?.addEventListener("submit", (event) => event.preventDefault());
  }
  addEventListener("hashchange", arrive);
  addEventListener("load", arrive);
  show();
}
