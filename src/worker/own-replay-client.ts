// The page's end of the worker that plays recorded actions in a user's own environment.
import type { PlayedActions, ToOwnReplay } from "./own-replay-protocol.ts";
import workerUrl from "./own-replay-worker.ts?worker&url";
import { askSealed, startSealed } from "./sealed-client.ts";

/** How long the actions of an episode may take, in milliseconds. */
const LIMIT_MS = 10_000;

/**
 * The states after each of the actions, computed in a worker of its own.
 * @throws ExtensionError("failed") when the environment fails, or does not end in time.
 */
export function playRecorded(
  question: ToOwnReplay,
  start = () => startSealed(workerUrl, "own-replay"),
  limitMs = LIMIT_MS,
): Promise<PlayedActions> {
  const say = (what: string) => ({
    message: `The environment "${question.envId}": ${what}`,
    hint: "Correct its step and where.",
  });
  return askSealed(start(), question, { limitMs, code: "failed", say });
}
