// The choice of an example in a form: it fills other controls, and gives way when they are edited.
"use strict";

const ExampleChoice = {
  /**
   * Sets controls, and with an example what it fills; what is given itself goes before that.
   * @param {DemoForm} form
   * @param {Record<string, string>} values
   */
  write(form, values) {
    form.write(values);
    for (const select of ExampleFills.choices(form.controls)) {
      if (select.name in values) form.write({ ...ExampleFills.of(select), ...values });
    }
  },

  /**
   * Follows a change of one control: fills others if it is a choice, else lets go of a choice that filled it.
   * @param {DemoForm} form
   * @param {Control} changed
   */
  follow(form, changed) {
    if (changed instanceof HTMLSelectElement) {
      form.write(ExampleFills.of(changed));
      if (changed.value === changed.dataset.otherwise) ExampleChoice.giveBack(form, changed);
      return;
    }
    for (const select of ExampleFills.choices(form.controls)) {
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
    for (const select of ExampleFills.choices(form.controls)) {
      for (const [name, text] of Object.entries(ExampleFills.of(select))) if (form.privates.has(name)) form.write({ [name]: text });
    }
  },

  /**
   * Given only an example, its texts are wanted, not those in the form: they are left to Python.
   * @param {DemoForm} form
   * @param {RawValues} given
   * @returns {RawValues}
   */
  complete(form, given) {
    const raw = { ...form.raw(), ...given };
    for (const select of ExampleFills.choices(form.controls)) {
      if (!given[select.name]) continue;
      for (const name of ExampleFills.filledBy(select)) if (!given[name]) delete raw[name];
    }
    return raw;
  },
};
