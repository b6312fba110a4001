// The view of one demo: the one place that writes the demo's state to the page.
"use strict";

class DemoView {
  /**
   * @param {HTMLElement} element the figure
   * @param {DemoForm} form
   */
  constructor(element, form) {
    this.element = element;
    this.frame = new DemoFrame(DemoMarkup.part(element, "[data-part=frame]"));
    this.problems = new DemoProblems(element.id, form.controls);
    this.more = new MoreSettings(form);
    this.status = DemoMarkup.part(element, "[role=status]");
    this.sentence = DemoView.besides(this.status);
    this.scrubber = DemoMarkup.scrubber(element);
    this.math = element.querySelector("[data-part=math]");
    this.math_html = "";
  }

  /** @param {DemoState} state */
  render(state) {
    this.mark("state", state.phase);
    this.mark("playing", String(state.playing));
    this.mark("timeS", String(state.time_s));
    this.problems.render(state.problems);
    this.more.render(state);
    this.frame.render(state);
    this.renderMath(state.math_html);
    if (this.scrubber) this.renderMoment(this.scrubber, state);
    // A screen reader speaks every change of this line, so it changes slowly; what the eyes read keeps up with the picture.
    if (this.status.textContent !== state.status_line) this.status.textContent = state.status_line;
    const seen = state.playing ? state.say() : state.status_line;
    if (this.sentence.textContent !== seen) this.sentence.textContent = seen;
  }

  /** The sentence for the eyes, which stands where the status line was; that one is for the ears from now on. @param {HTMLElement} status */
  static besides(status) {
    const sentence = document.createElement("p");
    sentence.className = status.className;
    sentence.dataset.part = "sentence";
    sentence.setAttribute("aria-hidden", "true");
    sentence.textContent = status.textContent;
    status.before(sentence);
    status.className = "demo-heard";
    return sentence;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  mark(name, value) {
    if (this.element.dataset[name] !== value) this.element.dataset[name] = value;
  }

  /** @param {string} html */
  renderMath(html) {
    if (!this.math || html === this.math_html) return;
    this.math_html = html;
    morphdom(this.math, `<div>${html}</div>`, { childrenOnly: true });
  }

  /**
   * @param {HTMLInputElement} scrubber
   * @param {DemoState} state
   */
  renderMoment(scrubber, state) {
    const place = state.run.end_s > 0 ? state.time_s / state.run.end_s : 0;
    const value = String(Math.round(place * Number(scrubber.max)));
    if (scrubber.value !== value) scrubber.value = value;
    const text = `Moment ${state.stopIndex() + 1} of ${state.run.stops.length}. ${state.say()}`;
    if (scrubber.getAttribute("aria-valuetext") !== text) scrubber.setAttribute("aria-valuetext", text);
  }
}
