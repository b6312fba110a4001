// The private texts that Python has already: a long text is sent once, not with every move of a slider.
"use strict";

class SentTexts {
  /** @param {Set<string>} names */
  constructor(names) {
    this.names = names;
    /** @type {Map<string, string>} */
    this.sent = new Map();
  }

  /** Another worker has none yet. */
  forget() {
    this.sent.clear();
  }

  /**
   * The values without the texts that Python has: a control that is not given keeps its value there.
   * @param {RawValues} raw
   * @returns {RawValues}
   */
  leaveOut(raw) {
    const known = Object.entries(raw).filter(([name, texts]) => this.names.has(name) && this.sent.get(name) === texts[0]);
    const kept = { ...raw };
    for (const [name] of known) delete kept[name];
    return kept;
  }

  /**
   * Puts the texts that Python has now into its answer, which does not carry them back.
   * @param {ShowAnswer} answer
   * @param {RawValues} raw what was sent
   * @returns {ShowAnswer}
   */
  complete(answer, raw) {
    for (const name of this.names) {
      const refused = answer.problems.some((problem) => problem.control === name);
      if (raw[name] && !refused) this.sent.set(name, raw[name][0]);
      answer.values[name] = this.sent.get(name) || "";
    }
    return answer;
  }
}
