// Which recorded runs does a demo have, and is one of them what the controls ask for?
"use strict";

class DemoRecordings {
  /** @param {DemoFigure} figure */
  constructor(figure) {
    this.figure = figure;
    /** @type {{setting: Record<string, string>, recording: DemoRecording}[]} a setting as the form carries it */
    this.kept = [];
    /** The address of the recorded run that is on its way. */
    this.expected = "";
  }

  /**
   * @param {string} url
   * @param {Record<string, string>} setting
   */
  async fetch(url, setting) {
    this.expected = url;
    // Without it a run only has to wait for Python.
    const recording = await TwoSpeeds.recordings.load(url).catch(() => null);
    if (recording && !this.kept.some((each) => each.recording === recording)) this.kept.push({ setting, recording });
    if (this.expected !== url) return;
    this.expected = "";
    if (!this.figure.session.live) this.use();
    this.figure.errand.look();
  }

  /** Before Python has answered: shows the recorded run that the controls ask for, if there is one. */
  use() {
    const { figure } = this;
    if (figure.given) return;
    const values = figure.form.values();
    const waited = figure.pending;
    const found = this.kept.find((each) => DemoForm.same(each.setting, values));
    if (found) {
      const { run } = found.recording.data;
      figure.setPending(false);
      figure.form.writeTexts(run.texts);
      figure.take(run, found.recording.htmlAt(0));
    } else if (DemoForm.same(values, figure.form.tidy_start) && figure.form.areStart(figure.values)) {
      // The page came with the first frame of this run.
      figure.setPending(false);
    }
    if (waited && !figure.pending && !figure.errand.action) {
      figure.words.waiting = "";
      figure.words.tell();
    }
  }

  /**
   * The recording of a run, by the values that Python knows it by.
   * @param {Record<string, string>} values
   */
  of(values) {
    const found = this.kept.find((each) => DemoForm.same(each.recording.data.run.values, values));
    return found ? found.recording : null;
  }
}
