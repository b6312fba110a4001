// Which demos stand on this page? Each is brought to life; until a reader shows interest that costs nothing more.
"use strict";

{
  const begin = () => {
    TwoSpeeds.figures = [];
    for (const figure of document.querySelectorAll("figure.demo[data-demo]")) {
      if (figure instanceof HTMLElement) TwoSpeeds.figures.push(new DemoFigure(figure));
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
}
