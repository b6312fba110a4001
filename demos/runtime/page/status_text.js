// Which sentence belongs into a demo's status line now: the run's, what is waited for, or what went wrong?
"use strict";

class StatusText {
  /** @param {DemoFigure} figure */
  constructor(figure) {
    this.figure = figure;
    /** What the reader waits for, or nothing. */
    this.waiting = "";
    this.progress = "";
    /** What a button has done; it stands until the reader does something else. */
    this.notice = "";
    /** What went wrong and has not been mended. */
    this.trouble = "";
    this.was_playing = false;
    this.stop_index = 0;
  }

  tell() {
    if (!this.figure.player.playing) this.figure.status.say(this.line());
  }

  line() {
    if (this.waiting) return `${this.waiting} ${this.progress}`.trim();
    if (this.notice) return this.notice;
    if (this.figure.problems.text) return this.figure.problems.text;
    if (this.starting() && this.figure.player.time_s === 0 && this.progress) return this.progress;
    return this.figure.player.say();
  }

  starting() {
    return this.figure.element.dataset.state === "loading";
  }

  /** @param {string} text */
  note(text) {
    this.waiting = "";
    this.notice = text;
    this.figure.status.say(text);
  }

  /** @param {string} why */
  wait(why) {
    this.notice = "";
    this.waiting = why;
    this.tell();
  }

  /** @param {PythonProgress} progress */
  advance(progress) {
    this.progress = progress.text;
    const shown = this.waiting || (this.starting() && this.figure.player.time_s === 0);
    if (shown && !this.figure.player.playing) this.figure.status.sayCalmly(this.line(), PROGRESS_MS);
  }

  /** A control was changed. */
  changed() {
    const { figure } = this;
    this.waiting = "";
    if (figure.failed()) {
      figure.problems.show([]);
      if (figure.pending) this.tellTrouble();
      else this.tell();
    } else if (figure.pending && !figure.session.live) {
      this.wait("Your setting is remembered and shown as soon as Python is there.");
    }
  }

  /** @param {string} trouble */
  fail(trouble) {
    this.trouble = trouble;
    this.waiting = "";
    // A playing run is not interrupted; its end says it.
    if (!this.figure.player.playing) this.tellTrouble();
  }

  tellTrouble() {
    this.figure.status.say(this.trouble);
  }

  /** The worker died; a run stands still until it is back. */
  lost() {
    if (!this.figure.drawable()) this.figure.status.say("Python stopped and is started again; the demo goes on then.");
  }

  /** Follows the player: at a stop, not too often while it plays, and at the end. */
  follow() {
    const { player, status } = this.figure;
    this.notice = "";
    const index = player.stopIndex();
    if (!player.playing) {
      if (this.trouble && this.was_playing) status.say(`${player.say()} ${this.trouble}`);
      else this.tell();
    } else if (!this.was_playing) {
      status.say(player.say());
    } else if (index !== this.stop_index) {
      status.sayCalmly(player.say(), CALM_MS);
    }
    this.was_playing = player.playing;
    this.stop_index = index;
  }
}
