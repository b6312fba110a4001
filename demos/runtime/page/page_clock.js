// The page's own clock: how long it really took to reach a moment of the run, measured while it played from the start.
"use strict";

const PageClock = {
  /** @param {DemoState} state */
  follow(state) {
    if (state.time_s === 0) PageClock.forget(state);
    if (!(state.played_s > 0)) return;
    for (const [readout, time_s] of Object.entries(state.run.measure || {})) {
      if (state.time_s >= time_s && !(readout in state.measured_s)) {
        state.measured_s = { ...state.measured_s, [readout]: state.played_s };
      }
    }
  },

  /** @param {DemoState} state */
  forget(state) {
    if (Object.keys(state.measured_s).length) state.measured_s = {};
  },
};
