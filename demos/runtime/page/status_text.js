// The text of a demo's status line: the run's sentence, what is waited for, or what went wrong; and how often it may change.
"use strict";

/** While a run plays the line changes at most this often, and while Python starts. A screen reader speaks every change. */
const CALM_MS = 2000;
const PROGRESS_MS = 500;

class StatusText {
  /** @param {DemoState} state */
  constructor(state) {
    this.state = state;
    this.changed_ms = -CALM_MS;
    this.was_playing = false;
    this.stop_index = 0;
  }

  /** @param {string} text */
  say(text) {
    if (this.state.status_line === text) return;
    this.state.status_line = text;
    this.changed_ms = performance.now();
  }

  /**
   * Says something that is left out where the line has just changed.
   * @param {string} text
   * @param {number} gap_ms
   */
  sayCalmly(text, gap_ms) {
    if (performance.now() - this.changed_ms >= gap_ms) this.say(text);
  }

  tell() {
    if (!this.state.playing) this.say(this.line());
  }

  line() {
    const { waiting, progress, notice, problems, time_s } = this.state;
    if (waiting) return `${waiting} ${progress}`.trim();
    if (notice) return notice;
    if (problems.length) return problems.map((problem) => problem.message).join("; ");
    if (this.state.phase === "loading" && time_s === 0 && progress) return progress;
    return this.state.say();
  }

  /** A button has done something. @param {string} text */
  note(text) {
    this.state.waiting = "";
    this.state.notice = text;
    this.say(text);
  }

  /** @param {string} why */
  wait(why) {
    this.state.notice = "";
    this.state.waiting = why;
    this.tell();
  }

  /** @param {PythonProgress} progress */
  advance(progress) {
    const { state } = this;
    state.progress = progress.text;
    const shown = state.waiting || (state.phase === "loading" && state.time_s === 0);
    if (shown && !state.playing) this.sayCalmly(this.line(), PROGRESS_MS);
  }

  /** A control was changed. */
  changed() {
    const { state } = this;
    state.waiting = "";
    if (state.failed) {
      state.problems = [];
      if (state.outdated) this.tellError();
      else this.tell();
    } else if (state.outdated && !state.live) {
      this.wait("Your setting is saved and will show when Python is ready.");
    }
  }

  /** @param {string} error */
  fail(error) {
    this.state.error = error;
    this.state.waiting = "";
    // A playing run is not interrupted; its end says it.
    if (!this.state.playing) this.tellError();
  }

  tellError() {
    this.say(this.state.error);
  }

  /** Follows the player: at a stop, not too often while it plays, and at the end. */
  follow() {
    const { state } = this;
    state.notice = "";
    const index = state.stopIndex();
    if (!state.playing) {
      if (state.error && this.was_playing) this.say(`${state.say()} ${state.error}`);
      else this.tell();
    } else if (!this.was_playing) {
      this.say(state.say());
    } else if (index !== this.stop_index) {
      this.sayCalmly(state.say(), CALM_MS);
    }
    this.was_playing = state.playing;
    this.stop_index = index;
  }
}
