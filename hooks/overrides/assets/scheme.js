// Is this page light or dark? What the reader chose on the site's other pages, else what the system says.
"use strict";

{
  let chosen = "";
  try {
    const keys = Object.keys(localStorage).filter((key) => key.endsWith(".__palette"));
    chosen = keys.length ? JSON.parse(localStorage.getItem(keys[0]) || "{}").color?.scheme || "" : "";
  } catch {
    // Storage can be forbidden; the system's setting is as good.
  }
  const dark = chosen ? chosen === "slate" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.setAttribute("data-md-color-scheme", dark ? "slate" : "default");
}
