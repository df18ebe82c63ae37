// The judge of a run in the page: uses the key and the recording that the person entered, and stores verdicts.

import { endpointOf } from "../core/address.ts";
import { ConfigError } from "../core/errors.ts";
import { message, setting } from "../core/message.ts";
import type { HttpReply, Ports } from "../judge/llm/ports.ts";
import type { CheckpointStore } from "../persistence/store.ts";
import { addressOf, decide, type EndpointRequest, originOf } from "../run/judge-consent.ts";
import { portsWith } from "../run/judge-ports.ts";
import type { JudgeHost } from "../run/judging.ts";
import type { JudgeAccess } from "./protocol.ts";
import { networkFetch } from "./seal.ts";

const ports = portsWith(networkFetch);

/** The files beside a run that hold the verdicts for a recorded judge, and those that a model gave. */
export const RECORDING = "recording.jsonl";
export const VERDICTS = "verdicts.jsonl";

type Texts = Pick<CheckpointStore, "appendText" | "loadText">;

/** The host of a run's judge. The key is only in `access` and in requests to the endpoint. */
export function pageJudgeHost(
  access: JudgeAccess,
  texts: Texts,
  runId: string,
  notice?: (message: string) => void,
): JudgeHost {
  return {
    ports: { ...ports, post: postFromPage },
    async readText(name) {
      const text = (await access.recording?.text()) ?? (await texts.loadText(runId, RECORDING));
      if (text === null) throw notKept(name);
      return text;
    },
    key: async (requested) => keyFor(requested, access),
    ...(notice && { notice }),
    record: inOrder((lines) => texts.appendText(runId, VERDICTS, lines)),
  };
}

/** The key, if it was entered for the endpoint of this run. @throws ConfigError */
function keyFor(requested: EndpointRequest, access: JudgeAccess): string {
  const isNamed = access.endpoint === endpointOf(requested);
  const key = (isNamed && access.key) || "";
  const decision = decide(requested, { key, isNamed });
  if (decision === "ask") return key;
  throw decision === "no_key" ? missingKey(requested) : notAllowed(requested);
}

const missingKey = ({ provider }: EndpointRequest) =>
  new ConfigError(
    "invalid_config",
    `The judge needs a key for ${provider}, and none was entered.`,
    message`Enter it under Judge beside Start, or set ${setting("judge.base_url")} to an endpoint that needs no key.`,
  );

const notAllowed = (requested: EndpointRequest) =>
  new ConfigError(
    "invalid_config",
    `The configuration uses a judge at ${originOf(addressOf(requested))}, and you have not allowed that endpoint.`,
    "Enter its key under Judge beside Start, or allow it without a key.",
  );

const notKept = (name: string) =>
  new ConfigError(
    "invalid_config",
    `The recording ${name} is not stored with this run.`,
    "Choose the file under Judge, or next to Resume.",
  );

/** A browser does not tell a page why a request failed, so the message names both possible causes. */
async function postFromPage(...[request, signal]: Parameters<Ports["post"]>): Promise<HttpReply> {
  try {
    return await ports.post(request, signal);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error("the endpoint cannot be reached, or does not allow requests from this page", {
      cause: error,
    });
  }
}

/**
 * Appends lines in batches, one after another, because a file can be open only once. Lines that could not be written (a
 * full disk) are retried with the next ones.
 */
export function inOrder(append: (lines: string) => Promise<void>): (line: string) => void {
  let waiting = "";
  let writing = false;
  async function write(): Promise<void> {
    writing = true;
    // The verdicts of a batch arrive at once; this tick collects them into one write.
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
