// How does a reader get a demo's picture as a file? What draws it is fetched when somebody asks, and no earlier.
"use strict";

const SavePicture = {
  /** @type {Promise<void> | null} */
  loading: null,

  /**
   * Saves the picture of the setting that the controls show, as soon as it is there.
   * @param {DemoFigure} figure
   * @param {"png" | "svg"} kind
   * @param {HTMLElement} place after which a refusal is shown
   */
  ask(figure, kind, place) {
    DemoClipboard.forget(place);
    const save = () => SavePicture.save(figure, kind, place);
    if (figure.pending) figure.errand.run(save, "The picture is saved as soon as it shows your setting.");
    else save();
  },

  /**
   * @param {DemoFigure} figure
   * @param {"png" | "svg"} kind
   * @param {HTMLElement} place
   */
  async save(figure, kind, place) {
    try {
      await (SavePicture.loading = SavePicture.loading || SavePicture.load());
    } catch {
      SavePicture.loading = null;
      figure.words.note("The part of this site that saves pictures could not be loaded: check the connection and try again.");
      return;
    }
    await TwoSpeeds.pictures.save(figure, kind, place);
  },

  /** @returns {Promise<void>} */
  load() {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.onload = () => resolve();
      script.onerror = () => reject(new Error("the script that draws pictures could not be loaded"));
      script.src = `${TwoSpeeds.base}assets/runtime/pictures.js`;
      document.head.append(script);
    });
  },
};
