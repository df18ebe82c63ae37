// VAGEN's defaults for keys that the files leave out, where they belong to the method.
import { type ImportContext, sourceFor } from "./context.ts";
import { type Finding, type Mapped, ofKind } from "./findings.ts";
import { readValue } from "./interpret.ts";
import { IMPLIED, isImplied } from "./keys/implied.ts";
import type { DatasetEntry } from "./parse/file.ts";
import { mappingsOf, type Scope } from "./table.ts";

/** The key of findings about ways of VAGEN or AReaL that none of their keys change. */
export const WITHOUT_KEY = "(no key)";

/** Defaults of trainer keys; none where the files have no trainer key at all. */
export function trainerDefaults(context: ImportContext): Mapped[] {
  if (context.trainer.size === 0) return [];
  const scope: Scope = { part: "trainer", generation: context.generation };
  return tableDefaults(context, scope, (key) => context.trainer.has(key));
}

/**
 * Defaults of the task: its options, its generation's rewards, and what VAGEN does without a key. Some depend on
 * `findings`, what the files say.
 */
export function taskDefaults(
  context: ImportContext,
  task: DatasetEntry | undefined,
  findings: readonly Finding[],
): Mapped[] {
  if (!task) return [];
  const { spec, schema } = context;
  const { generation } = task;
  const scope: Scope = { part: "dataset", generation, env: spec.id };
  const isGiven = (key: string) => task.keys.some((given) => given.key === key);
  const implied = IMPLIED.filter((one) => isImplied(one, spec.id, generation, isJudged(findings)))
    .filter(({ path }) => schema.has(path))
    .map(({ path, value, why }) => assumption(WITHOUT_KEY, path, value, why));
  const isPreset = ({ path }: Mapped) => !implied.some((one) => one.path === path);
  const rewards = Object.entries(spec.presets[generation] ?? {})
    .map(([option, value]) => assumption(keyOf(option, scope), `env.config.${option}`, value))
    .filter((one) => isPreset(one) && !isGiven(one.key));
  const options = tableDefaults(context, scope, isGiven, task);
  const named = (one: Mapped) => ({ ...one, key: one.key.replace(/^config\./, optionsKey(task)) });
  return [...rewards.map(named), ...implied, ...options.map(named)];
}

/** The key that sets an option of ours: usually its own name, but that may mean something else in VAGEN. */
function keyOf(option: string, scope: Scope): string {
  const own = `config.${option}`;
  const setting = `env.${own}`;
  const unconverted = mappingsOf(scope).filter(({ path, read }) => path === setting && !read);
  return unconverted.some(({ key }) => key === own) ? own : (unconverted[0]?.key ?? own);
}

/** Whether the files turn on rewards for claims; VAGEN's own default is off. */
const isJudged = (findings: readonly Finding[]): boolean =>
  ofKind(findings, "applied").findLast(({ path }) => path === "reward.use_state_reward")?.ours === true;

const optionsKey = ({ generation }: DatasetEntry): string =>
  generation === "legacy" ? "env_config." : "config.";

function tableDefaults(
  context: ImportContext,
  scope: Scope,
  isGiven: (key: string) => boolean,
  task?: DatasetEntry,
): Mapped[] {
  return mappingsOf(scope).flatMap((mapping) => {
    const { key, path = "", assumed } = mapping;
    if (!assumed || !context.schema.has(path) || isGiven(key)) return [];
    const source = sourceFor(context, task);
    const value = mapping.defaultFor?.(source) ?? mapping.default;
    const result = readValue(mapping, value, source);
    return "value" in result ? [{ ...assumption(key, path, result.value), value }] : [];
  });
}

/** A value that no file contains. */
export const assumption = (key: string, path: string, ours: unknown, remark?: string): Mapped => ({
  kind: "assumed",
  key,
  value: ours,
  path,
  ours,
  ...(remark !== undefined && { remark }),
});
