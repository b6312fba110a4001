// GGUF files for the box of a model's config: only the first megabytes are read, here, and Python makes a digest of them.
"use strict";

const GGUF_MAGIC = "GGUF";
const GGUF_FIRST_BYTES = 1_000_000;
/** No header is longer; Python would refuse one as well. */
const GGUF_MOST_BYTES = 64_000_000;

/** What is said to the reader where a file gives no model. */
class GgufProblem extends Error {}

const GgufFile = {
  /**
   * Whether a file is a GGUF, by its name or by how it begins.
   * @param {File} file
   */
  async is(file) {
    if (file.name.toLowerCase().endsWith(".gguf")) return true;
    return (await file.slice(0, GGUF_MAGIC.length).text()) === GGUF_MAGIC;
  },

  /**
   * The text that stands for these files in the box. Rejects with a GgufProblem in words.
   * @param {File[]} files the parts of one model, and its vision part
   */
  async digest(files) {
    await TwoSpeeds.python.start({ numpy: TwoSpeeds.python.numpy });
    /** @type {Record<string, unknown>} */
    const headers = {};
    for (const file of files) Object.assign(headers, await GgufFile.header(file));
    return JSON.stringify({ gguf: headers });
  },

  /**
   * One file's header, read in growing pieces.
   * @param {File} file
   * @returns {Promise<Record<string, unknown>>}
   */
  async header(file) {
    for (let size = GGUF_FIRST_BYTES; ; ) {
      const bytes = new Uint8Array(await file.slice(0, size).arrayBuffer());
      /** @type {{digest?: Record<string, unknown>, needs?: number, error?: string}} */
      const answer = JSON.parse(await TwoSpeeds.python.ask("digest", [file.name, bytes]));
      if (answer.digest) return answer.digest;
      if (answer.error) throw new GgufProblem(answer.error);
      if (size >= Math.min(file.size, GGUF_MOST_BYTES)) {
        throw new GgufProblem(`${file.name} ends within its header, after ${file.size.toLocaleString("en")} bytes: it is cut off.`);
      }
      size = Math.min(GGUF_MOST_BYTES, Math.max(4 * size, answer.needs || 0));
    }
  },
};
