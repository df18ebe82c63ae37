// Whether the policy that a draft starts from fits the draft, as the form words it.
import { bundledStart, DECODER_LAYERS, type Misfit, unfitStart } from "../../config/bundled.ts";
import { getPath } from "../../config/changes.ts";
import { settingTitle } from "../../config/describe.ts";
import { entryConfig, MAX_TURNS, mostTurns } from "../../config/entries.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { listed } from "../../core/format.ts";
import { taskTitles } from "./run-name.ts";
import { valueText } from "./words.ts";

const TURNS = "rollout.max_turns";

/** "width 64", "6 turns per episode": what a checkpoint needs of the configuration. */
export function needText({ path, needed, entries }: Misfit): string {
  if (path === "envs") return runText(needed as readonly string[]);
  if (path === TURNS) return turnsText(needed as number, entries);
  const where = entries ? ` in ${listed(entries)}` : "";
  return `${settingTitle(path).toLowerCase()} ${valueText(path, needed)}${where}`;
}

/** A run in the environments that a policy was trained in. */
const runText = (ids: readonly string[]): string =>
  `a run in ${listed(ids.map((id) => valueText("env.name", id)))}${ids.length > 1 ? "" : " alone"}`;

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

/** "“Width” is 32": what a draft has in place of what is needed. */
function presentText({ path, entries }: Misfit, draft: RunConfig): string {
  if (path === "envs") return presentTasks(taskTitles(draft));
  const title = `“${settingTitle(path)}” is`;
  if (!entries) return `${title} ${valueText(path, getPath(draft, path))}`;
  if (entries.length === 0) return `${title} at most ${mostTurns(draft)}`;
  const valueIn = (name: string) => valueText(path, getPath(entryConfig(draft, name), path));
  return `${title} ${listed(entries.map((name) => `${valueIn(name)} in ${name}`))}`;
}

const presentTasks = (titles: readonly string[]): string =>
  titles.length > 1
    ? `“Task” and “Further environments” are ${listed(titles)}`
    : `“Task” is ${titles[0]}, with no other one under “Further environments”`;

/** Why the chosen checkpoint cannot start this draft; empty when it can, or when only reading it can show that. */
export function misfitObstacle(draft: RunConfig): string {
  const unfit = unfitStart(draft);
  if (!unfit) return "";
  const { checkpoint, misfit } = unfit;
  return `${presentText(misfit, draft)}; the policy “${checkpoint.title}” needs ${needText(misfit)}.`;
}

/** What a draft can start from whose policy does not fit. */
export function misfitRemedy(draft: RunConfig): string {
  const fitting = bundledStart(draft);
  const other = fitting ? `“${fitting.title}”, which fits, or from ` : "";
  const start = isShallower(draft) ? `Set ${LAYERS_MAY_BE_FEWER}, or start` : "Start";
  return `${start} from ${other}random weights (SFT first).`;
}

const LAYERS_MAY_BE_FEWER = `“${settingTitle("trainer.init_layers")}” to “${valueText("trainer.init_layers", "fewer")}”`;

/** Whether the chosen policy first differs from the draft's model in that it has fewer decoder layers. */
function isShallower(draft: RunConfig): boolean {
  const misfit = unfitStart(draft)?.misfit;
  return misfit?.path === DECODER_LAYERS && Number(misfit.needed) < draft.model.num_hidden_layers;
}
