// What does a page with one demo alone do? It is as light or dark as the system, leads back, and tells how high it is.
"use strict";

{
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.setAttribute("data-md-color-scheme", dark.matches ? "slate" : "default");
  dark.addEventListener("change", follow);
  follow();

  /** What the address asks for goes on to the page that the demo comes from, until Python has judged it. @param {HTMLElement} figure */
  const passOn = (figure) => {
    const home = DemoAddress.home(figure);
    const query = new URLSearchParams();
    for (const [name, values] of Object.entries(DemoAddress.read(figure.id) || {})) {
      if (figure.querySelector(`[data-private][name="${CSS.escape(name)}"]`)) continue;
      for (const value of values) query.append(`${home.id}.${name}`, value);
    }
    const asked = String(query);
    return `${home.page}${asked && "?"}${asked}#${home.id}`;
  };

  /** Keeps the link back at the demo's setting. @param {HTMLElement} figure @param {HTMLAnchorElement} back */
  const leadBack = (figure, back) => {
    back.href = passOn(figure);
    figure.addEventListener("demo-setting", (event) => {
      if (event instanceof CustomEvent && event.detail) back.href = event.detail;
    });
  };

  /** Tells the page around how high this one is, and no more than that. @param {string} demo */
  const tellHeight = (demo) => {
    let told = 0;
    const tell = () => {
      const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
      if (height !== told) parent.postMessage({ demo, height }, "*");
      told = height;
    };
    new ResizeObserver(tell).observe(document.documentElement);
  };

  document.addEventListener("DOMContentLoaded", () => {
    const figure = document.querySelector("figure.demo");
    const back = document.querySelector("a.demo-home");
    if (figure instanceof HTMLElement && back instanceof HTMLAnchorElement) leadBack(figure, back);
    if (parent === window || !(figure instanceof HTMLElement)) return;
    tellHeight(figure.dataset.demo || "");
    // What is opened from a frame leaves the page around it alone.
    const base = document.createElement("base");
    base.target = "_blank";
    document.head.append(base);
  });
}
