// Whether the policy that a draft starts from fits the draft, as the form words it.
import { BUNDLED, MAX_TURNS, type Misfit, misfit } from "../../config/bundled.ts";
import { settingTitle } from "../../config/describe.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { listed } from "../../core/format.ts";
import { valueText } from "./words.ts";

/** "width 64", "6 turns per episode": what a checkpoint needs of the configuration. */
export function needText({ path, needed, entries }: Misfit): string {
  if (path === "envs") return furtherText(needed as readonly string[]);
  if (path === "rollout.max_turns") return turnsText(needed as number, entries);
  return `${settingTitle(path).toLowerCase()} ${valueText(path, needed)}`;
}

/** Of the environments of a run besides the first. */
const furtherText = (needed: readonly string[]): string =>
  needed.length === 0
    ? "a run in one environment"
    : `the further environments that it was trained in (${needed.map((id) => valueText("env.name", id)).join(", ")})`;

/**
 * "6 turns per episode"; in several environments with those that have more, or without names if one must have more. Every vocabulary
 * has words for a few turns, so that fewer than those fit, too.
 */
function turnsText(needed: number, longer: readonly string[] | undefined): string {
  const turns = `${needed} turns per episode`;
  if (longer && longer.length > 0) return `at most ${turns} in ${listed(longer)}`;
  if (longer) return `${turns} in one of the run's environments`;
  return needed === MAX_TURNS ? `at most ${turns}` : turns;
}

/** Why the chosen checkpoint cannot start this draft; empty when it can, or when only reading it can show that. */
export function misfitObstacle(draft: RunConfig): string {
  const known = BUNDLED.find(({ id }) => id === draft.trainer.init_checkpoint);
  const missing = known && misfit(known, draft);
  return missing ? `The policy “${known.title}” does not fit: it needs ${needText(missing)}.` : "";
}
