// Where on its time axis does a run stand, and what moves it? One clock per demo; it knows nothing of the picture.
"use strict";

/** A longer gap between two frames, of a stalled browser, does not move the run further than this. */
const LONGEST_GAP_S = 0.25;

class DemoPlayer {
  /**
   * @param {() => void} moved called after every change of the moment or of `playing`
   * @param {() => boolean} drawable whether the moment could be drawn now; while it could not, time stands
   */
  constructor(moved, drawable) {
    this.moved = moved;
    this.drawable = drawable;
    /** @type {DemoRun} */
    this.run = { stops: [0], end_s: 0, rate: 1, says: [""] };
    this.time_s = 0;
    this.speed = 1;
    this.playing = false;
    /** Real seconds that this run has played from its beginning, or NaN once it was moved by hand. */
    this.played_s = 0;
    this.handle = 0;
    this.last_ms = 0;
    // A hidden tab draws no frames: the run stands there, and so does its clock.
    document.addEventListener("visibilitychange", () => {
      this.last_ms = performance.now();
    });
  }

  /**
   * Takes a new run and stands at its beginning.
   * @param {DemoRun} run
   */
  load(run) {
    this.stop();
    this.run = run;
    this.time_s = 0;
    this.played_s = 0;
  }

  play() {
    if (this.playing) return;
    if (this.time_s >= this.run.end_s) this.time_s = 0;
    if (this.time_s === 0) this.played_s = 0;
    this.playing = true;
    this.last_ms = performance.now();
    this.handle = requestAnimationFrame((now_ms) => this.tick(now_ms));
    this.moved();
  }

  /** @param {number} now_ms */
  tick(now_ms) {
    const gap_s = Math.max(now_ms - this.last_ms, 0) / 1000;
    this.last_ms = Math.max(now_ms, this.last_ms);
    if (this.drawable()) {
      this.played_s += gap_s;
      const moved_s = Math.min(gap_s, LONGEST_GAP_S) * this.run.rate * this.speed;
      this.time_s = Math.min(this.time_s + moved_s, this.run.end_s);
      if (this.time_s >= this.run.end_s) this.playing = false;
      this.moved();
    }
    if (this.playing) this.handle = requestAnimationFrame((next_ms) => this.tick(next_ms));
  }

  stop() {
    this.playing = false;
    cancelAnimationFrame(this.handle);
  }

  pause() {
    this.stop();
    this.moved();
  }

  /** Goes to the next stop; at the end it stays there. */
  step() {
    const next = this.run.stops.find((stop) => stop > this.time_s);
    this.seek(next === undefined ? this.run.end_s : next);
  }

  reset() {
    this.seek(0);
    this.played_s = 0;
  }

  /** @param {number} time_s */
  seek(time_s) {
    this.stop();
    this.time_s = Math.min(Math.max(time_s, 0), this.run.end_s);
    this.played_s = NaN;
    this.moved();
  }

  /** The index of the last stop that is not later than now. */
  stopIndex() {
    let index = 0;
    while (index + 1 < this.run.stops.length && this.run.stops[index + 1] <= this.time_s) index += 1;
    return index;
  }

  say() {
    return this.run.says[this.stopIndex()];
  }
}
