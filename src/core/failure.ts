// How code of a user's failed, in a few words.
import { placesIn } from "./errors.ts";
import { shown } from "./short.ts";
import { StepLimitError } from "./step-limit.ts";

/** "failed in line 31: TypeError: x is not a function", to follow what failed. The line is known of a module that was read from text. */
export function failureText(thrown: unknown): string {
  const [, line] = /line (\d+)$/.exec(placesIn(thrown).split("\n")[0]!) ?? [];
  return `failed${line === undefined ? "" : ` in line ${line}`}: ${wordsOf(thrown)}`;
}

function wordsOf(thrown: unknown): string {
  if (thrown instanceof StepLimitError) return thrown.message;
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : shown(thrown, 80);
}
