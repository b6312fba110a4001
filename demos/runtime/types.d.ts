/** What the scripts of a page share: names, the shapes of what Python answers, and what stands on `window`. */

/** A control of a demo's form. */
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A control's values as an address or a form gives them: a list, so that a repeated one is seen. */
type RawValues = Record<string, string[]>;

/** One run as the player sees it. Times in simulated seconds, `rate` in simulated per real second. */
interface DemoRun {
  stops: number[];
  end_s: number;
  rate: number;
  says: string[];
  measure?: Record<string, number>;
}

/** A run that was recorded when the site was built, and the values it stands for. */
interface RecordedRun extends DemoRun {
  values: Record<string, string>;
  texts: Record<string, string>;
}

/** Where a demo stands: the page's address, the figure's id, the controls that the page sets by itself. */
interface DemoPlace {
  page: string;
  id: string;
  sets: string[];
}

interface DemoProblem {
  control: string | null;
  message: string;
}

interface ShowAnswer extends RecordedRun {
  problems: DemoProblem[];
  frame: string;
  say: string;
}

/** A recorded run: pieces of HTML stored once, and per frame the splices of the list of pieces. */
interface RecordingData {
  pieces: string[];
  frames: { t: number; cut: [number, number, number[]][] }[];
  run: RecordedRun;
}

interface PythonProgress {
  fraction: number;
  text: string;
}

interface PythonEvents {
  progress: (progress: PythonProgress) => void;
  ready: () => void;
  failed: (error: Error) => void;
  restarted: () => void;
}

/** The worker that all demos of a page share. */
interface PythonApi {
  /** Whether numpy is there or comes with the start. */
  numpy: boolean;
  state: "idle" | "loading" | "ready" | "failed";
  start(wanted: { numpy: boolean }): Promise<void>;
  ask(call: "show" | "draw" | "explain" | "table" | "digest" | "numbers", args: PythonArgument[]): Promise<string>;
  on<K extends keyof PythonEvents>(event: K, listener: PythonEvents[K]): void;
}

interface RecordingsApi {
  add(key: string, data: RecordingData): void;
  load(url: string): Promise<DemoRecording>;
}

/** What a picture shows, and where its end is told. */
interface PictureSubject {
  element: HTMLElement;
  form: DemoForm;
  note: (text: string) => void;
}

/** What is fetched only when a reader wants a picture. */
interface PicturesApi {
  save(subject: PictureSubject, kind: "png" | "svg", place: HTMLElement): Promise<void>;
}

interface TwoSpeedsGlobal {
  base: string;
  python: PythonApi;
  recordings: RecordingsApi;
  WorkerDied: new (message?: string) => Error;
  figures: DemoFigure[];
  pictures: PicturesApi;
  /** The styles of every demo, for pictures outside the page. */
  pictureStyle: string;
}

interface Window {
  TwoSpeeds: TwoSpeedsGlobal;
}

declare var TwoSpeeds: TwoSpeedsGlobal;

/** morphdom, shipped beside these scripts: turns one tree into another, touching only what differs. */
declare function morphdom(
  from: Node,
  to: Node | string,
  options?: {
    childrenOnly?: boolean;
    onBeforeElUpdated?: (from: HTMLElement, to: HTMLElement) => boolean;
  },
): Node;

interface Navigator {
  connection?: { saveData?: boolean; effectiveType?: string; type?: string };
}
