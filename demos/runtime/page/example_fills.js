// What else changes when an example is chosen? A choice may put texts into other controls, and gives way when they are edited.
"use strict";

const ExampleFills = {
  /**
   * The texts that the chosen option of a select puts into other controls.
   * @param {HTMLSelectElement} select
   * @returns {Record<string, string>}
   */
  of(select) {
    const option = select.selectedOptions[0];
    return option && option.dataset.fills ? JSON.parse(option.dataset.fills) : {};
  },

  /**
   * Follows a change of one control: fills others if it is a choice, else lets go of a choice that filled it.
   * @param {DemoForm} form
   * @param {Control} changed
   */
  follow(form, changed) {
    if (changed instanceof HTMLSelectElement) {
      form.write(ExampleFills.of(changed));
      if (changed.value === changed.dataset.otherwise) ExampleFills.giveBack(form, changed);
      return;
    }
    for (const select of ExampleFills.choices(form)) {
      const filled = ExampleFills.of(select)[changed.name];
      if (filled !== undefined && filled !== changed.value) select.value = select.dataset.otherwise || select.value;
    }
  },

  /**
   * Whoever chooses "my own text" again finds it again.
   * @param {DemoForm} form
   * @param {HTMLSelectElement} select
   */
  giveBack(form, select) {
    for (const name of ExampleFills.filledBy(select)) {
      const own = form.own.get(name);
      if (own !== undefined) form.write({ [name]: own });
    }
  },

  /**
   * An example that an address names is filled in by Python; its private text, which does not come back, is put in here.
   * @param {DemoForm} form
   */
  refill(form) {
    for (const select of ExampleFills.choices(form)) {
      for (const [name, text] of Object.entries(ExampleFills.of(select))) if (form.privates.has(name)) form.write({ [name]: text });
    }
  },

  /**
   * Whether a text is one that a choice put there.
   * @param {DemoForm} form
   * @param {string} name
   * @param {string} text
   */
  isFill(form, name, text) {
    const fills = (/** @type {HTMLOptionElement} */ option) => JSON.parse(option.dataset.fills || "{}");
    return ExampleFills.choices(form).some((select) => [...select.options].some((option) => fills(option)[name] === text));
  },

  /**
   * Given only an example, its texts are wanted, not those that stand in the form: they are left to Python.
   * @param {DemoForm} form
   * @param {RawValues} given
   * @returns {RawValues}
   */
  complete(form, given) {
    const raw = { ...form.raw(), ...given };
    for (const select of ExampleFills.choices(form)) {
      if (!given[select.name]) continue;
      for (const name of ExampleFills.filledBy(select)) if (!given[name]) delete raw[name];
    }
    return raw;
  },

  /** @param {DemoForm} form */
  choices(form) {
    /** @type {HTMLSelectElement[]} */
    const found = [];
    for (const control of form.controls.values()) {
      if (control instanceof HTMLSelectElement && ExampleFills.filledBy(control).length) found.push(control);
    }
    return found;
  },

  /** @param {HTMLSelectElement} select */
  filledBy(select) {
    const fills = [...select.options].map((option) => JSON.parse(option.dataset.fills || "{}"));
    return [...new Set(fills.flatMap((fill) => Object.keys(fill)))];
  },
};
