// A recorded run: what a demo plays before Python is there, fetched as a script so that it works from a folder too.
"use strict";

/** A recorded run. Frames are rebuilt from splices, each list of pieces once. */
class DemoRecording {
  /** @param {RecordingData} data */
  constructor(data) {
    this.data = data;
    /** @type {number[][]} */
    this.lists = [];
  }

  /**
   * The HTML of the last recorded frame that is not later than a moment.
   * @param {number} time_s
   */
  htmlAt(time_s) {
    const frames = this.data.frames;
    let low = 0;
    let high = frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (frames[middle].t <= time_s) low = middle;
      else high = middle - 1;
    }
    return this.list(low).map((piece) => this.data.pieces[piece]).join("");
  }

  /** @param {number} index */
  list(index) {
    while (this.lists.length <= index) {
      const list = (this.lists[this.lists.length - 1] || []).slice();
      for (const [start, gone, added] of this.data.frames[this.lists.length].cut) list.splice(start, gone, ...added);
      this.lists.push(list);
    }
    return this.lists[index];
  }
}

{
  /** @type {Map<string, Promise<DemoRecording>>} */
  const loading = new Map();
  /** @type {Map<Element | null, DemoRecording>} */
  const arrived = new Map();

  /** @param {string} url */
  const fetchScript = (url) =>
    new Promise((/** @type {(recording: DemoRecording) => void} */ resolve, reject) => {
      const script = document.createElement("script");
      script.onload = () => {
        const recording = arrived.get(script);
        arrived.delete(script);
        if (recording) resolve(recording);
        else reject(new Error(`${url} has no recorded run`));
      };
      script.onerror = () => reject(new Error(`${url} could not be loaded`));
      script.src = url;
      document.head.append(script);
    });

  window.TwoSpeeds = window.TwoSpeeds || {};
  TwoSpeeds.recordings = {
    // The script that calls is known by its element: two demos may share one recording, whatever its key.
    add: (_key, data) => void arrived.set(document.currentScript, new DemoRecording(data)),
    load(url) {
      const known = loading.get(url) || fetchScript(url);
      loading.set(url, known);
      return known;
    },
  };
}
