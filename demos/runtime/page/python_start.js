// How does a figure hear of Python: starting, there, gone, back again?
"use strict";

const PythonStart = {
  /** @param {DemoFigure} figure */
  begin(figure) {
    const python = TwoSpeeds.python;
    if (!python) {
      PythonStart.gone(figure, new Error("A file of this page is missing, so Python cannot start. Load the page again."));
      return;
    }
    python.on("progress", (progress) => figure.words.advance(progress));
    // Python becomes ready when it has started, and again when it had to start anew.
    python.on("ready", () => PythonStart.there(figure));
    python.on("failed", (error) => PythonStart.gone(figure, error));
    if (python.state === "ready") PythonStart.there(figure);
    else python.start({ numpy: PythonStart.pageNeedsNumpy() }).catch(() => undefined);
  },

  /** @param {DemoFigure} figure */
  there(figure) {
    figure.session.start(figure.wish());
  },

  /**
   * @param {DemoFigure} figure
   * @param {Error} error
   */
  gone(figure, error) {
    if (figure.failed()) return;
    figure.setState("failed");
    figure.session.end(error);
    figure.words.fail(error.message);
    if (figure.player.playing && !figure.drawable()) figure.player.pause();
    figure.errand.giveUp();
  },

  pageNeedsNumpy() {
    return document.querySelector('figure.demo[data-numpy="true"]') !== null;
  },
};
