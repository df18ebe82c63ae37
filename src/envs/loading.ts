// Modules that are loaded when an environment is first played, so that the page starts without them.
import { EnvError } from "../core/errors.ts";

/** What is being loaded for an environment, and how much of it has arrived. */
export interface LoadProgress {
  /** For people: "physics (MuJoCo)". */
  readonly what: string;
  /** Bytes that have arrived, after decompression. */
  readonly bytes: number;
  /** Bytes of the whole; null where that is not known. */
  readonly of: number | null;
}

/** Receives the progress of a load. */
export type ReportLoad = (progress: LoadProgress) => void;

/** A module that is loaded on demand. */
interface Lazy<M> {
  /** Loads it once; after a failure the next call tries again. Only the first caller's `report` is called. @throws EnvError("not_loaded") */
  load(report?: ReportLoad): Promise<void>;
  /** The loaded module. @throws EnvError("not_loaded") before `load` has resolved. */
  get(): M;
  /** The loaded module; null before that. */
  peek(): M | null;
}

/** @param title of the environment, for messages. @param open imports the module, and whatever that needs. */
export function lazily<M>(title: string, open: (report: ReportLoad) => Promise<M>): Lazy<M> {
  let loaded: { module: M } | null = null;
  let pending: Promise<void> | null = null;
  return {
    load(report = () => undefined) {
      pending ??= open(report).then(
        (module) => {
          loaded = { module };
        },
        (error: unknown) => {
          pending = null;
          throw failed(title, error);
        },
      );
      return pending;
    },
    peek: () => loaded?.module ?? null,
    get() {
      if (loaded) return loaded.module;
      throw new EnvError("not_loaded", `${title} has not been loaded.`, "Wait for load() before create().");
    },
  };
}

/** A module that explains its failure itself knows a better remedy. */
const failed = (title: string, error: unknown): EnvError =>
  error instanceof EnvError
    ? error
    : new EnvError(
        "not_loaded",
        `${title} could not be loaded: ${error instanceof Error ? error.message : String(error)}.`,
        "Check the connection and try again; reload the page if it persists.",
        { cause: error },
      );

/** What an environment loads as WebAssembly, for messages. */
interface WasmPart {
  /** Of the environment. */
  readonly title: string;
  /** For people: "physics, MuJoCo". */
  readonly part: string;
  readonly file: string;
}

/** Starts a WebAssembly. @throws EnvError("not_loaded") when it cannot be fetched or compiled. */
export async function startWasm<T>({ title, part, file }: WasmPart, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
    throw new EnvError(
      "not_loaded",
      `${title} could not load its ${part}: ${reason}.`,
      `Check the connection, and that ${file} can be fetched and WebAssembly is allowed here; then try again. On the command line, install the packages again (npm ci).`,
      { cause: error },
    );
  }
}
