// What do the buttons below a demo do: link, CSV, embed code, pictures, start values, settings to try, the math?
"use strict";

/** The math follows a moving slider at most this often. */
const MATH_REST_MS = 250;

class DemoActions {
  /** @param {DemoFigure} figure */
  constructor(figure) {
    this.figure = figure;
    this.math_timer = 0;
    const foot = figure.element.querySelector(".demo-foot");
    const details = foot && foot.querySelector("details.demo-math");
    this.details = details instanceof HTMLDetailsElement ? details : null;
    if (this.details) this.details.addEventListener("toggle", () => this.refreshMath());
    if (!foot) return;
    foot.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button) this.press(button);
    });
  }

  /** @param {HTMLButtonElement} button */
  press(button) {
    if (button.dataset.do === "link") this.copyLink(button);
    if (button.dataset.do === "csv") this.copyTable(button);
    if (button.dataset.do === "embed") this.copyEmbed(button);
    const kind = button.dataset.save;
    if (kind === "png" || kind === "svg") SavePicture.ask(this.figure, kind, DemoActions.row(button));
    if (button.dataset.do === "start-values") this.set(this.figure.form.start);
    if (button.dataset.values) this.set(JSON.parse(button.dataset.values), button.dataset.recording);
  }

  /**
   * @param {Record<string, string>} values
   * @param {string} [recording] the address of the run with these values, all others being start values
   */
  set(values, recording) {
    const { figure } = this;
    figure.given = null;
    figure.asked = null;
    const others = figure.form.differing().filter((name) => !(name in values));
    const mended = [...figure.problems.names].map((name) => [name, figure.values[name]]);
    figure.form.write({ ...Object.fromEntries(mended), ...values });
    for (const select of ExampleFills.choices(figure.form)) {
      if (select.name in values) figure.form.write({ ...ExampleFills.of(select), ...values });
    }
    if (!figure.session.live) for (const control of figure.form.controls.values()) figure.form.writePlain(control);
    figure.problems.show([]);
    figure.begin();
    if (recording && !figure.session.live && !others.length) figure.library.fetch(recording, figure.form.values());
    figure.changed();
  }

  /** @param {HTMLButtonElement} button */
  async copyLink(button) {
    const { form, problems, words } = this.figure;
    const { link, note } = DemoAddress.link(form, problems.names);
    const copied = await DemoClipboard.copy(link, "Link to this setting", DemoActions.row(button));
    words.note(`${copied ? "The link is copied." : "The link is shown below, selected."} ${note}`.trim());
  }

  /** @param {HTMLButtonElement} button */
  async copyEmbed(button) {
    const { form, problems, words } = this.figure;
    const { code, note } = EmbedCode.code(form, problems.names);
    const copied = await DemoClipboard.copy(code, "Embed code", DemoActions.row(button));
    words.note(`${copied ? "The embed code is copied." : "The embed code is shown below, selected."} ${note}`.trim());
  }

  /** @param {HTMLButtonElement} button */
  async copyTable(button) {
    const { figure } = this;
    figure.begin();
    if (figure.failed()) {
      figure.words.tellTrouble();
      return;
    }
    if (!figure.session.live) figure.words.wait("The numbers are copied as soon as Python is there.");
    try {
      const table = await figure.session.text("table");
      const copied = await DemoClipboard.copy(table, "The numbers as CSV", DemoActions.row(button));
      figure.words.note(copied ? "The numbers are copied as CSV." : "The numbers are shown below, selected.");
    } catch (error) {
      if (!figure.failed()) figure.broke(error);
    }
  }

  /** Keeps the open math panel in step with the run shown. */
  refreshMath() {
    const { session } = this.figure;
    clearTimeout(this.math_timer);
    if (!this.details?.open || !session.live) return;
    this.math_timer = setTimeout(async () => {
      const panel = this.details?.querySelector("[data-part=math]");
      const html = await session.text("explain").catch(() => "");
      if (panel && html) morphdom(panel, `<div>${html}</div>`, { childrenOnly: true });
    }, MATH_REST_MS);
  }

  /** @param {HTMLElement} button */
  static row(button) {
    return button.parentElement || button;
  }
}
