// The buttons that move a run: Run, Pause, Step, Reset, the time slider and the speed, all of them plain form elements.
"use strict";

/**
 * @typedef {{
 *   whenDrawable: (action: () => void, waiting: string) => void,
 *   note: (text: string) => void,
 * }} TransportListener
 */

class DemoTransport {
  /**
   * @param {HTMLElement} figure
   * @param {DemoState} state
   * @param {DemoPlayer} player
   * @param {TransportListener} listener
   */
  constructor(figure, state, player, listener) {
    this.state = state;
    this.player = player;
    this.listener = listener;
    this.scrubber = DemoMarkup.scrubber(figure);
    const bar = figure.querySelector(".demo-transport");
    if (!bar) return;
    bar.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button) this.press(button.dataset.do || "");
    });
    bar.addEventListener("input", (event) => {
      if (event.target === this.scrubber) this.scrub();
      else if (event.target instanceof HTMLSelectElement) state.speed = Number(event.target.value);
    });
    const speed = bar.querySelector("[data-do=speed]");
    if (speed instanceof HTMLSelectElement) state.speed = Number(speed.value);
  }

  /** @param {string} what */
  press(what) {
    const { player, listener } = this;
    if (what === "run") listener.whenDrawable(() => this.run(), "This run will start when Python is ready.");
    if (what === "pause") player.pause();
    if (what === "step") listener.whenDrawable(() => player.step(), "The next step will show when Python is ready.");
    if (what === "reset") listener.whenDrawable(() => player.reset(), "The run will show when Python is ready.");
  }

  run() {
    const { player, state } = this;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      player.play();
      return;
    }
    player.seek(state.run.end_s);
    this.listener.note(`Motion is reduced on this device, so this is the end of the run; use Step and Time to walk through it. ${state.say()}`);
  }

  scrub() {
    const { scrubber, listener } = this;
    if (!scrubber) return;
    const place = Number(scrubber.value) / Number(scrubber.max);
    listener.whenDrawable(() => this.player.seek(this.near(place)), "That moment will show when Python is ready.");
  }

  /** The moment at a place of the slider, or the stop that lies within half a notch of it. @param {number} place */
  near(place) {
    const { stops, end_s } = this.state.run;
    const time_s = place * end_s;
    const half_s = end_s / Number(this.scrubber?.max || 1) / 2;
    return stops.find((stop) => Math.abs(stop - time_s) <= half_s) ?? time_s;
  }
}
