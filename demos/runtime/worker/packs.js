// Packs: the parts of Python become bytes again, whole and undamaged. (Runs in the worker.)
"use strict";

class PackProblem extends Error {
  /** @param {StartErrorKind} why @param {string} file @param {string} [detail] */
  constructor(why, file, detail = "") {
    super(`${file} is ${why}. ${detail}`);
    this.why = why;
    this.file = file;
  }
}

const Packs = {
  native_fetch: self.fetch.bind(self),

  /**
   * A part as a stream of its gzip bytes, from a server.
   * @param {string} folder
   * @param {PackPart} part
   * @param {(bytes: number) => void} arrived
   * @returns {Promise<ReadableStream<Uint8Array<ArrayBuffer>>>}
   */
  async fetched(folder, part, arrived) {
    const response = await Packs.native_fetch(folder + part.pack).catch((error) => {
      throw new PackProblem("missing", part.pack, String(error));
    });
    if (!response.ok || !response.body) throw new PackProblem("missing", part.pack, `status ${response.status}`);
    const count = new TransformStream({
      transform(chunk, out) {
        arrived(chunk.byteLength);
        out.enqueue(chunk);
      },
    });
    return response.body.pipeThrough(count);
  },

  /**
   * The bytes of a script's payload: 15 bits per code unit from U+5000 on, the words' top bits behind.
   * @param {PackPayload} payload
   * @param {string} file
   * @returns {Uint8Array<ArrayBuffer>}
   */
  unpacked(payload, file) {
    const count = (payload.bytes + 1) >> 1;
    const { units } = payload;
    if (units.length !== count + Math.ceil(count / 15)) throw new PackProblem("damaged", file, "its length is wrong");
    const words = new Uint16Array(count);
    let strange = 0;
    for (let start = 0, top = count; start < count; start += 15, top += 1) {
      let tops = units.charCodeAt(top) - 0x5000;
      strange |= tops;
      const end = Math.min(start + 15, count);
      for (let index = start; index < end; index += 1) {
        const word = units.charCodeAt(index) - 0x5000;
        strange |= word;
        words[index] = word | ((tops & 1) << 15);
        tops >>= 1;
      }
    }
    // Any unit outside the 32,768 leaves a bit above the fifteenth, or the sign.
    if (strange & ~0x7fff) throw new PackProblem("damaged", file, "a character is out of range");
    return new Uint8Array(words.buffer, 0, payload.bytes);
  },

  /**
   * Bytes as a stream. WebKit's Blob.stream() is not reliable in a worker, a response's body is.
   * @param {Uint8Array<ArrayBuffer>} bytes
   * @returns {ReadableStream<Uint8Array<ArrayBuffer>>}
   */
  streamed(bytes) {
    return /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (new Response(bytes).body);
  },

  /**
   * Inflates; a server may have done so on the way, which the first two bytes tell.
   * @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream
   * @returns {Promise<{stream: ReadableStream<Uint8Array<ArrayBuffer>>, gzip: boolean}>}
   */
  async inflated(stream) {
    const reader = stream.getReader();
    const first = await reader.read();
    const gzip = !first.done && first.value[0] === 0x1f && first.value[1] === 0x8b;
    /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */
    const whole = new ReadableStream({
      start(out) {
        if (first.value) out.enqueue(first.value);
      },
      async pull(out) {
        const { done, value } = await reader.read();
        if (done) out.close();
        else out.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return { stream: gzip ? whole.pipeThrough(new DecompressionStream("gzip")) : whole, gzip };
  },

  /**
   * All bytes of a part. gzip carries a checksum that the browser verifies; without gzip it is done here.
   * @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream
   * @param {PackPart} part
   * @param {string} file
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async bytes(stream, part, file) {
    try {
      const { stream: plain, gzip } = await Packs.inflated(stream);
      const bytes = new Uint8Array(await new Response(plain).arrayBuffer());
      if (bytes.length !== part.raw_bytes) throw new Error(`${bytes.length} bytes instead of ${part.raw_bytes}`);
      if (!gzip && Packs.crc32(bytes) !== part.raw_crc32) throw new Error("its checksum is wrong");
      return bytes;
    } catch (error) {
      if (error instanceof PackProblem) throw error;
      throw new PackProblem("damaged", file, String(error));
    }
  },

  /** @param {Uint8Array} bytes */
  crc32(bytes) {
    const table = Uint32Array.from({ length: 256 }, (_, value) => {
      for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
      return value;
    });
    let crc = ~0;
    for (const byte of bytes) crc = (crc >>> 8) ^ table[(crc ^ byte) & 0xff];
    return ~crc >>> 0;
  },

  /**
   * The files of a flat part: length of the index, index, files. They share the part's memory.
   * @param {Uint8Array<ArrayBuffer>} block
   * @returns {Map<string, Uint8Array<ArrayBuffer>>}
   */
  files(block) {
    const index_bytes = new DataView(block.buffer, block.byteOffset).getUint32(0, true);
    let start = 4 + index_bytes;
    /** @type {[string, number][]} */
    const index = JSON.parse(new TextDecoder().decode(block.subarray(4, start)));
    return new Map(
      index.map(([name, size]) => {
        const file = block.subarray(start, start + size);
        start += size;
        return [name, file];
      }),
    );
  },
};
