// The player of a run: what moves it along its time axis. One clock per demo; it knows nothing of the picture.
"use strict";

/** A longer gap between two frames, of a stalled browser, does not move the run further than this. */
const LONGEST_GAP_S = 0.25;

class DemoPlayer {
  /**
   * @param {DemoState} state
   * @param {() => void} moved called after every change of the moment or of `playing`
   * @param {() => boolean} drawable whether the moment could be drawn now; while it could not, time halts
   */
  constructor(state, moved, drawable) {
    this.state = state;
    this.moved = moved;
    this.drawable = drawable;
    this.handle = 0;
    this.last_ms = 0;
    // A hidden tab draws no frames: the run halts there, and so does its clock.
    document.addEventListener("visibilitychange", () => {
      this.last_ms = performance.now();
    });
  }

  /**
   * Takes a new run and goes to its beginning.
   * @param {DemoRun} run
   */
  load(run) {
    this.stop();
    this.state.run = run;
    this.state.time_s = 0;
    this.state.played_s = 0;
  }

  play() {
    const { state } = this;
    if (state.playing) return;
    if (state.time_s >= state.run.end_s) state.time_s = 0;
    if (state.time_s === 0) state.played_s = 0;
    state.playing = true;
    this.last_ms = performance.now();
    this.handle = requestAnimationFrame((now_ms) => this.tick(now_ms));
    this.moved();
  }

  /** @param {number} now_ms */
  tick(now_ms) {
    const { state } = this;
    const gap_s = Math.max(now_ms - this.last_ms, 0) / 1000;
    this.last_ms = Math.max(now_ms, this.last_ms);
    if (this.drawable()) {
      state.played_s += gap_s;
      const moved_s = Math.min(gap_s, LONGEST_GAP_S) * state.run.rate * state.speed;
      state.time_s = Math.min(state.time_s + moved_s, state.run.end_s);
      if (state.time_s >= state.run.end_s) state.playing = false;
      this.moved();
    }
    if (state.playing) this.handle = requestAnimationFrame((next_ms) => this.tick(next_ms));
  }

  stop() {
    this.state.playing = false;
    cancelAnimationFrame(this.handle);
  }

  pause() {
    this.stop();
    this.moved();
  }

  /** Goes to the next stop; at the end it stays there. */
  step() {
    const { run, time_s } = this.state;
    const next = run.stops.find((stop) => stop > time_s);
    this.seek(next === undefined ? run.end_s : next);
  }

  reset() {
    this.seek(0);
    this.state.played_s = 0;
  }

  /** @param {number} time_s */
  seek(time_s) {
    const { state } = this;
    this.stop();
    state.time_s = Math.min(Math.max(time_s, 0), state.run.end_s);
    state.played_s = NaN;
    this.moved();
  }
}
