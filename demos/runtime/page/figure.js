// The controller of one demo: hears its parts, changes its state, and has the state rendered after every event.
"use strict";

class DemoFigure {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    const form = new DemoForm(element);
    const address_values = DemoAddress.read(element.id, form.privates);
    /** What the address sets stays, whatever machine the page is about. */
    this.addressed = new Set(Object.keys(address_values || {}));
    const state = new DemoState(form.start, DemoMarkup.run(element), address_values, DemoMarkup.status(element));
    const drawable = () => this.runs.drawable();
    this.form = form;
    this.state = state;
    this.view = new DemoView(element, form);
    const status = (this.status = new StatusText(state));
    const player = (this.player = new DemoPlayer(state, () => this.moved(), drawable));
    const session = (this.session = new DemoSession({ key: element.id, demo: element.dataset.demo || "", privates: form.privates }, state, {
      shown: (answer) => this.after(() => this.shown(answer)),
      drawn: (html) => this.after(() => (state.frame_html = html)),
      broke: (error) => this.after(() => this.answers.broke(error)),
      lost: () => this.after(() => this.answers.lost()),
    }));
    this.recordings = new DemoRecordings(state, () => this.after(() => this.answers.recordingCame()));
    const runs = (this.runs = new DemoRuns({ state, form, player, session, recordings: this.recordings }));
    const pending = (this.pending = new PendingAction(state, status, drawable, () => session.show_wish !== null));
    this.answers = new DemoAnswers({ state, form, player, session, runs, status, pending });
    this.math = new MathPanel(element, state, () => session.text("explain"), () => this.view.render(state));
    this.listen();
    this.after(() => {
      if (address_values) this.beginWithAddress();
      if (form.pasted()) this.changed();
    });
  }

  listen() {
    const { element, form, state, player } = this;
    const note = (/** @type {string} */ text) => this.after(() => this.status.note(text));
    const whenDrawable = this.whenDrawable.bind(this);
    /** @type {typeof whenDrawable} done at once, unless the picture is not that of the controls */
    const whenCurrent = (action, waiting) => (state.outdated ? whenDrawable(action, waiting) : action());
    const numbers = new DemoNumbers({ state, status: this.status, session: this.session }, {
      begin: () => this.begin(),
      broke: (error) => this.after(() => this.answers.broke(error)),
      changed: () => this.view.render(state),
    });
    new DemoTransport(element, state, player, { note, whenDrawable });
    new DemoActions(form, state, {
      note,
      table: () => numbers.csv(),
      setValues: (values, recording) => this.after(() => this.setValues(values, recording)),
      savePicture: (kind, place) => SavePicture.ask({ element, form, note }, kind, place, whenCurrent),
    });
    new DemoControls(form, state, () => this.after(() => this.changed()));
    FileDrop.listen(form, note);
    DemoInterest.watch(element, () => this.after(() => this.begin()));
  }

  /** Lets something happen, and the page show the state that it leaves. @param {() => void} event */
  after(event) {
    event();
    this.view.render(this.state);
  }

  /** The reader cares: fetches the recorded run and Python. */
  begin() {
    const { state, element, form } = this;
    if (state.phase !== "static") return;
    state.phase = "loading";
    const url = element.dataset.recording;
    if (url) this.recordings.fetch(url, form.tidy_start);
    PythonStart.begin({
      progress: (progress) => this.after(() => this.status.advance(progress)),
      ready: () => this.session.start(this.answers.firstWish()),
      failed: (error) => this.after(() => this.answers.gone(error)),
    });
  }

  beginWithAddress() {
    this.state.outdated = true;
    this.begin();
    if (!this.state.failed) this.status.wait("Loading the setting in the address.");
  }

  /** The reader changed a control: the run stops, and the latest setting is asked for. */
  changed() {
    const { state, form } = this;
    const asked = form.values();
    if (state.asked_values && DemoForm.same(asked, state.asked_values)) return;
    state.asked_values = asked;
    // A run that is paused need not be drawn once more as it was.
    if (state.playing) this.player.pause();
    this.pending.drop();
    this.begin();
    state.outdated = true;
    if (!state.live) this.answers.useRecorded();
    if (!state.failed) this.session.show(form.raw(), 0);
    this.status.changed();
    this.tellSetting();
  }

  /**
   * @param {Record<string, string>} values
   * @param {string} [recording] the address of the run with these values, all others being start values
   */
  setValues(values, recording) {
    const { state, form } = this;
    const others = form.differing().filter((name) => !(name in values));
    const mended = [...state.refused].map((name) => [name, state.shown_values[name]]);
    ExampleChoice.write(form, { ...Object.fromEntries(mended), ...values });
    if (!state.live) for (const control of form.controls.values()) form.writePlain(control);
    state.address_values = null;
    state.asked_values = null;
    state.problems = [];
    this.begin();
    if (recording && !state.live && !others.length) this.recordings.fetch(recording, form.values());
    this.changed();
  }

  /** @param {ShowAnswer} answer */
  shown(answer) {
    if (!this.answers.shown(answer)) return;
    this.math.refresh();
    this.tellSetting();
  }

  /** Tells whoever keeps a link with the demo's setting; there is none before Python has judged the address. */
  tellSetting() {
    const link = this.state.address_values ? null : DemoAddress.link(this.form, this.state.refused).link;
    this.element.dispatchEvent(new CustomEvent("demo-setting", { detail: link }));
  }

  /** The player has come to another moment, or has started or stopped. */
  moved() {
    this.after(() => {
      if (this.runs.drawable()) this.runs.draw();
      PageClock.follow(this.state);
      this.status.follow();
    });
  }

  /** @param {() => void} action @param {string} waiting what the status line says until the run is there */
  whenDrawable(action, waiting) {
    this.after(() => {
      this.begin();
      this.pending.run(action, waiting);
    });
  }
}
