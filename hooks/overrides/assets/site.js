// What does the theme leave out for a keyboard and a screen reader? Names, and menus that keys can open.
"use strict";

{
  /** Below this width the theme shows the menu as a drawer, one level at a time. */
  const narrow = matchMedia("(max-width: 76.234375em)");

  /** @param {string} selector */
  const all = (selector) => [...document.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement);

  /** @param {Element | null} element */
  const focus = (element) => element instanceof HTMLElement && element.focus();

  /**
   * The theme's labels switch hidden checkboxes, which only a pointer can do: each gets a real button inside.
   * @param {HTMLElement} label
   * @param {string} name
   */
  const withButton = (label, name) => {
    const box = document.getElementById(label.getAttribute("for") || "");
    if (!(box instanceof HTMLInputElement)) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "label-button";
    if (name) button.setAttribute("aria-label", name);
    button.append(...label.childNodes);
    label.append(button);
    label.removeAttribute("tabindex");
    button.addEventListener("click", () => box.click());
    const tell = () => button.setAttribute("aria-expanded", String(box.checked));
    box.addEventListener("change", tell);
    tell();
  };

  for (const dialog of all('[data-md-component="search"]')) dialog.setAttribute("aria-label", "Search");
  for (const link of all(".md-footer__link")) link.removeAttribute("aria-label");
  for (const nav of all("nav[aria-expanded]")) nav.removeAttribute("aria-expanded");
  for (const label of all('.md-header__button[for="__drawer"]')) withButton(label, "Menu");
  for (const label of all('.md-header__button[for="__search"]')) withButton(label, "Search");
  for (const label of all(".md-nav__link[for]")) withButton(label, "");
  for (const label of all('.md-nav .md-nav .md-nav__title[for^="__nav"]')) withButton(label, "");

  // What is out of sight is out of the keyboard's way, and opening something takes the focus there.
  const drawer = document.getElementById("__drawer");
  const sidebar = document.querySelector(".md-sidebar--primary");
  const toggles = all("input.md-nav__toggle");

  const follow = () => {
    if (drawer instanceof HTMLInputElement && sidebar instanceof HTMLElement) {
      sidebar.inert = narrow.matches && !drawer.checked;
    }
    for (const toggle of toggles) {
      const level = toggle.parentElement && toggle.parentElement.querySelector(":scope > nav");
      if (level instanceof HTMLElement && toggle instanceof HTMLInputElement) level.inert = narrow.matches && !toggle.checked;
    }
  };
  narrow.addEventListener("change", follow);
  follow();

  if (drawer instanceof HTMLInputElement && sidebar) {
    drawer.addEventListener("change", () => {
      follow();
      if (!narrow.matches) return;
      const shown = all(".md-sidebar--primary :is(a[href], button)").find((stop) => !stop.closest("[inert]"));
      focus(drawer.checked ? shown || null : document.querySelector('[for="__drawer"] > .label-button'));
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && drawer.checked) drawer.click();
    });
  }
  for (const toggle of toggles) {
    toggle.addEventListener("change", () => {
      follow();
      const item = toggle.parentElement;
      if (!narrow.matches || !item || !(toggle instanceof HTMLInputElement)) return;
      focus(item.querySelector(toggle.checked ? ":scope > nav .label-button" : ":scope > label > .label-button"));
    });
  }

  // Whatever scrolls sideways can be reached by keyboard.
  const reachable = () => {
    for (const box of all(".md-typeset__scrollwrap, .formula-display, .md-typeset pre > code")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  addEventListener("resize", reachable);
  addEventListener("load", reachable);
}
