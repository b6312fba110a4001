// Tracing a plot into a drawing of its own: its boxes, lines and words are measured in the page and drawn as SVG.
"use strict";

const MARGIN = 12;
/** Two pieces of text stand in one line if their tops differ by less. */
const SAME_LINE_PX = 2;

class PlotTracing {
  /** All plots of a demo, one below the other, as a file's text; empty where there is none. @param {HTMLElement} figure */
  static trace(figure) {
    const plots = [...figure.querySelectorAll("[data-part=frame] .plot")].filter((plot) => plot instanceof HTMLElement && plot.offsetParent);
    if (!plots.length) return "";
    const paper = getComputedStyle(DemoMarkup.part(figure, "[data-part=frame]"));
    const sheet = document.createElementNS(SVG, "svg");
    const title = sheet.appendChild(document.createElementNS(SVG, "title"));
    title.textContent = DemoMarkup.part(figure, ".demo-title").textContent;
    const ground = sheet.appendChild(document.createElementNS(SVG, "rect"));
    let width = 0;
    let height = MARGIN;
    for (const plot of plots) {
      const drawn = new PlotTracing(plot);
      const { left, right, top, bottom } = drawn.bounds;
      drawn.group.setAttribute("transform", `translate(${PlotInk.round(MARGIN - left)} ${PlotInk.round(height - top)})`);
      sheet.append(drawn.group);
      width = Math.max(width, right - left + 2 * MARGIN);
      height += bottom - top + MARGIN;
    }
    const size = { width: String(Math.ceil(width)), height: String(Math.ceil(height)) };
    PlotInk.paint(ground, { ...size, ...PlotInk.fill(paper.backgroundColor) });
    PlotInk.paint(sheet, { ...size, viewBox: `0 0 ${size.width} ${size.height}`, "font-family": paper.fontFamily });
    return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(sheet)}\n`;
  }

  /** @param {Element} plot */
  constructor(plot) {
    this.group = document.createElementNS(SVG, "g");
    this.bounds = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    const label = plot.getAttribute("aria-label");
    if (label) this.add("desc", {}).textContent = label;
    this.walk(plot);
  }

  /** @param {string} name @param {Record<string, string | number | undefined>} attributes */
  add(name, attributes) {
    return this.group.appendChild(PlotInk.paint(document.createElementNS(SVG, name), attributes));
  }

  /** The drawing is as large as what is seen of it. @param {{left: number, right: number, top: number, bottom: number}} rect */
  reach(rect) {
    const { bounds } = this;
    bounds.left = Math.min(bounds.left, rect.left);
    bounds.right = Math.max(bounds.right, rect.right);
    bounds.top = Math.min(bounds.top, rect.top);
    bounds.bottom = Math.max(bounds.bottom, rect.bottom);
  }

  /** @param {Element} element */
  walk(element) {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden") return;
    if (element instanceof SVGPolylineElement) this.line(element, style);
    else if (element instanceof HTMLElement) this.box(element.getBoundingClientRect(), style);
    for (const child of element.childNodes) {
      if (child instanceof Element) this.walk(child);
      else if (child instanceof Text && child.data.trim() && element instanceof HTMLElement) this.text(child, style);
    }
  }

  /** @param {DOMRect} rect @param {CSSStyleDeclaration} style */
  box(rect, style) {
    const round_px = style.borderTopLeftRadius.endsWith("%") ? rect.width / 2 : parseFloat(style.borderTopLeftRadius) || 0;
    const ring = PlotInk.ring(style.boxShadow);
    if (ring) this.area(rect, ring.width, round_px, PlotInk.fill(ring.colour));
    if (rect.width && rect.height) {
      this.area(rect, 0, round_px, PlotInk.fill(style.backgroundColor));
      const hatch = PlotInk.hatch(style.backgroundImage);
      if (hatch) {
        this.group.append(hatch.pattern);
        this.area(rect, 0, round_px, { fill: `url(#${hatch.pattern.id})` });
      }
    }
    this.edge(style.borderLeftWidth, style.borderLeftStyle, style.borderLeftColor, rect.left, rect.top, rect.left, rect.bottom);
    this.edge(style.borderBottomWidth, style.borderBottomStyle, style.borderBottomColor, rect.left, rect.bottom, rect.right, rect.bottom);
  }

  /** @param {DOMRect} rect @param {number} more @param {number} round_px @param {Record<string, string>} ink */
  area(rect, more, round_px, ink) {
    if (ink.fill === "none") return;
    this.reach({ left: rect.left - more, right: rect.right + more, top: rect.top - more, bottom: rect.bottom + more });
    const place = { x: rect.left - more, y: rect.top - more, width: rect.width + 2 * more, height: rect.height + 2 * more };
    this.add("rect", { ...place, ...(round_px ? { rx: round_px + more } : {}), ...ink });
  }

  /** @param {string} width @param {string} kind @param {string} colour @param {number[]} ends */
  edge(width, kind, colour, ...ends) {
    const px = parseFloat(width);
    if (!px || kind === "none") return;
    const [x1, y1, x2, y2] = ends;
    this.reach({ left: x1, right: x2, top: y1, bottom: y2 });
    const dashes = kind === "dashed" ? `${3 * px} ${2 * px}` : undefined;
    this.add("line", { x1, y1, x2, y2, "stroke-width": px, "stroke-dasharray": dashes, ...PlotInk.stroke(colour) });
  }

  /** The page stretches the drawing; here its points stand where they are seen. @param {SVGPolylineElement} line @param {CSSStyleDeclaration} style */
  line(line, style) {
    const stretch = line.getScreenCTM();
    if (!stretch) return;
    const seen = [...line.points].map((point) => new DOMPoint(point.x, point.y).matrixTransform(stretch));
    const dashes = style.strokeDasharray === "none" ? undefined : style.strokeDasharray.replaceAll("px", "");
    this.add("polyline", {
      points: seen.map((point) => `${PlotInk.round(point.x)},${PlotInk.round(point.y)}`).join(" "),
      fill: "none",
      "stroke-width": parseFloat(style.strokeWidth),
      "stroke-linejoin": "round",
      "stroke-dasharray": dashes,
      ...PlotInk.stroke(style.stroke),
    });
  }

  /** Each line of a text as a word of the drawing, where it stands in the page. @param {Text} text @param {CSSStyleDeclaration} style */
  text(text, style) {
    const range = document.createRange();
    /** @type {{rect: DOMRect, words: string}[]} */
    const lines = [];
    for (let at = 0; at < text.length; at += 1) {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const rect = range.getBoundingClientRect();
      const last = lines[lines.length - 1];
      if (last && (!rect.width || Math.abs(rect.top - last.rect.top) < SAME_LINE_PX)) last.words += text.data[at];
      else if (rect.width) lines.push({ rect, words: text.data[at] });
    }
    range.selectNodeContents(text);
    for (const rect of range.getClientRects()) this.reach(rect);
    const font = { "font-size": parseFloat(style.fontSize), ...(style.fontWeight === "400" ? {} : { "font-weight": style.fontWeight }) };
    for (const { rect, words } of lines) {
      const place = { x: rect.left, y: rect.top + PlotInk.ascent(style, rect.height) };
      this.add("text", { ...place, ...font, ...PlotInk.fill(style.color) }).textContent = words.trim();
    }
  }
}
