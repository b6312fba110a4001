// The ink of a traced plot: the page's styles in a form that other programs read. Colors as #rrggbb, hatching as a pattern.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const COLOR = /(?:rgba?|color|oklab|oklch|lab|lch|hsla?)\([^)]*\)|#[0-9a-f]+/gi;

const PlotInk = {
  hatches: 0,

  /** @param {number} value */
  round(value) {
    return Math.round(value * 100) / 100;
  },

  /**
   * @template {Element} T
   * @param {T} element
   * @param {Record<string, string | number | undefined>} attributes
   */
  paint(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) element.setAttribute(name, String(typeof value === "number" ? PlotInk.round(value) : value));
    }
    return element;
  },

  /** A pen that turns whatever CSS calls a colour into red, green, blue and how solid it is. */
  pen: /** @type {CanvasRenderingContext2D} */ (
    Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true })
  ),

  /** @param {string} colour @returns {{colour: string, solid: number}} */
  read(colour) {
    const { pen } = PlotInk;
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = "transparent";
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
    const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
    return { colour: `#${hex}`, solid: Math.round((100 * alpha) / 255) / 100 };
  },

  /** @param {string} css @returns {Record<string, string>} */
  fill(css) {
    const { colour, solid } = PlotInk.read(css);
    return solid === 0 ? { fill: "none" } : { fill: colour, ...(solid < 1 ? { "fill-opacity": String(solid) } : {}) };
  },

  /** @param {string} css @returns {Record<string, string>} */
  stroke(css) {
    const { colour, solid } = PlotInk.read(css);
    return { stroke: solid === 0 ? "none" : colour, ...(solid < 1 ? { "stroke-opacity": String(solid) } : {}) };
  },

  /** The ring around a point, a shadow without distance and blur. @param {string} shadow */
  ring(shadow) {
    const colour = shadow.match(COLOR);
    const lengths = shadow.replace(COLOR, "").match(/-?[\d.]+px/g) || [];
    const [x, y, blur, width] = lengths.map(parseFloat);
    return colour && !shadow.includes("inset") && !x && !y && !blur && width > 0 ? { colour: colour[0], width } : null;
  },

  /** A hatched ground as a pattern, or null. @param {string} image */
  hatch(image) {
    const gradient = /^repeating-linear-gradient\((-?[\d.]+)deg/.exec(image);
    const colours = image.match(COLOR);
    const lengths = (image.match(/[\d.]+px/g) || []).map(parseFloat);
    if (!gradient || !colours || lengths.length < 2) return null;
    const period = lengths[lengths.length - 1];
    const start = lengths[lengths.length - 2];
    const pattern = document.createElementNS(SVG, "pattern");
    pattern.id = `hatch-${(PlotInk.hatches += 1)}`;
    const turn = `rotate(${Number(gradient[1])})`;
    PlotInk.paint(pattern, { width: period, height: period, patternUnits: "userSpaceOnUse", patternTransform: turn });
    const stripe = document.createElementNS(SVG, "rect");
    PlotInk.paint(stripe, { y: 0, width: period, height: period - start, ...PlotInk.fill(colours[colours.length - 1]) });
    pattern.append(stripe);
    return { pattern };
  },

  /** How far below the top of its line a text stands. @param {CSSStyleDeclaration} style @param {number} height */
  ascent(style, height) {
    const { pen } = PlotInk;
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = pen.measureText("x");
    return above + (height - above - below) / 2;
  },
};
