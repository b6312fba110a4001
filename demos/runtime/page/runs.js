// The run that a demo shows: answered by Python, recorded, or the one that the page came with.
"use strict";

class DemoRuns {
  /**
   * @param {{state: DemoState, form: DemoForm, player: DemoPlayer, session: DemoSession, recordings: DemoRecordings}} parts
   */
  constructor({ state, form, player, session, recordings }) {
    this.state = state;
    this.form = form;
    this.player = player;
    this.session = session;
    this.recordings = recordings;
  }

  /** Whether the run that the controls ask for can be drawn at any moment. */
  drawable() {
    const { state } = this;
    return !state.outdated && (state.live || this.recordings.forRun(state.shown_values) !== null);
  }

  draw() {
    const { state } = this;
    if (state.live) this.session.draw(state.time_s);
    else state.frame_html = this.recordings.forRun(state.shown_values)?.htmlAt(state.time_s) || state.frame_html;
  }

  /**
   * Shows a run from its beginning, or goes on with it if it is the one that is shown.
   * @param {RecordedRun} run
   * @param {string} first_frame
   */
  take(run, first_frame) {
    const { state } = this;
    if (DemoForm.same(run.values, state.shown_values)) {
      if (!state.playing) this.draw();
      return;
    }
    state.shown_values = run.values;
    this.player.load(run);
    PageClock.forget(state);
    state.frame_html = first_frame;
  }

  /** Before Python has answered: shows the recorded run that the controls ask for, if there is one. */
  useRecorded() {
    const { state, form } = this;
    if (state.address_values) return;
    const values = form.values();
    const recording = this.recordings.forSetting(values);
    if (recording) {
      const { run } = recording.data;
      state.outdated = false;
      form.writeTexts(run.texts);
      this.take(run, recording.htmlAt(0));
    } else if (DemoForm.same(values, form.tidy_start) && form.areStart(state.shown_values)) {
      // The page came with the first frame of this run.
      state.outdated = false;
    }
  }

  /**
   * Takes an answer of Python.
   * @param {ShowAnswer} answer
   * @returns {boolean} whether it is what the controls ask for now
   */
  answered(answer) {
    const { state, form } = this;
    // Whoever is typing has not said yet what they want.
    const newest = !this.session.show_wish && !state.typing;
    form.writeTexts(answer.texts);
    if (newest) {
      const refused = answer.problems.flatMap((problem) => problem.control || []);
      // What the reader typed stays, to be mended; what the address asked for was never typed.
      // A private text is never written over: the reader may have gone on with it.
      form.write(answer.values, new Set([...(state.asked_values ? refused : []), ...form.privates]));
      ExampleChoice.refill(form);
      state.problems = answer.problems;
      state.outdated = false;
    }
    this.take(answer, answer.frame);
    return newest;
  }
}
