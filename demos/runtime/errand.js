// Can the page do now what the reader asked of the run? If not, it does so as soon as there is the right run.
"use strict";

class DemoErrand {
  /** @param {DemoFigure} figure */
  constructor(figure) {
    this.figure = figure;
    /** @type {(() => void) | null} */
    this.action = null;
    /** Whether the recorded run is on its way. */
    this.expected = false;
  }

  /**
   * @param {() => void} action
   * @param {string} waiting what the status line says meanwhile
   */
  run(action, waiting) {
    const { figure } = this;
    figure.begin();
    if (figure.drawable()) {
      action();
    } else if (figure.words.trouble && !figure.session.show_wish && !this.expected) {
      figure.words.tellTrouble();
    } else {
      this.action = action;
      figure.words.wait(waiting);
    }
  }

  resume() {
    const action = this.action;
    this.drop();
    if (action) action();
    else this.figure.words.tell();
  }

  drop() {
    this.action = null;
    this.figure.words.waiting = "";
  }

  async fetchRecording() {
    const { figure } = this;
    const url = figure.element.dataset.recording;
    this.expected = Boolean(url);
    // Without it a run only has to wait for Python.
    if (url) figure.recording = await TwoSpeeds.recordings.load(url).catch(() => null);
    this.expected = false;
    if (this.action && figure.drawable()) this.resume();
    else if (figure.failed()) this.giveUp();
  }

  /** What was asked for will not come, unless the recorded run is it and on its way. */
  giveUp() {
    if (this.expected && !this.figure.pending) return;
    if (this.action) this.figure.words.tellTrouble();
    this.drop();
  }
}
