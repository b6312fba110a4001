// Drawing a demo's picture outside the page: SVG that holds its HTML and the very styles that it has here.
"use strict";

const SCALE = 2;
/** What XML allows nowhere; a reader's text may hold it. */
const NOT_IN_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;
const OWN_STYLE = `
  *, ::before, ::after { box-sizing: border-box }
  .picture { background: var(--paper); color: var(--ink); font-family: system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif; overflow: hidden }
  .picture > .demo { container: demo / inline-size; font-size: .75rem; line-height: 1.45 }
  .picture-head, .picture-foot { padding: .7em 1.1em }
  .picture-head { background: var(--panel) }
  .picture-setting, .picture-foot { color: var(--ink-2); font-size: .9em }
  .picture .demo-frame.demo-frame { border-inline: 0; border-radius: 0 }
`;

const PictureDrawing = {
  /** @param {PictureSubject} subject @returns {{svg: string, width: number, height: number}} */
  draw(subject) {
    const root = PictureDrawing.html(subject);
    const width = Math.ceil(DemoMarkup.part(subject.element, "[data-part=frame]").getBoundingClientRect().width);
    const height = PictureDrawing.height(root, width);
    const size = `width="${width}" height="${height}"`;
    const text = new XMLSerializer().serializeToString(root);
    const title = new XMLSerializer().serializeToString(document.createTextNode(PictureDrawing.title(subject)));
    const rem = getComputedStyle(document.documentElement).fontSize;
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}" style="font-size:${rem}">` +
      `<title>${title}</title><foreignObject ${size}>${text}</foreignObject></svg>`;
    return { svg: svg.replace(NOT_IN_XML, "\ufffd"), width, height };
  },

  /** @param {PictureSubject} subject @returns {Promise<Blob>} */
  async png(subject) {
    const { svg, width, height } = PictureDrawing.draw(subject);
    const image = new Image();
    // A Blob's address would make the canvas unreadable in some browsers.
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = SCALE * width;
    canvas.height = SCALE * height;
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("this browser draws no pictures");
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("this browser makes no PNG"))), "image/png");
    });
  },

  /** @param {PictureSubject} subject */
  title(subject) {
    return DemoMarkup.part(subject.element, ".demo-title").textContent || "";
  },

  /** The picture under its question and setting, with the styles beside it. @param {PictureSubject} subject @returns {HTMLElement} */
  html(subject) {
    const frame = DemoMarkup.part(subject.element, "[data-part=frame]");
    const root = document.createElement("div");
    root.className = "picture";
    const scheme = subject.element.closest("[data-md-color-scheme]")?.getAttribute("data-md-color-scheme");
    root.setAttribute("data-md-color-scheme", scheme || "default");
    const style = document.createElement("style");
    style.textContent = TwoSpeeds.pictureStyle + OWN_STYLE;
    // The figure's width decides how its parts stand, the frame's how wide the picture is.
    const demo = PictureDrawing.box("demo", root, style);
    // A demo's own styles speak of it by its name.
    demo.dataset.demo = subject.element.dataset.demo;
    demo.style.width = `${subject.element.getBoundingClientRect().width}px`;
    const column = PictureDrawing.box("picture-column", demo);
    column.style.width = `${frame.getBoundingClientRect().width}px`;
    const head = PictureDrawing.box("picture-head", column);
    PictureDrawing.box("demo-title", head).textContent = PictureDrawing.title(subject);
    PictureDrawing.box("picture-setting", head).textContent = PictureDrawing.setting(subject.form);
    column.append(frame.cloneNode(true));
    const published = document.querySelector("link[rel=canonical]");
    const address = published instanceof HTMLLinkElement ? ` · ${DemoAddress.home(subject.element).page}` : "";
    PictureDrawing.box("picture-foot", column).textContent = `Two Speeds${address}`;
    return root;
  },

  /** @param {string} name @param {HTMLElement} parent @param {Element} [before] */
  box(name, parent, before) {
    const box = document.createElement("div");
    box.className = name;
    if (before) parent.append(before);
    parent.append(box);
    return box;
  },

  /** What the controls say, in one line; texts of the reader's own stay out. @param {DemoForm} form */
  setting(form) {
    const parts = [...form.controls.values()].map((control) => {
      const label = control.labels?.[0]?.querySelector(".control-label")?.textContent || control.name;
      if (control instanceof HTMLTextAreaElement) return "";
      if (control instanceof HTMLSelectElement) return `${label}: ${control.selectedOptions[0]?.text || ""}`;
      if (control.type === "checkbox") return control.checked ? label : "";
      const shown = form.figure.querySelector(`.control-value[data-for="${CSS.escape(control.name)}"]`)?.textContent;
      const noun = control.closest(".control")?.querySelector(".control-noun")?.textContent || "";
      return `${label}: ${shown || `${Number(control.value).toLocaleString("en")} ${noun}`.trim()}`;
    });
    return parts.filter(Boolean).join(" · ");
  },

  /** How high the picture is, apart from the page's styles. @param {HTMLElement} root @param {number} width */
  height(root, width) {
    const host = document.createElement("div");
    host.style.cssText = `all: initial; position: absolute; left: 0; top: 0; width: ${width}px; visibility: hidden; contain: strict`;
    host.attachShadow({ mode: "open" }).append(root);
    document.body.append(host);
    const height = Math.ceil(root.getBoundingClientRect().height);
    host.remove();
    root.remove();
    // Whole pixels, so that no edge is half of the ground and half of nothing.
    root.style.minHeight = `${height}px`;
    return height;
  },
};
