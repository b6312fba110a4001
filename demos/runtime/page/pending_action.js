// Can the page do now what the reader asked of the run? If not, it does so as soon as there is the right run.
"use strict";

class PendingAction {
  /** @param {DemoFigure} figure */
  constructor(figure) {
    this.figure = figure;
    /** @type {(() => void) | null} */
    this.action = null;
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
    } else if (figure.words.trouble && !figure.session.show_wish && !figure.library.expected) {
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

  /** A recorded run has come, or will not. */
  look() {
    if (this.action && this.figure.drawable()) this.resume();
    else if (this.figure.failed()) this.giveUp();
  }

  /** What was asked for will not come, unless a recorded run is on its way that may be it. */
  giveUp() {
    if (this.figure.library.expected) return;
    if (this.action) this.figure.words.tellTrouble();
    this.drop();
  }
}
