// Which buttons move the run? Run, Pause, Step, Reset, the time slider and the speed, all of them plain form elements.
"use strict";

class DemoTransport {
  /** @param {DemoFigure} figure */
  constructor(figure) {
    this.figure = figure;
    const bar = figure.element.querySelector(".demo-transport");
    const scrubber = bar && bar.querySelector("[data-do=scrub]");
    this.scrubber = scrubber instanceof HTMLInputElement ? scrubber : null;
    if (!bar) return;
    bar.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button) this.press(button.dataset.do || "");
    });
    bar.addEventListener("input", (event) => {
      if (event.target === this.scrubber) this.scrub();
      else if (event.target instanceof HTMLSelectElement) figure.player.speed = Number(event.target.value);
    });
    const speed = bar.querySelector("[data-do=speed]");
    if (speed instanceof HTMLSelectElement) figure.player.speed = Number(speed.value);
    this.follow();
  }

  /** @param {string} what */
  press(what) {
    const { figure } = this;
    const { player } = figure;
    if (what === "run") figure.errand.run(() => this.run(), "This run starts as soon as Python is there.");
    if (what === "pause") player.pause();
    if (what === "step") figure.errand.run(() => player.step(), "The next step is shown as soon as Python is there.");
    if (what === "reset") figure.errand.run(() => player.reset(), "The run is shown as soon as Python is there.");
  }

  run() {
    const { player, words } = this.figure;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      player.play();
      return;
    }
    player.seek(player.run.end_s);
    words.note(`Motion is reduced on this device, so this is the end of the run; Step and Time walk through it. ${player.say()}`);
  }

  scrub() {
    const { scrubber, figure } = this;
    if (!scrubber) return;
    const place = Number(scrubber.value) / Number(scrubber.max);
    figure.errand.run(() => figure.player.seek(this.near(place)), "That moment is shown as soon as Python is there.");
  }

  /** The moment at a place of the slider, or the stop that lies within half a notch of it. @param {number} place */
  near(place) {
    const { stops, end_s } = this.figure.player.run;
    const time_s = place * end_s;
    const half_s = end_s / Number(this.scrubber?.max || 1) / 2;
    return stops.find((stop) => Math.abs(stop - time_s) <= half_s) ?? time_s;
  }

  /** Lets the page say where the run stands. */
  follow() {
    const { player, element } = this.figure;
    element.dataset.playing = String(player.playing);
    element.dataset.timeS = String(player.time_s);
    if (!this.scrubber) return;
    const place = player.run.end_s > 0 ? player.time_s / player.run.end_s : 0;
    const value = String(Math.round(place * Number(this.scrubber.max)));
    if (this.scrubber.value !== value) this.scrubber.value = value;
    const text = `Moment ${player.stopIndex() + 1} of ${player.run.stops.length}. ${player.say()}`;
    if (this.scrubber.getAttribute("aria-valuetext") !== text) this.scrubber.setAttribute("aria-valuetext", text);
  }
}
