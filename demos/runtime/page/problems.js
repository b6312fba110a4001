// Where does a reader see that a value was refused? At its control, in words, and for a screen reader as its description.
"use strict";

class DemoProblems {
  /** @param {DemoForm} form */
  constructor(form) {
    this.form = form;
    /** @type {Set<string>} controls whose value was refused */
    this.names = new Set();
    this.text = "";
  }

  /** @param {DemoProblem[]} problems */
  show(problems) {
    this.names = new Set(problems.flatMap((problem) => problem.control || []));
    this.text = problems.map((problem) => problem.message).join("; ");
    for (const [name, control] of this.form.controls) {
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
    const id = `${this.form.figure.id}-${name}-problem`;
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
