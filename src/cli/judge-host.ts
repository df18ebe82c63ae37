// What a judge gets on the command line: files, keys from environment variables, and a recording beside the run.
import { setMaxListeners } from "node:events";
import { join } from "node:path";
import { message, setting } from "../core/message.ts";
import { type Consent, consentedKey } from "../run/judge-consent.ts";
import { platformPorts } from "../run/judge-ports.ts";
import type { JudgeHost } from "../run/judging.ts";
import { MAX_RECORDING_BYTES, readText } from "./disk.ts";
import { warning } from "./io.ts";
import { LineFile } from "./run-folder/lines.ts";

/** The file of a model's verdicts in the folder of the run. */
export const VERDICTS = "verdicts.jsonl";

/** Each request listens for the end of the run, and `judge.concurrency` allows this many. Node warns above 10. */
const MOST_REQUESTS = 1000;

/** Where a judge's host keeps verdicts, finds keys, and reports problems. */
interface JudgePlace {
  /** The folder of a run; without one, verdicts are not kept. */
  folder?: string;
  /** Without it, no endpoint is allowed. */
  consent?: Consent;
  env?: NodeJS.ProcessEnv;
  say?(line: string): void;
}

/** The host of judges on the command line; with a folder, it keeps the verdicts that a model gave. */
export function nodeJudgeHost({
  folder,
  consent = { origins: new Set() },
  env = process.env,
  say = (line) => void process.stderr.write(`${line}\n`),
}: JudgePlace = {}): JudgeHost {
  setMaxListeners(MOST_REQUESTS);
  return {
    ports: platformPorts,
    readText: (name) => readText(name, message`Check ${setting("judge.recording")}.`, MAX_RECORDING_BYTES),
    key: (request) => consentedKey(request, consent, env),
    notice: (message) => say(warning(message)),
    ...(folder !== undefined && { record: appendTo(join(folder, VERDICTS), say) }),
  };
}

/** Appends verdicts to a file. */
function appendTo(path: string, say: (line: string) => void): (line: string) => void {
  const file = new LineFile(path, (error) => say(notWritten(path, error as Error)));
  return (line) => file.append(line);
}

const notWritten = (path: string, { message }: Error) =>
  warning(
    `a verdict could not be written to ${path}: ${message}. Training continues; writing is retried with the next verdict.`,
  );
