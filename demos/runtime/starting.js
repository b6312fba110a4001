// How does a figure hear of Python: starting, there, gone, back again?
"use strict";

const DemoPython = {
  /** @param {DemoFigure} figure */
  begin(figure) {
    const python = TwoSpeeds.python;
    if (!python) {
      DemoPython.gone(figure, new Error("A file of this page is missing, so Python cannot start. Load the page again."));
      return;
    }
    python.on("progress", (progress) => figure.words.advance(progress));
    python.on("restarted", () => DemoPython.there(figure));
    python.on("failed", (error) => DemoPython.gone(figure, error));
    python.start({ numpy: DemoPython.pageNeedsNumpy() }).then(
      () => DemoPython.there(figure),
      (error) => DemoPython.gone(figure, error),
    );
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
    figure.errand.giveUp();
  },

  pageNeedsNumpy() {
    return document.querySelector('figure.demo[data-numpy="true"]') !== null;
  },
};
