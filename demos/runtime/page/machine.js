// The reader's own machine: which one it is stays in this browser, and the page's numbers, questions and demos follow it.
"use strict";

class MachineChooser {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {Record<string, MachineChoice>} */
    this.cases = JSON.parse(element.dataset.cases || "{}");
    this.status = element.querySelector(".machine-status");
    this.exactly = element.querySelector(".machine-exactly");
    this.forget = element.querySelector(".machine-forget");
    this.asked = 0;
    this.selects = Object.fromEntries(MACHINE_PARTS.map((part) => [part, element.querySelector(`[name=machine-${part}]`)]));
    // A page that is opened again shows what this browser keeps; HTML itself has no such word for a radio button.
    for (const radio of element.querySelectorAll("[name=machine]")) radio.setAttribute("autocomplete", "off");
    element.addEventListener("change", (event) => this.changed(event.target));
    if (this.forget) this.forget.addEventListener("click", () => this.forgotten());
    const kept = MachineMemory.read();
    this.show(kept || this.first());
    if (kept) this.follow(kept, false);
  }

  /** The machine that the page was built for. */
  first() {
    return this.cases[Object.keys(this.cases)[0]];
  }

  /** Shows which machine is chosen. @param {MachineChoice} machine */
  show(machine) {
    const same = Object.keys(this.cases).find((key) => MACHINE_PARTS.every((part) => this.cases[key][part] === machine[part]));
    this.mark(same || "exactly");
    for (const part of MACHINE_PARTS) {
      const select = this.selects[part];
      if (select instanceof HTMLSelectElement) select.value = machine[part];
    }
  }

  /** @param {string} key */
  mark(key) {
    const radio = this.element.querySelector(`[name=machine][value=${key}]`);
    if (radio instanceof HTMLInputElement) radio.checked = true;
    if (this.exactly instanceof HTMLElement) this.exactly.hidden = key !== "exactly";
  }

  /** @param {EventTarget | null} target */
  changed(target) {
    if (target instanceof HTMLInputElement && target.value !== "exactly") {
      this.show(this.cases[target.value]);
      this.follow(this.cases[target.value], true);
    } else {
      this.mark("exactly");
      if (target instanceof HTMLSelectElement) this.follow(this.picked(), true);
    }
  }

  /** @returns {MachineChoice} */
  picked() {
    return Object.fromEntries(
      MACHINE_PARTS.map((part) => {
        const select = this.selects[part];
        return [part, select instanceof HTMLSelectElement ? select.value : ""];
      }),
    );
  }

  forgotten() {
    this.show(this.first());
    this.follow(this.first(), false).then(() => {
      MachineMemory.forget();
      if (this.forget instanceof HTMLElement) this.forget.hidden = true;
      this.say("Forgotten.");
    });
  }

  /**
   * Has numbers, questions and demos follow a machine; the latest choice wins.
   * @param {MachineChoice} machine
   * @param {boolean} chosen whether the reader has just chosen it
   */
  async follow(machine, chosen) {
    const turn = (this.asked += 1);
    this.element.dataset.asking = "true";
    document.documentElement.dataset.machineAsking = "true";
    this.say("Computing the numbers for this machine …");
    let said = "";
    try {
      const asks = MachineNumbers.asks();
      const answer = await MachineNumbers.ask(machine, asks);
      if (turn !== this.asked) return;
      if (answer.problem) said = answer.problem;
      else {
        MachineNumbers.write(asks, answer.answers);
        MachineDemos.follow(machine);
        if (chosen) MachineMemory.write(machine);
        if (this.forget instanceof HTMLElement) this.forget.hidden = MachineMemory.read() === null;
        said = chosen ? "This page is now about your machine. The choice is kept in this browser only." : "";
      }
    } catch (error) {
      if (turn === this.asked) said = `The numbers couldn't be computed: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (turn !== this.asked) return;
    delete this.element.dataset.asking;
    delete document.documentElement.dataset.machineAsking;
    this.say(said);
  }

  /** @param {string} text */
  say(text) {
    if (this.status && this.status.textContent !== text) this.status.textContent = text;
  }
}
