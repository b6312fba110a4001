// Refused values on the page: at its control, in words, and for a screen reader as its description.
"use strict";

class DemoProblems {
  /**
   * @param {string} figure_id
   * @param {Map<string, Control>} controls
   */
  constructor(figure_id, controls) {
    this.figure_id = figure_id;
    this.controls = controls;
    /** @type {DemoProblem[] | null} */
    this.shown = null;
  }

  /** @param {DemoProblem[]} problems */
  render(problems) {
    if (problems === this.shown) return;
    const untouched = this.shown === null && !problems.length;
    this.shown = problems;
    if (untouched) return;
    for (const [name, control] of this.controls) {
      const messages = problems.filter((problem) => problem.control === name).map((problem) => problem.message);
      this.write(name, control, messages.join("; "));
    }
  }

  /**
   * @param {string} name
   * @param {Control} control
   * @param {string} message
   */
  write(name, control, message) {
    const id = `${this.figure_id}-${name}-problem`;
    let note = document.getElementById(id);
    if (!message) {
      if (note) note.remove();
      control.removeAttribute("aria-invalid");
      control.removeAttribute("aria-describedby");
      return;
    }
    if (!note) {
      note = document.createElement("p");
      note.id = id;
      note.className = "control-problem";
      (control.closest(".control") || control).after(note);
    }
    note.textContent = message;
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", id);
  }
}
