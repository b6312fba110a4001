// What Python's answers, its errors and its end do to the state of a demo.
"use strict";

class DemoAnswers {
  /**
   * @param {{
   *   state: DemoState, form: DemoForm, player: DemoPlayer, session: DemoSession, runs: DemoRuns, status: StatusText, pending: PendingAction,
   * }} parts
   */
  constructor({ state, form, player, session, runs, status, pending }) {
    this.state = state;
    this.form = form;
    this.player = player;
    this.session = session;
    this.runs = runs;
    this.status = status;
    this.pending = pending;
  }

  /** What Python shows first; a setting of the address is judged after the page's own values. @returns {ShowWish} */
  firstWish() {
    const { state, form } = this;
    return { raw: state.address_values ? form.startRaw() : form.raw(), time_s: state.time_s };
  }

  /**
   * @param {ShowAnswer} answer
   * @returns {boolean} whether a run was taken; if not, the address's setting is asked for now
   */
  shown(answer) {
    const { state, form } = this;
    state.phase = "ready";
    state.error = "";
    if (state.address_values) {
      state.asked_values = null;
      this.session.show(ExampleChoice.complete(form, state.address_values), 0);
      state.address_values = null;
      return false;
    }
    if (this.runs.answered(answer)) this.pending.resume();
    return true;
  }

  /** Python refused with an error of its own; it still runs. @param {unknown} error */
  broke(error) {
    this.pending.drop();
    const message = error instanceof Error ? error.message : String(error);
    this.status.fail(`Python reported an error: ${message}. The picture shows the last setting that worked.`);
  }

  /** The worker died; a run halts until it is back. */
  lost() {
    if (!this.runs.drawable()) this.status.say("Python stopped and is restarting; the demo will continue then.");
  }

  /** Python is gone for good. @param {Error} error */
  gone(error) {
    const { state } = this;
    if (state.failed) return;
    state.phase = "failed";
    this.session.end(error);
    this.status.fail(error.message);
    if (state.playing && !this.runs.drawable()) this.player.pause();
    this.pending.giveUp();
  }

  /** A recorded run has come, or will not. */
  recordingCame() {
    if (!this.state.live) this.useRecorded();
    this.pending.look();
  }

  /** Before Python has answered: shows the recorded run that the controls ask for, if there is one. */
  useRecorded() {
    const { state } = this;
    const waited = state.outdated;
    this.runs.useRecorded();
    if (!waited || state.outdated || state.pending_action) return;
    state.waiting = "";
    this.status.tell();
  }
}
