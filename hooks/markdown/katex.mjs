// Sets formulas: reads [{tex, display}] as JSON, writes [{html} or {error}] in the same order.
import { readFileSync } from "node:fs";
import katex from "katex";

const strict = (code) => (code === "unicodeTextInMathMode" ? "ignore" : "error");
const set = ({ tex, display }) => {
  try {
    return { html: katex.renderToString(tex, { displayMode: display, output: "htmlAndMathml", throwOnError: true, strict, trust: false }) };
  } catch (error) {
    return { error: String(error.rawMessage ?? error.message) };
  }
};
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(set)));
