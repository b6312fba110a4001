// The buttons below a demo: link, CSV, embed code, pictures, start values, settings to try.
"use strict";

/**
 * @typedef {{
 *   note: (text: string) => void,
 *   table: () => Promise<string | null>,
 *   setValues: (values: Record<string, string>, recording?: string) => void,
 *   savePicture: (kind: "png" | "svg", place: HTMLElement) => void,
 * }} ActionsListener
 */

class DemoActions {
  /**
   * @param {DemoForm} form
   * @param {DemoState} state
   * @param {ActionsListener} listener
   */
  constructor(form, state, listener) {
    this.form = form;
    this.state = state;
    this.listener = listener;
    new FrameButtons(form, listener.note);
    form.figure.querySelector(".demo-foot")?.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button) this.press(button);
    });
  }

  /** @param {HTMLButtonElement} button */
  press(button) {
    const { listener, form } = this;
    const row = button.parentElement || button;
    const kind = button.dataset.save;
    if (button.dataset.do === "link") this.copyLink(row);
    if (button.dataset.do === "csv") this.copyTable(row);
    if (button.dataset.do === "embed") this.copyEmbed(row);
    if (kind === "png" || kind === "svg") listener.savePicture(kind, row);
    if (button.dataset.do === "start-values") listener.setValues(form.start);
    if (button.dataset.values) listener.setValues(JSON.parse(button.dataset.values), button.dataset.recording);
  }

  /** @param {HTMLElement} row */
  async copyLink(row) {
    const { link, note } = DemoAddress.link(this.form, this.state.refused);
    const copied = await DemoClipboard.copy(link, "Link to this setting", row);
    this.listener.note(`${copied ? "The link is copied." : "The link is shown below, selected."} ${note}`.trim());
  }

  /** @param {HTMLElement} row */
  async copyEmbed(row) {
    const { code, note } = EmbedCode.code(this.form, this.state.refused);
    const copied = await DemoClipboard.copy(code, "Embed code", row);
    this.listener.note(`${copied ? "The embed code is copied." : "The embed code is shown below, selected."} ${note}`.trim());
  }

  /** @param {HTMLElement} row */
  async copyTable(row) {
    const table = await this.listener.table();
    if (table === null) return;
    const copied = await DemoClipboard.copy(table, "The numbers as CSV", row);
    this.listener.note(copied ? "The numbers are copied as CSV." : "The numbers are shown below, selected.");
  }
}
