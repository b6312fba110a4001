// What did the reader expect of the demo below? The guess is marked, and the answer shows when the demo has run.
"use strict";

{
  /** The demo that a question is about: the next one on the page. @param {Element} question */
  const demoAfter = (question) => {
    const all = [...document.querySelectorAll("figure.demo")];
    const next = all.find((figure) => question.compareDocumentPosition(figure) & Node.DOCUMENT_POSITION_FOLLOWING);
    return next instanceof HTMLElement ? next : null;
  };

  /** A still demo has no time axis. @param {HTMLElement} demo */
  const scrubberOf = (demo) => demo.querySelector("[data-do=scrub]");

  /** @param {HTMLElement} demo */
  const isOver = (demo) => {
    const scrubber = scrubberOf(demo);
    return scrubber instanceof HTMLInputElement && scrubber.value === scrubber.max && demo.dataset.playing !== "true";
  };

  class Question {
    /** @param {HTMLElement} element */
    constructor(element) {
      this.element = element;
      this.status = element.querySelector("[role=status]");
      this.show = element.querySelector("details");
      this.quiz = element.classList.contains("quiz");
      this.demo = this.quiz ? null : demoAfter(element);
      // A page that is opened again asks again; HTML itself has no such word for a radio button.
      for (const choice of element.querySelectorAll("input")) choice.setAttribute("autocomplete", "off");
      element.addEventListener("change", () => this.guessed());
      if (this.show) this.show.addEventListener("toggle", () => this.told());
      if (this.demo) this.watch(this.demo);
    }

    /** @param {HTMLElement} demo */
    watch(demo) {
      if (scrubberOf(demo)) {
        const observer = new MutationObserver(() => isOver(demo) && this.reveal());
        observer.observe(demo, { attributes: true, attributeFilter: ["data-time-s", "data-playing"] });
        return;
      }
      // A still demo has run when the reader has changed something in it.
      demo.addEventListener("change", () => this.reveal());
      demo.addEventListener("click", (event) => {
        if (event.target instanceof Element && event.target.closest(".demo-presets")) this.reveal();
      });
    }

    get guess() {
      const chosen = this.element.querySelector(":checked");
      return chosen ? chosen.closest("label") : null;
    }

    get open() {
      return this.show instanceof HTMLDetailsElement && this.show.open;
    }

    guessed() {
      if (this.open) {
        this.told();
        return;
      }
      if (this.quiz) {
        this.reveal();
        return;
      }
      const run = this.demo && scrubberOf(this.demo) ? this.demo.dataset.run : "";
      this.say(run ? `Noted. Now press ${run} below.` : "Noted. Now try it below.");
    }

    /** The demo has shown the answer: who has guessed is told how good the guess was. */
    reveal() {
      if (this.guess && this.show instanceof HTMLDetailsElement) this.show.open = true;
    }

    told() {
      if (!this.open || !this.guess) return;
      const right = this.guess.classList.contains("predict-right");
      this.say(right ? "Your guess was right." : "Not this one. The answer:");
    }

    /** @param {string} text */
    say(text) {
      if (this.status && this.status.textContent !== text) this.status.textContent = text;
    }
  }

  for (const element of document.querySelectorAll(".predict")) {
    if (element instanceof HTMLElement) new Question(element);
  }
}
