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
   * A link that opens this page with these values, and what it could not carry.
   * @param {DemoForm} form
   * @param {Set<string>} refused controls that stay out of the link
   */
  link(form, refused) {
    const { carried, note } = DemoAddress.carried(form, refused);
    const query = carried.map(([name, value]) => `${form.figure.id}.${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    const link = `${DemoAddress.page()}${query.length ? `?${query.join("&")}` : ""}#${form.figure.id}`;
    return { link, note };
  },

  /**
   * @param {DemoForm} form
   * @param {Set<string>} refused
   */
  carried(form, refused) {
    const values = form.values();
    const left = new Set(refused);
    let note = "";
    for (const select of DemoFills.choices(form)) {
      // An example's own texts come back with the example's name.
      for (const name of Object.keys(DemoFills.of(select))) left.add(name);
    }
    for (const name of form.differing()) {
      if (left.has(name) || values[name].length <= LONGEST_LINK_TEXT) continue;
      left.add(name);
      for (const select of DemoFills.choices(form)) if (DemoFills.filledBy(select).includes(name)) left.add(select.name);
      note = `Your text is longer than the ${LONGEST_LINK_TEXT.toLocaleString("en")} characters that a link carries, so it is left out.`;
    }
    const carried = form.differing().filter((name) => !left.has(name));
    return { carried: carried.map((name) => [name, values[name]]), note };
  },

  /** The page's address without query and fragment; from a folder the published one, where it is known. */
  page() {
    const published = document.querySelector("link[rel=canonical]");
    const here = location.href.split(/[?#]/)[0];
    return location.protocol === "file:" && published instanceof HTMLLinkElement ? published.href : here;
  },
};
