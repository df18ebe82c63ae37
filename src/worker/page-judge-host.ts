// What a judge gets in the page: a key and a recording that the person handed over, and a place for verdicts.

import { endpointOf } from "../core/address.ts";
import { ConfigError } from "../core/errors.ts";
import type { HttpReply, Ports } from "../judge/llm/ports.ts";
import type { CheckpointStore } from "../persistence/store.ts";
import { addressOf, decide, originOf, type Wish } from "../run/judge-consent.ts";
import { platformPorts } from "../run/judge-ports.ts";
import type { JudgeHost } from "../run/judging.ts";
import type { JudgeAccess } from "./protocol.ts";

/** What a recorded judge repeats, and what a model has said, under these names beside the run. */
export const RECORDING = "recording.jsonl";
export const VERDICTS = "verdicts.jsonl";

type Texts = Pick<CheckpointStore, "appendText" | "loadText">;

/** The host of a run's judge. The key lives in `access` and in the requests to the endpoint, nowhere else. */
export function pageJudgeHost(
  access: JudgeAccess,
  texts: Texts,
  runId: string,
  notice?: (message: string) => void,
): JudgeHost {
  return {
    ports: { ...platformPorts, post: postFromPage },
    async readText(name) {
      const text = (await access.recording?.text()) ?? (await texts.loadText(runId, RECORDING));
      if (text === null) throw notKept(name);
      return text;
    },
    key: async (wish) => keyGivenFor(wish, access),
    ...(notice && { notice }),
    record: inOrder((lines) => texts.appendText(runId, VERDICTS, lines)),
  };
}

/** A key goes to the endpoint that it was typed for. @throws ConfigError */
function keyGivenFor(wish: Wish, access: JudgeAccess): string {
  const isNamed = access.endpoint === endpointOf(wish);
  const key = (isNamed && access.key) || "";
  const decision = decide(wish, { key, isNamed });
  if (decision === "ask") return key;
  throw decision === "no_key" ? missingKey(wish) : notAllowed(wish);
}

const missingKey = ({ provider }: Wish) =>
  new ConfigError(
    "invalid_config",
    `The judge needs a key for ${provider}, and none was given.`,
    "Type it under Judge beside Start, or give judge.base_url of an endpoint that wants no key.",
  );

const notAllowed = (wish: Wish) =>
  new ConfigError(
    "invalid_config",
    `The configuration asks the judge at ${originOf(addressOf(wish))}, and you have not allowed that endpoint.`,
    "Type its key under Judge beside Start, or allow it without a key.",
  );

const notKept = (name: string) =>
  new ConfigError(
    "invalid_config",
    `The recording ${name} is not kept with this run.`,
    "Choose the file under Judge, or beside the run's Resume.",
  );

/** A browser does not tell a page why a request had no reply; all it can be is said. */
async function postFromPage(...[request, signal]: Parameters<Ports["post"]>): Promise<HttpReply> {
  try {
    return await platformPorts.post(request, signal);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error("the endpoint cannot be reached, or does not let pages of this address ask it", {
      cause: error,
    });
  }
}

/**
 * Appends lines one batch after another: a file can be open only once. Lines that could not be written (a full disk) go
 * with the next ones.
 */
export function inOrder(append: (lines: string) => Promise<void>): (line: string) => void {
  let waiting = "";
  let writing = false;
  async function write(): Promise<void> {
    writing = true;
    // All of a batch's verdicts are told at once, and written at once.
    await null;
    while (waiting !== "") {
      const lines = waiting;
      waiting = "";
      try {
        await append(lines);
      } catch {
        waiting = lines + waiting;
        break;
      }
    }
    writing = false;
  }
  return (line) => {
    waiting += `${line}\n`;
    if (!writing) void write();
  };
}
