// What this browser remembers of the reader's machine; where storage is refused, the choice holds for this visit.
"use strict";

const MACHINE_KEY = "two-speeds.machine";
const MACHINE_PARTS = ["device", "model", "weights"];

/** @typedef {Record<string, string>} MachineChoice a model, a device and a weight format, by pysim's names */

const MachineMemory = {
  /** @type {string | null} */
  here: null,

  /** @returns {MachineChoice | null} */
  read() {
    try {
      const kept = JSON.parse(localStorage.getItem(MACHINE_KEY) || MachineMemory.here || "null");
      return kept && MACHINE_PARTS.every((part) => typeof kept[part] === "string") ? kept : null;
    } catch {
      return null;
    }
  },

  /** @param {MachineChoice} machine */
  write(machine) {
    MachineMemory.here = JSON.stringify(machine);
    try {
      localStorage.setItem(MACHINE_KEY, MachineMemory.here);
    } catch {
      // The choice holds for this visit.
    }
  },

  forget() {
    MachineMemory.here = null;
    try {
      localStorage.removeItem(MACHINE_KEY);
    } catch {
      // There was nothing kept.
    }
  },
};
