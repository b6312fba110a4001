// How does a setting travel in a link? As `?figure.control=value#figure`; only Python judges the values.
"use strict";

/** A longer text does not go into a link. */
const LONGEST_LINK_TEXT = 2000;

const DemoAddress = {
  /**
   * What the page's address gives to a figure: every name under its prefix, or null.
   * @param {string} id
   * @returns {RawValues | null}
   */
  read(id) {
    /** @type {RawValues} */
    const raw = Object.create(null);
    for (const [key, value] of new URLSearchParams(location.search)) {
      const name = key.startsWith(`${id}.`) ? key.slice(id.length + 1) : "";
      if (name) raw[name] = [...(raw[name] || []), value];
    }
    return Object.keys(raw).length ? raw : null;
  },

  /**
   * A link that opens this page with these values, and what a reader has to know of it.
   * @param {DemoForm} form
   * @param {Set<string>} refused controls that stay out of the link
   */
  link(form, refused) {
    const values = form.values();
    const left = new Set(refused);
    const note = [DemoAddress.leaveExamples(form, values, left), DemoAddress.leaveLong(form, values, left)].join(" ").trim();
    const query = form
      .differing()
      .filter((name) => !left.has(name))
      .map((name) => `${form.figure.id}.${encodeURIComponent(name)}=${encodeURIComponent(values[name])}`);
    const link = `${DemoAddress.page()}${query.length ? `?${query.join("&")}` : ""}#${form.figure.id}`;
    return { link, note };
  },

  /**
   * The texts of an example come back with its name.
   * @param {DemoForm} form
   * @param {Record<string, string>} values
   * @param {Set<string>} left
   */
  leaveExamples(form, values, left) {
    let note = "";
    for (const select of DemoFills.choices(form)) {
      for (const name of Object.keys(DemoFills.of(select))) {
        left.add(name);
        if (values[name].length > LONGEST_LINK_TEXT) note = "It carries the name of the example, not its long text.";
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
      for (const select of DemoFills.choices(form)) if (DemoFills.filledBy(select).includes(name)) left.add(select.name);
      note = `Your text is longer than the ${LONGEST_LINK_TEXT.toLocaleString("en")} characters that a link carries, so it is left out.`;
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
