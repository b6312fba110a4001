// What does the theme leave out for a keyboard and a screen reader? Names, and a menu that keys can open.
"use strict";

{
  /** @param {string} selector */
  const all = (selector) => [...document.querySelectorAll(selector)].filter((each) => each instanceof HTMLElement);

  for (const dialog of all('[data-md-component="search"]')) dialog.setAttribute("aria-label", "Search");

  /**
   * Makes a label that switches a hidden checkbox a button for everybody.
   * @param {HTMLElement} label
   * @param {HTMLInputElement} box
   * @param {string} name
   */
  const asButton = (label, box, name) => {
    label.setAttribute("role", "button");
    label.setAttribute("aria-label", name);
    label.tabIndex = 0;
    const tell = () => label.setAttribute("aria-expanded", String(box.checked));
    box.addEventListener("change", tell);
    tell();
    label.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      label.click();
    });
  };

  const drawer = document.getElementById("__drawer");
  const search = document.getElementById("__search");
  const menu = document.querySelector('.md-header__button[for="__drawer"]');
  const sidebar = document.querySelector(".md-sidebar--primary");

  if (drawer instanceof HTMLInputElement && menu instanceof HTMLElement && sidebar instanceof HTMLElement) {
    asButton(menu, drawer, "Menu");
    const narrow = matchMedia("(max-width: 76.234375em)");
    // What is out of sight is out of the keyboard's way too.
    const follow = () => (sidebar.inert = narrow.matches && !drawer.checked);
    narrow.addEventListener("change", follow);
    follow();
    drawer.addEventListener("change", () => {
      follow();
      if (!narrow.matches) return;
      const first = drawer.checked ? sidebar.querySelector("a[href]:not(.md-logo)") : menu;
      if (first instanceof HTMLElement) first.focus();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && drawer.checked) drawer.click();
    });
  }

  const glass = document.querySelector('.md-header__button[for="__search"]');
  if (search instanceof HTMLInputElement && glass instanceof HTMLElement) asButton(glass, search, "Search");

  for (const label of all(".md-nav__link[for][tabindex]")) {
    const box = document.getElementById(label.getAttribute("for") || "");
    if (box instanceof HTMLInputElement) asButton(label, box, (label.textContent || "").trim());
  }
  for (const nav of all("nav[aria-expanded]")) nav.removeAttribute("aria-expanded");

  // Whatever scrolls sideways can be reached by keyboard.
  const reachable = () => {
    for (const each of all(".md-typeset__scrollwrap, .formula-display, .md-typeset pre > code")) {
      if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
      else each.removeAttribute("tabindex");
    }
  };
  addEventListener("resize", reachable);
  addEventListener("load", reachable);
}
