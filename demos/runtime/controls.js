// What happens when a reader touches a control? What it fills and counts follows at once, the run as soon as Python answers.
"use strict";

const DemoControls = {
  /** @param {DemoFigure} figure */
  listen(figure) {
    const form = figure.element.querySelector("form.demo-controls");
    if (!form) return;
    form.addEventListener("submit", (event) => event.preventDefault());
    for (const kind of ["input", "change"]) {
      form.addEventListener(kind, (event) => {
        const control = DemoControls.named(figure, event.target);
        if (control) DemoControls.touched(figure, control);
      });
    }
  },

  /**
   * The control that an event is about; a nameless slider moves the one that it belongs to.
   * @param {DemoFigure} figure
   * @param {EventTarget | null} target
   */
  named(figure, target) {
    if (target instanceof HTMLInputElement && target.dataset.logFor) return DemoLogSlider.write(target);
    for (const control of figure.form.controls.values()) if (control === target) return control;
    return null;
  },

  /**
   * @param {DemoFigure} figure
   * @param {Control} control
   */
  touched(figure, control) {
    if (figure.given) delete figure.given[control.name];
    DemoFills.follow(figure.form, control);
    if (!figure.session.live) figure.form.writePlain(control);
    if (control instanceof HTMLTextAreaElement) DemoLimits.count(control);
    if (control instanceof HTMLInputElement) DemoLogSlider.followBox(control);
    figure.changed();
  },
};
