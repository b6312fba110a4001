// What does one demo of the page show now, and what does it wait for? Controls, clock, recorded run and Python meet here.
"use strict";

class DemoFigure {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.status = new DemoStatus(DemoFigure.part(element, "[role=status]"));
    this.frame = new DemoFrame(DemoFigure.part(element, "[data-part=frame]"));
    this.form = new DemoForm(element);
    this.problems = new DemoProblems(this.form);
    this.player = new DemoPlayer(() => this.moved(), () => this.drawable());
    this.session = new DemoSession(element.id, element.dataset.demo || "", {
      shown: (answer) => this.shown(answer),
      drawn: (html) => this.frame.show(html),
      broke: (error) => this.broke(error),
      lost: () => this.words.lost(),
    });
    /** The values of the run that the player holds. */
    this.values = this.form.start;
    /** @type {DemoRecording | null} */
    this.recording = null;
    /** Whether the recorded run is on its way. */
    this.expected = false;
    /** Whether the controls ask for another run than the player holds. */
    this.pending = false;
    /** @type {(() => void) | null} what the reader asked for and could not have yet */
    this.deferred = null;
    this.words = new DemoWords(this);
    /** @type {RawValues | null} */
    this.given = DemoAddress.read(element.id);
    this.begun = false;
    this.asked = "";
    this.player.load(DemoFigure.startRun(element));
    this.transport = new DemoTransport(this);
    this.actions = new DemoActions(this);
    DemoControls.listen(this);
    DemoInterest.watch(element, () => this.begin());
    if (this.given) this.wait("The address asks for another setting.");
  }

  /** @param {string} state */
  setState(state) {
    this.element.dataset.state = state;
  }

  failed() {
    return this.element.dataset.state === "failed";
  }

  /** The reader cares: fetches the recorded run and Python. */
  begin() {
    if (this.begun) return;
    this.begun = true;
    this.setState("loading");
    this.fetchRecording();
    DemoPython.begin(this);
  }

  /** What Python shows first; a setting of the address is judged after the page's own values. */
  wish() {
    return { raw: this.given ? this.form.startRaw() : this.form.raw(), time_s: this.player.time_s };
  }

  async fetchRecording() {
    const url = this.element.dataset.recording;
    this.expected = Boolean(url);
    // Without it a run only has to wait for Python.
    if (url) this.recording = await TwoSpeeds.recordings.load(url).catch(() => null);
    this.expected = false;
    if (this.deferred && this.drawable()) this.resume();
    else if (this.failed()) this.giveUp();
  }

  /** What the reader asked for will not come, unless the recorded run is it and on its way. */
  giveUp() {
    if (this.expected && !this.pending) return;
    if (this.deferred) this.words.tellTrouble();
    this.deferred = null;
  }

  /** Whether the run that the controls ask for can be drawn at any moment. */
  drawable() {
    if (this.pending) return false;
    return this.session.live || (this.recording !== null && this.form.areStart(this.values));
  }

  draw() {
    if (this.session.live) this.session.draw(this.player.time_s);
    else if (this.recording) this.frame.show(this.recording.htmlAt(this.player.time_s));
  }

  /**
   * Does something with the run at once, or as soon as there is the right one.
   * @param {() => void} action
   * @param {string} waiting what the status line says meanwhile
   */
  whenDrawable(action, waiting) {
    this.begin();
    if (this.drawable()) action();
    else if (this.words.trouble && !this.session.show_wish && !this.expected) this.words.tellTrouble();
    else {
      this.deferred = action;
      this.words.wait(waiting);
    }
  }

  resume() {
    const action = this.deferred;
    this.deferred = null;
    this.words.waiting = "";
    if (action) action();
    else this.words.tell();
  }

  /** @param {string} why */
  wait(why) {
    this.pending = true;
    this.frame.wait(true);
    this.begin();
    this.words.wait(why);
  }

  /** The reader changed a control: the run stops, and the latest setting is asked for. */
  changed() {
    const raw = this.form.raw();
    const asked = JSON.stringify(raw);
    if (asked === this.asked) return;
    this.asked = asked;
    this.player.pause();
    this.deferred = null;
    this.pending = this.session.live || !this.form.isStart() || !this.form.areStart(this.values);
    this.frame.wait(this.pending);
    this.begin();
    if (!this.failed()) this.session.show(raw, 0);
    this.words.changed();
  }

  /** @param {ShowAnswer} answer */
  shown(answer) {
    this.setState("ready");
    if (this.given) {
      const raw = DemoFills.complete(this.form, this.given);
      this.given = null;
      this.asked = "";
      this.session.show(raw, 0);
      return;
    }
    const newest = !this.session.show_wish;
    this.form.writeTexts(answer.texts);
    if (newest) {
      const typed = this.asked ? new Set(answer.problems.flatMap((problem) => problem.control || [])) : undefined;
      this.form.write(answer.values, typed);
      this.problems.show(answer.problems);
      this.pending = false;
      this.frame.wait(false);
    }
    if (DemoForm.same(answer.values, this.values)) {
      if (!this.player.playing) this.draw();
    } else {
      this.values = answer.values;
      this.player.load(answer);
      this.frame.forgetMeasures();
      this.frame.show(answer.frame);
      this.transport.follow();
    }
    this.actions.refreshMath();
    this.words.trouble = "";
    if (newest) this.resume();
  }

  /** Python refused with an error of its own; it still runs. @param {unknown} error */
  broke(error) {
    this.deferred = null;
    this.words.fail(`Python stopped with an error: ${String(error instanceof Error ? error.message : error)}`);
  }

  /** The player stands at another moment, or has started or stopped. */
  moved() {
    if (this.drawable()) this.draw();
    this.transport.follow();
    DemoMeasures.follow(this);
    this.words.follow();
  }

  /** @param {HTMLElement} element @returns {DemoRun} */
  static startRun(element) {
    const data = element.dataset;
    return {
      stops: JSON.parse(data.stops || "[0]"),
      end_s: Number(data.endS || 0),
      rate: Number(data.rate || 1),
      says: JSON.parse(data.says || '[""]'),
      measure: JSON.parse(data.measure || "{}"),
    };
  }

  /** @param {HTMLElement} element @param {string} selector */
  static part(element, selector) {
    const found = element.querySelector(selector);
    if (!(found instanceof HTMLElement)) throw new Error(`the demo ${element.id} lacks ${selector}`);
    return found;
  }
}
