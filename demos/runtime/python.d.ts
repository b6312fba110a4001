/** What the page and the worker that runs Python say to each other, and what each knows of the pack. */

/** One part of the Python pack, as `hooks.pack` lists it. */
interface PackPart {
  name: string;
  pack: string;
  script: string;
  raw_bytes: number;
  raw_crc32: number;
  pack_bytes: number;
}

interface PackEntry {
  parts: PackPart[];
  versions: Record<string, string>;
  imports: string[];
  /** Whether the site carries plain packs beside the scripts. */
  packs: boolean;
  /** The worker's program. */
  worker: string;
}

/** A part as a script hands it over: gzip in 15-bit code units. */
interface PackPayload {
  name: string;
  bytes: number;
  units: string;
}

interface ToldAtStart {
  entry: Omit<PackEntry, "worker">;
  /** The address of the folder with the packs. */
  folder: string;
  numpy: boolean;
  touch_points: number;
  /** Whether the worker fetches packs itself, or is handed them from scripts. */
  fetches: boolean;
}

/** What a call takes: texts, and the first bytes of a file. */
type PythonArgument = string | Uint8Array;

type ToWorker =
  | ({ do: "start" } & ToldAtStart)
  | { do: "payload"; payload: PackPayload }
  | { do: "numpy" }
  | { do: "ask"; id: number; call: string; args: PythonArgument[] };

type FromWorker =
  | { say: "progress"; fraction: number }
  | { say: "ready"; timing: Record<string, number> }
  | { say: "numpy" }
  | { say: "failed"; why: StartErrorKind; file: string; detail: string }
  | { say: "answer"; id: number; text: string }
  | { say: "error"; id: number; message: string; detail: string }
  | { say: "dead"; detail: string };

/** The ways in which Python fails to start, or ends. */
type StartErrorKind = "old" | "wasm" | "worker" | "missing" | "damaged" | "memory" | "silent" | "died" | "other";

interface PayloadApi {
  entry(entry: PackEntry): void;
  add(name: string, bytes: number, units: string): void;
}

interface PythonApi {
  /** Ends the worker as if it had died by itself. */
  lose(detail: string): void;
  /** When what happened, in seconds since the worker was asked for. */
  timing: Record<string, number>;
  /** How long an answer may take before the worker counts as dead, in seconds. */
  patience_s: number;
}

interface TwoSpeedsGlobal {
  payload: PayloadApi;
  /** The browser's own Worker: Material's search replaces `window.Worker` on pages opened from a folder. */
  NativeWorker: typeof Worker;
}

/** What Pyodide's two scripts define in the worker, as far as it is used. */
interface PyodideFs {
  mkdirTree(path: string): void;
  writeFile(path: string, content: Uint8Array, options: { canOwn: boolean }): void;
}

interface PyodideApi {
  FS: PyodideFs;
  pyimport(name: string): Record<string, (...args: PythonArgument[]) => string>;
  runPython(code: string): unknown;
  _module: Record<string, ((...args: number[]) => number) | undefined>;
}

interface PyodideScope {
  loadPyodide(options: Record<string, unknown>): Promise<PyodideApi>;
  _createPyodideModule: unknown;
  importScripts: () => void;
}
