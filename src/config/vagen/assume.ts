// What a file does not say but VAGEN does all the same: defaults that belong to the method.

import { readingOf } from "./find.ts";
import { type Assumed, type Finding, ofKind } from "./findings.ts";
import { IMPLIED, isImplied } from "./keys/implied.ts";
import type { DatasetEntry } from "./read.ts";
import { type Reader, sourceFor } from "./reader.ts";
import type { Generation } from "./row.ts";
import { linesOf, type Scope } from "./table.ts";

/** VAGEN's defaults of trainer keys that belong to the method and are not in the file. */
export function assumedTrainer(reader: Reader): Assumed[] {
  if (reader.trainer.size === 0) return [];
  return assumedIn(reader, { part: "trainer", generation: reader.generation }, [...reader.trainer.keys()]);
}

/**
 * The same for the task: defaults of its options, its rewards of that generation, and what has no key. `found` is what the
 * files say, on which some of it depends.
 */
export function assumedTask(
  reader: Reader,
  task: DatasetEntry | undefined,
  found: readonly Finding[],
): Assumed[] {
  if (!task) return [];
  const { generation, pairs } = task;
  const keys = pairs.map(({ key }) => key);
  const presets = Object.entries(reader.spec.presets[generation] ?? {});
  const silent = presets.filter(([option]) => !keys.includes(`config.${option}`));
  const rewards = silent.map(([option, ours]) =>
    assumption(shownKey(`config.${option}`, generation), `env.config.${option}`, ours),
  );
  const isTrue = IMPLIED.filter((one) => isImplied(one, reader.spec.id, generation, isJudged(found)));
  const implied = isTrue.map(({ path, value, why }) => ({ ...assumption("VAGEN", path, value), note: why }));
  const scope: Scope = { part: "dataset", generation, env: reader.spec.id };
  return [
    ...rewards,
    ...implied.filter(({ path }) => reader.schema.has(path)),
    ...assumedIn(reader, scope, keys),
  ];
}

/** VAGEN's own default is off. */
const isJudged = (found: readonly Finding[]): boolean =>
  ofKind(found, "applied").findLast(({ path }) => path === "reward.use_state_reward")?.ours === true;

function assumedIn(reader: Reader, scope: Scope, given: readonly string[]): Assumed[] {
  const silent = linesOf(scope).filter(
    ({ key, path, assumed }) => assumed && reader.schema.has(path ?? "") && !given.includes(key),
  );
  return silent.flatMap((row) => {
    const reading = readingOf(row, row.default, sourceFor(reader));
    if (!("value" in reading)) return [];
    const key = shownKey(row.key, scope.generation);
    return [{ ...assumption(key, row.path!, reading.value), value: row.default }];
  });
}

/** The legacy dataset calls an environment's options differently from the table. */
function shownKey(key: string, generation: Generation): string {
  return generation === "legacy" ? key.replace(/^config\./, "env_config.") : key;
}

/** A value that nobody wrote. */
export function assumption(key: string, path: string, ours: unknown): Assumed {
  return { kind: "assumed", key, value: ours, path, ours };
}
