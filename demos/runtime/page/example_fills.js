// The texts that an example puts into other controls, as the options of a choice carry them.
"use strict";

const ExampleFills = {
  /**
   * The texts that the chosen option of a select puts into other controls.
   * @param {HTMLSelectElement} select
   * @returns {Record<string, string>}
   */
  of(select) {
    const option = select.selectedOptions[0];
    return option ? ExampleFills.carried(option) : {};
  },

  /** @param {HTMLOptionElement} option @returns {Record<string, string>} */
  carried(option) {
    return JSON.parse(option.dataset.fills || "{}");
  },

  /** The names of the controls that a select fills. @param {HTMLSelectElement} select */
  filledBy(select) {
    return [...new Set([...select.options].flatMap((option) => Object.keys(ExampleFills.carried(option))))];
  },

  /** The choices among controls that fill others. @param {Map<string, Control>} controls */
  choices(controls) {
    /** @type {HTMLSelectElement[]} */
    const choices = [];
    for (const control of controls.values()) {
      if (control instanceof HTMLSelectElement && ExampleFills.filledBy(control).length) choices.push(control);
    }
    return choices;
  },

  /**
   * Whether a text is one that a choice put into a control.
   * @param {Map<string, Control>} controls
   * @param {string} name
   * @param {string} text
   */
  isFill(controls, name, text) {
    const options = ExampleFills.choices(controls).flatMap((select) => [...select.options]);
    return options.some((option) => ExampleFills.carried(option)[name] === text);
  },
};
