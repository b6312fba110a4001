// The recorded runs that a demo has, each with the setting that it answers.
"use strict";

class DemoRecordings {
  /**
   * @param {DemoState} state
   * @param {() => void} came called when the run that was asked for last has come, or will not
   */
  constructor(state, came) {
    this.state = state;
    this.came = came;
    /** @type {{setting: Record<string, string>, recording: DemoRecording}[]} a setting as the form carries it */
    this.kept = [];
  }

  /**
   * @param {string} url
   * @param {Record<string, string>} setting
   */
  async fetch(url, setting) {
    this.state.awaited_recording = url;
    // Without it a run only has to wait for Python.
    const recording = await TwoSpeeds.recordings.load(url).catch(() => null);
    if (recording && !this.kept.some((kept) => kept.recording === recording)) this.kept.push({ setting, recording });
    if (this.state.awaited_recording !== url) return;
    this.state.awaited_recording = "";
    this.came();
  }

  /** The recording for the values of a form. @param {Record<string, string>} values */
  forSetting(values) {
    return this.kept.find((kept) => DemoForm.same(kept.setting, values))?.recording || null;
  }

  /** The recording of a run, by the values that Python knows it by. @param {Record<string, string>} values */
  forRun(values) {
    return this.kept.find((kept) => DemoForm.same(kept.recording.data.run.values, values))?.recording || null;
  }
}
