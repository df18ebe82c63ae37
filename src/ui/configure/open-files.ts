// Opens chosen files in a worker with a time limit, so that no file can freeze the page.
import { ConfigError } from "../../core/errors.ts";
import type { HousesRead } from "../../envs/navigation/procthor/read-houses.ts";
import type { DescribedExtension } from "../../extension/described.ts";
import { revive } from "../../worker/client.ts";
import type { Opened, TextFile } from "./open-config.ts";
import type { FromReader, ToReader } from "./reader-messages.ts";

/** What is used of a worker. */
export type Reader = Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;

/** What files of a kind may take, and what to choose in place of those that take more. */
interface Limits {
  bytes: number;
  ms: number;
  /** Ends the sentence "… has 3 MB; …". */
  most: string;
  smaller: string;
  simpler: string;
}

/** A configuration has some kilobytes, and reading it takes milliseconds. */
const CONFIGURATIONS: Limits = {
  bytes: 1_000_000,
  ms: 5000,
  most: "a configuration has at most 1 MB",
  smaller: "Choose a configuration in YAML.",
  simpler: "Remove nested collections and references from the file, or choose another one.",
};
/** Reading a house takes about ten milliseconds. */
const HOUSES: Limits = {
  bytes: 64_000_000,
  ms: 60_000,
  most: "files of houses that are read together have at most 64 MB",
  smaller: "Choose fewer houses: head -n 100 houses.jsonl > fewer.jsonl takes the first 100.",
  simpler: "Choose fewer houses.",
};

const startReader = (): Reader =>
  new Worker(new URL("./open-config.worker.ts", import.meta.url), { type: "module", name: "reading files" });

/**
 * What the files are.
 * @throws ConfigError when they are too large or cannot be read within the time limit, and the errors of their readers.
 */
export async function openFiles(
  files: readonly File[],
  extensions: readonly DescribedExtension[],
  start: () => Reader = startReader,
): Promise<Opened> {
  const texts = await textsOf(files, CONFIGURATIONS);
  const answer = await answerOf(
    start(),
    { kind: "configurations", files: texts, extensions },
    CONFIGURATIONS,
  );
  return (answer as Extract<FromReader, { kind: "opened" }>).opened;
}

/** The houses in files of ProcTHOR. @throws as `openFiles`, and EnvError("invalid_config") */
export async function openHouses(
  files: readonly File[],
  start: () => Reader = startReader,
): Promise<HousesRead> {
  const texts = await textsOf(files, HOUSES);
  const answer = await answerOf(start(), { kind: "houses", files: texts }, HOUSES);
  return (answer as Extract<FromReader, { kind: "housesRead" }>).read;
}

/** @throws ConfigError before anything is read if the files are too large. */
async function textsOf(files: readonly File[], limits: Limits): Promise<TextFile[]> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > limits.bytes) throw tooLarge(files, bytes, limits);
  return Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
}

/** The reader's answer; then it ends. The time counts from when the worker is ready, because loading it can be slow. */
function answerOf(reader: Reader, question: ToReader, limits: Limits): Promise<FromReader> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const answer = new Promise<FromReader>((resolve, reject) => {
    reader.onmessage = ({ data }: MessageEvent<FromReader>) => {
      if (data.kind === "refused") return reject(revive(data.error));
      if (data.kind !== "ready") return resolve(data);
      timer = setTimeout(() => reject(tooSlow(question.files, limits)), limits.ms);
      reader.postMessage(question);
    };
    reader.onerror = ({ message }) => reject(notRead(question.files, message));
  });
  return answer.finally(() => {
    clearTimeout(timer);
    reader.terminate();
  });
}

const namesOf = (files: readonly Pick<TextFile, "name">[]): string =>
  files.map(({ name }) => name).join(", ");

const tooLarge = (files: readonly File[], bytes: number, { most, smaller }: Limits): ConfigError =>
  new ConfigError("invalid_yaml", `${namesOf(files)} has ${(bytes / 1e6).toFixed(1)} MB; ${most}.`, smaller);

const tooSlow = (files: readonly TextFile[], { ms, simpler }: Limits): ConfigError =>
  new ConfigError("invalid_yaml", `${namesOf(files)} could not be read within ${ms / 1000} s.`, simpler);

function notRead(files: readonly TextFile[], why: string): ConfigError {
  return new ConfigError(
    "invalid_yaml",
    `${namesOf(files)} could not be read: ${why || "the reader did not start"}.`,
    "Try again; if that does not help, reload the page while no run is active.",
  );
}
