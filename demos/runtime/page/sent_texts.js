// Which private texts does Python hold already? A long text is sent once, not with every move of a slider.
"use strict";

class SentTexts {
  /** @param {Set<string>} names */
  constructor(names) {
    this.names = names;
    /** @type {Map<string, string>} */
    this.held = new Map();
  }

  /** Another worker holds nothing yet. */
  forget() {
    this.held.clear();
  }

  /**
   * The values without the texts that Python holds: a control that is not given keeps its value there.
   * @param {RawValues} raw
   * @returns {RawValues}
   */
  leaveOut(raw) {
    const known = Object.entries(raw).filter(([name, texts]) => this.names.has(name) && this.held.get(name) === texts[0]);
    const kept = { ...raw };
    for (const [name] of known) delete kept[name];
    return kept;
  }

  /**
   * Puts the texts that Python holds now into its answer, which does not carry them back.
   * @param {ShowAnswer} answer
   * @param {RawValues} sent
   * @returns {ShowAnswer}
   */
  complete(answer, sent) {
    for (const name of this.names) {
      const refused = answer.problems.some((problem) => problem.control === name);
      if (sent[name] && !refused) this.held.set(name, sent[name][0]);
      answer.values[name] = this.held.get(name) || "";
    }
    return answer;
  }
}
