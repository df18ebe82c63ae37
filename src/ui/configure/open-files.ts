// Opens chosen files in a worker with a time limit, so that no file can freeze the page.
import { ConfigError } from "../../core/errors.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { revive } from "../../worker/client.ts";
import type { Opened, TextFile } from "./open-config.ts";
import type { FromReader, ToReader } from "./reader-messages.ts";

/** What is used of a worker. */
export type Reader = Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;

/** A configuration has some kilobytes. */
const MAX_BYTES = 1_000_000;
/** Reading a configuration takes milliseconds. */
const LIMIT_MS = 5000;

const startReader = (): Reader =>
  new Worker(new URL("./open-config.worker.ts", import.meta.url), { type: "module", name: "reading files" });

/**
 * What the files are.
 * @throws ConfigError when they are too large or cannot be read within the time limit, and the errors of their readers.
 */
export async function openFiles(
  files: readonly File[],
  extensions: readonly ExtensionSource[],
  start: () => Reader = startReader,
): Promise<Opened> {
  for (const file of files) if (file.size > MAX_BYTES) throw tooLarge(file);
  const texts = await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
  const reader = start();
  try {
    return await answerOf(reader, { files: texts, extensions });
  } finally {
    reader.terminate();
  }
}

/** The time counts from when the worker is ready, because loading it can be slow. */
function answerOf(reader: Reader, question: ToReader): Promise<Opened> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const answer = new Promise<Opened>((resolve, reject) => {
    reader.onmessage = ({ data }: MessageEvent<FromReader>) => {
      if (data.kind === "opened") return resolve(data.opened);
      if (data.kind === "refused") return reject(revive(data.error));
      timer = setTimeout(() => reject(tooSlow(question.files)), LIMIT_MS);
      reader.postMessage(question);
    };
    reader.onerror = ({ message }) => reject(notRead(question.files, message));
  });
  return answer.finally(() => clearTimeout(timer));
}

const namesOf = (files: readonly TextFile[]): string => files.map(({ name }) => name).join(", ");

function tooLarge({ name, size }: File): ConfigError {
  return new ConfigError(
    "invalid_yaml",
    `${name} has ${(size / 1e6).toFixed(1)} MB; a configuration has at most ${MAX_BYTES / 1e6} MB.`,
    "Choose a configuration in YAML.",
  );
}

function tooSlow(files: readonly TextFile[]): ConfigError {
  return new ConfigError(
    "invalid_yaml",
    `${namesOf(files)} could not be read within ${LIMIT_MS / 1000} s.`,
    "Remove nested collections and references from the file, or choose another one.",
  );
}

function notRead(files: readonly TextFile[], why: string): ConfigError {
  return new ConfigError(
    "invalid_yaml",
    `${namesOf(files)} could not be read: ${why || "the reader did not start"}.`,
    "Try again; if that does not help, reload the page while no run is active.",
  );
}
