// The session of one figure with Python: one request in flight; of several wishes for a run or a moment the latest wins.
"use strict";

/**
 * @typedef {{raw: RawValues, time_s: number}} ShowWish
 * @typedef {{call: "explain" | "table", resolve: (text: string) => void, reject: (error: unknown) => void}} TextWish
 * @typedef {{
 *   shown: (answer: ShowAnswer) => void,
 *   drawn: (html: string) => void,
 *   broke: (error: unknown) => void,
 *   lost: () => void,
 * }} SessionListener
 */

class DemoSession {
  /**
   * @param {{key: string, demo: string, privates: Set<string>}} figure its id, its demo, and the names of texts that
   *   go to Python only when they have changed
   * @param {DemoState} state
   * @param {SessionListener} listener
   */
  constructor({ key, demo, privates }, state, listener) {
    this.key = key;
    this.demo = demo;
    this.privates = new SentTexts(privates);
    this.state = state;
    this.listener = listener;
    this.open = false;
    this.busy = false;
    /** @type {ShowWish | null} */
    this.show_wish = null;
    /** @type {number | null} */
    this.draw_wish = null;
    /** @type {TextWish[]} */
    this.text_wishes = [];
  }

  /** @param {RawValues} raw @param {number} time_s */
  show(raw, time_s) {
    this.show_wish = { raw, time_s };
    this.draw_wish = null;
    this.pump();
  }

  /** @param {number} time_s */
  draw(time_s) {
    this.draw_wish = time_s;
    this.pump();
  }

  /**
   * The math or the rows of the latest run that was wished for.
   * @param {"explain" | "table"} call
   * @returns {Promise<string>}
   */
  text(call) {
    return new Promise((resolve, reject) => {
      this.text_wishes.push({ call, resolve, reject });
      this.pump();
    });
  }

  /**
   * Python is there (again): answers what was wished for, or else `wish`.
   * @param {ShowWish} wish
   */
  start(wish) {
    this.open = true;
    this.state.live = false;
    this.show_wish = this.show_wish || wish;
    this.pump();
  }

  /** Python is gone for good. @param {Error} error */
  end(error) {
    this.open = false;
    this.state.live = false;
    this.refuseTexts(error);
  }

  /** @param {unknown} error */
  refuseTexts(error) {
    for (const wish of this.text_wishes.splice(0)) wish.reject(error);
  }

  async pump() {
    if (this.busy) return;
    this.busy = true;
    while (this.open && (this.show_wish || (this.state.live && (this.draw_wish !== null || this.text_wishes.length)))) {
      if (this.show_wish) await this.askShow(this.show_wish);
      else if (this.draw_wish !== null) await this.askDraw(this.draw_wish);
      else await this.askText(this.text_wishes[0]);
    }
    this.busy = false;
  }

  /** @param {ShowWish} wish */
  async askShow(wish) {
    this.show_wish = null;
    try {
      if (!this.state.live) this.privates.forget();
      const raw = this.privates.leaveOut(wish.raw);
      const text = await TwoSpeeds.python.ask("show", [this.key, this.demo, JSON.stringify(raw), String(wish.time_s)]);
      this.state.live = true;
      this.listener.shown(this.privates.complete(JSON.parse(text), raw));
    } catch (error) {
      if (this.died(error)) this.show_wish = this.show_wish || wish;
      else {
        if (!this.state.live) this.refuseTexts(error);
        this.listener.broke(error);
      }
    }
  }

  /** @param {number} time_s */
  async askDraw(time_s) {
    this.draw_wish = null;
    try {
      const text = await TwoSpeeds.python.ask("draw", [this.key, String(time_s)]);
      if (!this.show_wish) this.listener.drawn(JSON.parse(text).frame);
    } catch (error) {
      if (!this.died(error)) this.listener.broke(error);
    }
  }

  /** @param {TextWish} wish */
  async askText(wish) {
    try {
      wish.resolve(await TwoSpeeds.python.ask(wish.call, [this.key]));
      this.text_wishes.shift();
    } catch (error) {
      if (this.died(error)) return;
      this.text_wishes.shift();
      wish.reject(error);
    }
  }

  /**
   * Whether an error says that the worker is gone: then nothing is asked until it is back.
   * @param {unknown} error
   */
  died(error) {
    if (!(error instanceof TwoSpeeds.WorkerDied)) return false;
    this.open = false;
    this.state.live = false;
    this.listener.lost();
    return true;
  }
}
