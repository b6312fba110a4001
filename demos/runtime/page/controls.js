// What happens when a reader touches a control? What it fills and counts follows at once, the run as soon as Python answers.
"use strict";

/** Python is asked about a long text when its writer rests this long, or leaves the box. */
const TYPING_REST_MS = 300;

const DemoControls = {
  /** @param {DemoFigure} figure */
  listen(figure) {
    const form = figure.element.querySelector("form.demo-controls");
    if (!form) return;
    form.addEventListener("submit", (event) => event.preventDefault());
    for (const kind of ["input", "change"]) {
      form.addEventListener(kind, (event) => {
        const control = DemoControls.named(figure, event.target);
        if (control) DemoControls.touched(figure, control, DemoControls.typing(figure, control, event));
      });
    }
  },

  /**
   * Whether more of a long text is likely to follow at once; what is pasted comes whole.
   * @param {DemoFigure} figure
   * @param {Control} control
   * @param {Event} event
   */
  typing(figure, control, event) {
    const pasted = event instanceof InputEvent && ["insertFromPaste", "insertFromDrop"].includes(event.inputType);
    return event.type === "input" && figure.form.privates.has(control.name) && !pasted;
  },

  /**
   * The control that an event is about; a nameless slider moves the one that it belongs to.
   * @param {DemoFigure} figure
   * @param {EventTarget | null} target
   */
  named(figure, target) {
    if (target instanceof HTMLInputElement && target.dataset.logFor) return LogSlider.write(target);
    for (const control of figure.form.controls.values()) if (control === target) return control;
    return null;
  },

  /**
   * @param {DemoFigure} figure
   * @param {Control} control
   * @param {boolean} typing whether more of a long text is likely to follow
   */
  touched(figure, control, typing) {
    if (figure.given) delete figure.given[control.name];
    ExampleFills.follow(figure.form, control);
    if (!figure.session.live) figure.form.writePlain(control);
    if (control instanceof HTMLTextAreaElement) CharacterCount.count(control);
    if (control instanceof HTMLInputElement) LogSlider.followBox(control);
    clearTimeout(figure.typing_rest);
    figure.typing_rest = 0;
    if (typing) figure.typing_rest = window.setTimeout(() => DemoControls.rested(figure), TYPING_REST_MS);
    else figure.changed();
  },

  /** @param {DemoFigure} figure */
  rested(figure) {
    figure.typing_rest = 0;
    figure.changed();
  },
};
