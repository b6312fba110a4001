// How does a link to an answer open it, and how does a reader get that link? For the page of questions.
"use strict";

{
  const SAID_MS = 4000;

  /** The answer that the address leads to: it opens, and the style sheet marks it. */
  const arrive = () => {
    let id = location.hash.slice(1);
    try {
      id = decodeURIComponent(id);
    } catch {
      return;
    }
    const heading = id && document.getElementById(id);
    const block = heading && heading.closest(".qa");
    const more = block && block.querySelector("details");
    if (!more) return;
    more.open = true;
    heading.scrollIntoView();
  };

  /** The link to an answer; from a folder the published one, where it is known. @param {string} id */
  const linkTo = (id) => {
    const published = document.querySelector("link[rel=canonical]");
    const here = location.href.split(/[?#]/)[0];
    const page = location.protocol === "file:" && published instanceof HTMLLinkElement ? published.href : here;
    return `${page}#${encodeURIComponent(id)}`;
  };

  /** The link selected, to be copied by hand. @param {HTMLElement} tools @param {string} link */
  const show = (tools, link) => {
    const field = document.createElement("input");
    field.className = "qa-link";
    field.readOnly = true;
    field.value = link;
    field.setAttribute("aria-label", "Link to this answer");
    tools.append(field);
    field.focus();
    field.select();
  };

  /** @param {HTMLButtonElement} button */
  const copy = async (button) => {
    const tools = button.parentElement;
    const status = tools && tools.querySelector("[role=status]");
    if (!tools || !status) return;
    for (const old of tools.querySelectorAll(".qa-link")) old.remove();
    const link = linkTo(button.dataset.copy || "");
    try {
      await navigator.clipboard.writeText(link);
      status.textContent = "Link copied.";
      setTimeout(() => (status.textContent = ""), SAID_MS);
    } catch {
      status.textContent = "Your browser doesn't let this page copy: here is the link, selected.";
      show(tools, link);
    }
  };

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element && event.target.closest(".qa-copy");
    if (button instanceof HTMLButtonElement) copy(button);
  });
  addEventListener("hashchange", arrive);
  // The theme has set its header's height by then, so that the answer does not hide behind it.
  addEventListener("load", arrive);

  // Paper cannot be unfolded.
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [.../** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(".qa-more:not([open])"))];
    for (const more of opened) more.open = true;
  });
  addEventListener("afterprint", () => {
    for (const more of opened) more.open = false;
  });
}
