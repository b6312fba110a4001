// The pending action of a demo: what the reader asked of a run that is not there yet, done as soon as it is.
"use strict";

class PendingAction {
  /**
   * @param {DemoState} state
   * @param {StatusText} status
   * @param {() => boolean} drawable whether the run that the controls ask for can be drawn
   * @param {() => boolean} asking whether Python is being asked for a run
   */
  constructor(state, status, drawable, asking) {
    this.state = state;
    this.status = status;
    this.drawable = drawable;
    this.asking = asking;
  }

  /**
   * @param {() => void} action
   * @param {string} waiting what the status line says meanwhile
   */
  run(action, waiting) {
    const { state } = this;
    if (this.drawable()) {
      action();
    } else if (state.error && !this.asking() && !state.awaited_recording) {
      this.status.tellError();
    } else {
      state.pending_action = action;
      this.status.wait(waiting);
    }
  }

  resume() {
    const action = this.state.pending_action;
    this.drop();
    if (action) action();
    else this.status.tell();
  }

  drop() {
    this.state.pending_action = null;
    this.state.waiting = "";
  }

  /** A recorded run has come, or will not. */
  look() {
    if (this.state.pending_action && this.drawable()) this.resume();
    else if (this.state.failed) this.giveUp();
  }

  /** What was asked for will not come, unless a recorded run is on its way that may be it. */
  giveUp() {
    if (this.state.awaited_recording) return;
    if (this.state.pending_action) this.status.tellError();
    this.drop();
  }
}
