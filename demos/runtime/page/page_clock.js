// How long did the page really take to reach a moment of the run? Measured by its own clock, while it played from the start.
"use strict";

const PageClock = {
  /** @param {DemoFigure} figure */
  follow({ player, frame }) {
    if (player.time_s === 0) frame.forgetMeasures();
    if (!(player.played_s > 0)) return;
    for (const [readout, time_s] of Object.entries(player.run.measure || {})) {
      if (player.time_s >= time_s && !frame.measured.has(readout)) frame.measure(readout, player.played_s);
    }
  },
};
