// The page's numbers, questions and demos that are of the reader's machine.
"use strict";

/** @typedef {{text: string, story: string[], value: number | null, problem: string}} MachineAnswer */

const MachineNumbers = {
  /** The elements that carry an expression, and it. @returns {[HTMLElement, string][]} */
  asks() {
    /** @type {[HTMLElement, string][]} */
    const found = [];
    for (const element of document.querySelectorAll("[data-asks], [data-measure]")) {
      if (element instanceof HTMLElement) found.push([element, element.dataset.asks || element.dataset.measure || ""]);
    }
    return found;
  },

  /**
   * @param {MachineChoice} machine
   * @param {[HTMLElement, string][]} asks
   * @returns {Promise<{answers: MachineAnswer[], problem: string}>}
   */
  async ask(machine, asks) {
    await TwoSpeeds.python.start({ numpy: PythonStart.pageNeedsNumpy() });
    return JSON.parse(await TwoSpeeds.python.ask("numbers", [JSON.stringify(machine), JSON.stringify(asks.map(([, ask]) => ask))]));
  },

  /**
   * @param {[HTMLElement, string][]} asks
   * @param {MachineAnswer[]} answers
   */
  write(asks, answers) {
    asks.forEach(([element, ask], index) => {
      const answer = answers[index];
      if (element.dataset.measure === ask) MachineNumbers.judge(element, answer);
      else MachineNumbers.say(element, answer);
    });
  },

  /** A number, and where it comes from. @param {HTMLElement} element @param {MachineAnswer} answer */
  say(element, answer) {
    element.textContent = answer.problem ? "not known" : answer.text;
    const tip = element.nextElementSibling;
    if (!tip || !tip.classList.contains("tip")) return;
    const lines = answer.problem ? [answer.problem] : answer.story;
    tip.replaceChildren(
      ...lines.map((text) => {
        const line = document.createElement("span");
        line.className = "tip-line";
        line.textContent = text;
        return line;
      }),
    );
  },

  /** Which answer to a question is right. @param {HTMLElement} question @param {MachineAnswer} answer */
  judge(question, answer) {
    if (answer.value === null) return;
    const measure = answer.value;
    const bounds = (question.dataset.answer || "").split(",").map((part) => part.trim().split(" from "));
    const right = bounds.find(([, bound]) => bound === undefined || measure >= Number(bound));
    for (const choice of question.querySelectorAll(".predict-choice")) {
      const input = choice.querySelector("input");
      const is = Boolean(right && input && input.value === right[0]);
      choice.classList.toggle("predict-right", is);
      const said = question.querySelector(".predict-answer > strong");
      const text = choice.querySelector("span")?.textContent || "";
      if (is && said) said.textContent = /[.!?]$/.test(text) ? text : `${text}.`;
    }
  },
};

const MachineDemos = {
  /** Has the demos of the page show this machine, where they can and where the address does not say otherwise. @param {MachineChoice} machine */
  follow(machine) {
    for (const figure of TwoSpeeds.figures || []) {
      /** @type {Record<string, string>} */
      const values = {};
      for (const part of MACHINE_PARTS) {
        if (figure.form.controls.has(part) && !figure.addressed.has(part)) values[part] = machine[part];
      }
      const differs = Object.keys(values).some((name) => values[name] !== figure.form.values()[name]);
      if (differs) figure.setValues(values);
    }
  },
};
