// A total that a run has reached already ends it, so the user is warned.
import type { RunConfig } from "../../config/run-config.ts";
import { sftUpdates } from "../../config/run-length.ts";

/** What applying the draft's number of PPO updates to a run that has done `done` updates would end; empty when nothing. */
export function lengthWarning(running: RunConfig | null, draft: RunConfig | null, done: number): string {
  if (!running || !draft) return "";
  const total = draft.trainer.total_updates;
  const ppoDone = done - sftUpdates(running);
  if (total === running.trainer.total_updates || ppoDone <= 0 || total > ppoDone) return "";
  return `The run has done ${ppoDone} PPO updates. With PPO updates at ${total} it ends after the present one, with a validation.`;
}
