// Saving a demo's picture as a file: what draws it is fetched when somebody asks, and no earlier.
"use strict";

const SavePicture = {
  /** @type {Promise<void> | null} */
  loading: null,

  /**
   * Saves the picture of the setting that the controls show, as soon as it is there.
   * @param {PictureSubject} subject
   * @param {"png" | "svg"} kind
   * @param {HTMLElement} place after which a refusal is shown
   * @param {(save: () => void, waiting: string) => void} whenCurrent
   */
  ask(subject, kind, place, whenCurrent) {
    DemoClipboard.forget(place);
    whenCurrent(() => SavePicture.save(subject, kind, place), "The picture will be saved when it shows your setting.");
  },

  /**
   * @param {PictureSubject} subject
   * @param {"png" | "svg"} kind
   * @param {HTMLElement} place
   */
  async save(subject, kind, place) {
    try {
      await (SavePicture.loading = SavePicture.loading || SavePicture.load());
    } catch {
      SavePicture.loading = null;
      subject.note("The script that saves pictures couldn't be loaded: check the connection and try again.");
      return;
    }
    await TwoSpeeds.pictures.save(subject, kind, place);
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
