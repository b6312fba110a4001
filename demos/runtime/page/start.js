// The start of a page: each of its demos gets a controller; until a reader shows interest that costs nothing more.
"use strict";

{
  const begin = () => {
    if (TwoSpeeds.figures) return;
    TwoSpeeds.figures = [];
    for (const figure of document.querySelectorAll("figure.demo[data-demo]")) {
      if (figure instanceof HTMLElement) TwoSpeeds.figures.push(new DemoFigure(figure));
    }
    for (const element of document.querySelectorAll(".machine")) {
      if (element instanceof HTMLElement) new MachineChooser(element);
    }
  };
  // By then all scripts of the page have run, in whatever order they stand.
  document.addEventListener("DOMContentLoaded", begin);
  window.addEventListener("load", begin);
}
