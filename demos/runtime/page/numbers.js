// The numbers of the run that the controls ask for, as CSV from Python.
"use strict";

class DemoNumbers {
  /**
   * @param {{state: DemoState, status: StatusText, session: DemoSession}} parts
   * @param {{begin: () => void, broke: (error: unknown) => void, changed: () => void}} listener
   */
  constructor({ state, status, session }, listener) {
    this.state = state;
    this.status = status;
    this.session = session;
    this.listener = listener;
  }

  /** The rows as text; null where they are not to be had, and the status line says why. @returns {Promise<string | null>} */
  async csv() {
    const { state, status, listener } = this;
    listener.begin();
    if (state.failed) status.tellError();
    else if (!state.live) status.wait("The numbers will be copied when Python is ready.");
    listener.changed();
    if (state.failed) return null;
    return this.session.text("table").catch((error) => {
      if (!state.failed) listener.broke(error);
      return null;
    });
  }
}
