// The embed code of a demo: an `<iframe>` for another page, with a script for those who want it to fit.
"use strict";

/** About what stands around a demo that is alone, and between two of its parts. */
const EMBED_EDGE_PX = 60;
const EMBED_GAP_PX = 16;
const EMBED_ROUND_PX = 20;

/** What fits the frame to its demo, for pages that may hold a script. The frame works without. */
const EMBED_LISTENER = `<!-- Optional: fits the frame to the demo. -->
<script>addEventListener("message", ({ data, source }) => {
  for (const frame of document.querySelectorAll('iframe[src*="/embed/"]')) {
    if (frame.contentWindow === source && data && data.height > 0) frame.height = Math.ceil(data.height);
  }
});</script>`;

const EmbedCode = {
  /**
   * The code to put into a page, and what a reader has to know of it.
   * @param {DemoForm} form
   * @param {Set<string>} refused controls that stay out of the address
   */
  code(form, refused) {
    const { figure } = form;
    const { link, note } = DemoAddress.link(form, refused, DemoAddress.alone(figure));
    const frame = document.createElement("iframe");
    frame.src = link.split("#")[0];
    frame.title = DemoMarkup.part(figure, ".demo-title").textContent || "";
    frame.width = "100%";
    frame.height = String(EmbedCode.height(figure));
    frame.loading = "lazy";
    frame.allow = "clipboard-write";
    frame.style.border = "0";
    return { code: `${frame.outerHTML}\n${EMBED_LISTENER}\n`, note };
  },

  /**
   * About the height that the demo takes alone: what its parts hold, one below the other, the math folded.
   * @param {HTMLElement} figure
   */
  height(figure) {
    const foot = DemoMarkup.part(figure, ".demo-foot");
    const parts = [...figure.children, ...foot.children].filter((part) => part !== foot && !part.matches(".demo-copy"));
    const held = document.createRange();
    let sum = EMBED_EDGE_PX;
    for (const part of parts) {
      held.selectNodeContents(part.matches(".demo-math") ? part.firstElementChild || part : part);
      const { height } = held.getBoundingClientRect();
      if (height) sum += height + EMBED_GAP_PX;
    }
    return Math.ceil(sum / EMBED_ROUND_PX) * EMBED_ROUND_PX;
  },
};
