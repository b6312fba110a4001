// The state of one demo: all that its page knows, declared here and nowhere else. `DemoView.render` writes it to the page.
"use strict";

/**
 * The values that the reader wants are in the form's controls; everything else is here. Parts of a figure read and
 * write these fields; none of them touches the page.
 */
class DemoState {
  /**
   * @param {Record<string, string>} start the page's own control values
   * @param {DemoRun} run the run that was drawn when the site was built
   * @param {RawValues | null} address_values
   * @param {string} status_line
   */
  constructor(start, run, address_values, status_line) {
    /** @type {"static" | "loading" | "ready" | "failed"} */
    this.phase = "static";
    /** Whether the worker that runs now has shown this figure. */
    this.live = false;

    /** What the address asks for, until Python has judged it. */
    this.address_values = address_values;
    /** @type {Record<string, string> | null} the form's values that were asked for last; null if they came from elsewhere */
    this.asked_values = null;
    /** Whether the reader is still typing into a long text. */
    this.typing = false;
    /** The values of the run that is shown. */
    this.shown_values = start;
    /** Whether the controls ask for another run than is shown. */
    this.outdated = false;
    /** @type {DemoProblem[]} values that were refused, and why */
    this.problems = [];

    /** The run that is shown. */
    this.run = run;
    /** The moment of it that is shown, in simulated seconds. */
    this.time_s = 0;
    this.playing = false;
    /** How many times as fast as the run's own rate it plays. */
    this.speed = 1;
    /** Real seconds that this run has played from its beginning, or NaN once it was moved by hand. */
    this.played_s = 0;
    /** @type {Record<string, number>} real seconds by readout, from the page's own clock */
    this.measured_s = {};

    /** The HTML of the frame shown; empty stands for the one that the page came with. */
    this.frame_html = "";
    /** The HTML of the math below it; empty stands for what the page came with. */
    this.math_html = "";

    /** @type {(() => void) | null} what the reader asked of a run that cannot be drawn yet */
    this.pending_action = null;
    /** The address of the recorded run that is on its way. */
    this.awaited_recording = "";

    /** What the reader waits for, or nothing. */
    this.waiting = "";
    /** How far Python's start has come, in words. */
    this.progress = "";
    /** What a button has done; it holds until the reader does something else. */
    this.notice = "";
    /** What went wrong and has not been mended. */
    this.error = "";
    this.status_line = status_line;
  }

  get failed() {
    return this.phase === "failed";
  }

  /** Names of the controls whose value was refused. @returns {Set<string>} */
  get refused() {
    return new Set(this.problems.flatMap((problem) => problem.control || []));
  }

  /** The index of the last stop that is not later than now. */
  stopIndex() {
    let index = 0;
    while (index + 1 < this.run.stops.length && this.run.stops[index + 1] <= this.time_s) index += 1;
    return index;
  }

  /** The run's own sentence at this moment. */
  say() {
    return this.run.says[this.stopIndex()];
  }
}
