// What does one demo of the page show now? Controls, clock, recorded run and Python meet here.
"use strict";

class DemoFigure {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.status = new DemoStatus(DemoMarkup.part(element, "[role=status]"));
    this.frame = new DemoFrame(DemoMarkup.part(element, "[data-part=frame]"));
    this.form = new DemoForm(element);
    this.problems = new DemoProblems(this.form);
    this.player = new DemoPlayer(() => this.moved(), () => this.drawable());
    this.session = new DemoSession(element.id, element.dataset.demo || "", this.form.privates, {
      shown: (answer) => this.shown(answer),
      drawn: (html) => this.frame.show(html),
      broke: (error) => this.broke(error),
      lost: () => this.words.lost(),
    });
    this.words = new StatusText(this);
    this.errand = new PendingAction(this);
    /** The values of the run that the player holds. */
    this.values = this.form.start;
    this.library = new DemoRecordings(this);
    /** Whether the controls ask for another run than the player holds. */
    this.pending = false;
    /** @type {RawValues | null} what the address asks for, until Python has judged it */
    this.given = DemoAddress.read(element.id, this.form.privates);
    this.begun = false;
    /** The timer that waits for the end of typing into a long text. */
    this.typing_rest = 0;
    /** @type {Record<string, string> | null} the form's values that were asked for last; null if they came from elsewhere */
    this.asked = null;
    this.player.load(DemoMarkup.run(element));
    this.transport = new DemoTransport(this);
    this.actions = new DemoActions(this);
    DemoControls.listen(this);
    FileDrop.listen(this);
    DemoInterest.watch(element, () => this.begin());
    if (this.given) this.beginWithAddress();
    if (this.form.pasted()) this.changed();
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
    const url = this.element.dataset.recording;
    if (url) this.library.fetch(url, this.form.tidy_start);
    PythonStart.begin(this);
  }

  beginWithAddress() {
    this.setPending(true);
    this.begin();
    if (!this.failed()) this.words.wait("The address asks for another setting.");
  }

  /** What Python shows first; a setting of the address is judged after the page's own values. */
  wish() {
    return { raw: this.given ? this.form.startRaw() : this.form.raw(), time_s: this.player.time_s };
  }

  /** @param {boolean} pending */
  setPending(pending) {
    this.pending = pending;
    this.frame.wait(pending);
  }

  /** Whether the run that the controls ask for can be drawn at any moment. */
  drawable() {
    if (this.pending) return false;
    return this.session.live || this.library.of(this.values) !== null;
  }

  draw() {
    if (this.session.live) this.session.draw(this.player.time_s);
    else this.frame.show(this.library.of(this.values)?.htmlAt(this.player.time_s) || this.frame.html);
  }

  /** The reader changed a control: the run stops, and the latest setting is asked for. */
  changed() {
    const asked = this.form.values();
    if (this.asked && DemoForm.same(asked, this.asked)) return;
    this.asked = asked;
    // A run that stands still need not be drawn once more as it was.
    if (this.player.playing) this.player.pause();
    this.errand.drop();
    this.begin();
    this.setPending(true);
    if (!this.session.live) this.library.use();
    if (!this.failed()) this.session.show(this.form.raw(), 0);
    this.words.changed();
    this.tellSetting();
  }

  /** @param {ShowAnswer} answer */
  shown(answer) {
    this.setState("ready");
    this.words.trouble = "";
    if (this.given) {
      this.asked = null;
      this.session.show(ExampleFills.complete(this.form, this.given), 0);
      this.given = null;
      return;
    }
    // Whoever is typing has not said yet what they want.
    const newest = !this.session.show_wish && !this.typing_rest;
    this.form.writeTexts(answer.texts);
    if (newest) {
      const refused = new Set(answer.problems.flatMap((problem) => problem.control || []));
      // What the reader typed stays, to be mended; what the address asked for was never typed.
      // A private text is never written over: the reader may have gone on with it.
      this.form.write(answer.values, new Set([...(this.asked ? refused : []), ...this.form.privates]));
      ExampleFills.refill(this.form);
      this.problems.show(answer.problems);
      this.setPending(false);
    }
    this.take(answer, answer.frame);
    this.actions.refreshMath();
    this.tellSetting();
    if (newest) this.errand.resume();
  }

  /** Tells whoever keeps a link with the demo's setting. */
  tellSetting() {
    this.element.dispatchEvent(new Event("demo-setting"));
  }

  /**
   * Shows a run from its beginning, or goes on with it if it is the one that is shown.
   * @param {RecordedRun} run
   * @param {string} first_frame
   */
  take(run, first_frame) {
    if (DemoForm.same(run.values, this.values)) {
      if (!this.player.playing) this.draw();
      return;
    }
    this.values = run.values;
    this.player.load(run);
    this.frame.forgetMeasures();
    this.frame.show(first_frame);
    this.transport.follow();
  }

  /** Python refused with an error of its own; it still runs. @param {unknown} error */
  broke(error) {
    this.errand.drop();
    const message = error instanceof Error ? error.message : String(error);
    this.words.fail(`Python reported an error: ${message}. The picture shows the last setting that worked.`);
  }

  /** The player stands at another moment, or has started or stopped. */
  moved() {
    if (this.drawable()) this.draw();
    this.transport.follow();
    PageClock.follow(this);
    this.words.follow();
  }
}
