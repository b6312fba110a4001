// A setting in a link: `?figure.control=value#figure`. Only Python judges the values.
"use strict";

/** A longer text does not go into a link. */
const LONGEST_LINK_TEXT = 2000;

const DemoAddress = {
  /**
   * What the page's address gives to a figure: every name under its prefix but those of private texts, or null.
   * @param {string} id
   * @param {Set<string>} [privates]
   * @returns {RawValues | null}
   */
  read(id, privates) {
    /** @type {RawValues} */
    const raw = Object.create(null);
    for (const [key, value] of new URLSearchParams(location.search)) {
      const name = key.startsWith(`${id}.`) ? key.slice(id.length + 1) : "";
      if (name && !privates?.has(name)) raw[name] = [...(raw[name] || []), value];
    }
    return Object.keys(raw).length ? raw : null;
  },

  /**
   * A link that opens a demo with these values, and what a reader has to know of it.
   * @param {DemoForm} form
   * @param {Set<string>} refused controls that stay out of the link
   * @param {DemoPlace} [place] where the demo stands that opens; without one, where it belongs to
   */
  link(form, refused, place = DemoAddress.home(form.figure)) {
    const values = form.values();
    const left = new Set(refused);
    const notes = [DemoAddress.leavePrivate, DemoAddress.leaveExamples, DemoAddress.leaveLong].map((leave) => leave(form, values, left));
    const note = notes.join(" ").trim();
    // What either of the two pages sets by itself is said, even if it is what this page began with.
    const named = new Set([...form.differing(), ...DemoAddress.sets(form.figure), ...place.sets]);
    const query = [...named]
      .filter((name) => name in values && !left.has(name))
      .map((name) => `${place.id}.${encodeURIComponent(name)}=${encodeURIComponent(values[name])}`);
    const link = `${place.page}${query.length ? `?${query.join("&")}` : ""}#${place.id}`;
    return { link, note };
  },

  /**
   * Where a demo belongs to: this page, or the one that a page with the demo alone leads back to.
   * @param {HTMLElement} figure
   * @returns {DemoPlace}
   */
  home(figure) {
    const back = document.querySelector("a.demo-home");
    if (!(back instanceof HTMLAnchorElement)) return { page: DemoAddress.page(), id: figure.id, sets: [] };
    const [page, id] = (back.dataset.home || "").split("#");
    return { page: new URL(page, DemoAddress.page()).href, id, sets: DemoAddress.sets(back) };
  },

  /**
   * The page with the demo alone.
   * @param {HTMLElement} figure
   * @returns {DemoPlace}
   */
  alone(figure) {
    const here = location.href.split(/[?#]/)[0];
    const up = "../".repeat(here.slice(TwoSpeeds.base.length).split("/").length - 1) || "./";
    const demo = figure.dataset.demo || "";
    return { page: new URL(`${up}embed/${demo}.html`, DemoAddress.page()).href, id: demo, sets: [] };
  },

  /** The controls to which a page gives values of its own. @param {HTMLElement} element @returns {string[]} */
  sets(element) {
    return JSON.parse(element.dataset.sets || "[]");
  },

  /**
   * A private text is nobody else's, and a choice that stands for it says nothing without it.
   * @param {DemoForm} form
   * @param {Record<string, string>} values
   * @param {Set<string>} left
   */
  leavePrivate(form, values, left) {
    for (const name of form.privates) left.add(name);
    for (const select of ExampleFills.choices(form.controls)) {
      const stands = select.value === select.dataset.otherwise && ExampleFills.filledBy(select).some((name) => form.privates.has(name));
      if (stands) left.add(select.name);
    }
    return [...form.privates].some((name) => values[name]) ? "It leaves out the text that you pasted, which stays private." : "";
  },

  /**
   * The texts of an example come back with its name.
   * @param {DemoForm} form
   * @param {Record<string, string>} values
   * @param {Set<string>} left
   */
  leaveExamples(form, values, left) {
    let note = "";
    for (const select of ExampleFills.choices(form.controls)) {
      for (const name of Object.keys(ExampleFills.of(select))) {
        left.add(name);
        if (values[name].length > LONGEST_LINK_TEXT) note = "It has the name of the example, not its long text.";
      }
    }
    return note;
  },

  /**
   * A long text of the reader's own stays out, and so does the choice that would stand for it.
   * @param {DemoForm} form
   * @param {Record<string, string>} values
   * @param {Set<string>} left
   */
  leaveLong(form, values, left) {
    let note = "";
    for (const name of form.differing()) {
      if (left.has(name) || values[name].length <= LONGEST_LINK_TEXT) continue;
      left.add(name);
      for (const select of ExampleFills.choices(form.controls)) if (ExampleFills.filledBy(select).includes(name)) left.add(select.name);
      note = `Your text is longer than the ${LONGEST_LINK_TEXT.toLocaleString("en")} characters that a link can hold, so the link leaves it out.`;
    }
    return note;
  },

  /** The page's address without query and fragment; from a folder the published one, where it is known. */
  page() {
    const published = document.querySelector("link[rel=canonical]");
    const here = location.href.split(/[?#]/)[0];
    return location.protocol === "file:" && published instanceof HTMLLinkElement ? published.href : here;
  },
};
