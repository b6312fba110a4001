// The controls of a demo under a reader's hand: what one fills and counts follows at once, the run as soon as Python answers.
"use strict";

/** Python is asked about a long text when its writer rests this long, or leaves the box. */
const TYPING_REST_MS = 300;

class DemoControls {
  /**
   * @param {DemoForm} form
   * @param {DemoState} state
   * @param {() => void} changed called when the form asks for another run
   */
  constructor(form, state, changed) {
    this.form = form;
    this.state = state;
    this.changed = changed;
    this.timer = 0;
    const element = form.figure.querySelector("form.demo-controls");
    if (!element) return;
    element.addEventListener("submit", (event) => event.preventDefault());
    for (const kind of ["input", "change"]) {
      element.addEventListener(kind, (event) => {
        const control = this.named(event.target);
        if (control) this.touched(control, this.typing(control, event));
      });
    }
  }

  /**
   * Whether more of a long text is likely to follow at once; what is pasted comes whole.
   * @param {Control} control
   * @param {Event} event
   */
  typing(control, event) {
    const pasted = event instanceof InputEvent && ["insertFromPaste", "insertFromDrop"].includes(event.inputType);
    return event.type === "input" && this.form.privates.has(control.name) && !pasted;
  }

  /**
   * The control that an event is about; a nameless slider moves the one that it belongs to.
   * @param {EventTarget | null} target
   */
  named(target) {
    if (target instanceof HTMLInputElement && target.dataset.logFor) return LogSlider.write(target);
    for (const control of this.form.controls.values()) if (control === target) return control;
    return null;
  }

  /**
   * @param {Control} control
   * @param {boolean} typing whether more of a long text is likely to follow
   */
  touched(control, typing) {
    const { form, state } = this;
    if (state.address_values) delete state.address_values[control.name];
    ExampleChoice.follow(form, control);
    if (!state.live) form.writePlain(control);
    if (control instanceof HTMLTextAreaElement) CharacterCount.count(control);
    if (control instanceof HTMLInputElement) LogSlider.followBox(control);
    clearTimeout(this.timer);
    state.typing = typing;
    if (typing) this.timer = window.setTimeout(() => this.rested(), TYPING_REST_MS);
    else this.changed();
  }

  rested() {
    this.state.typing = false;
    this.changed();
  }
}
