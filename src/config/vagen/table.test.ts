import { describe, expect, test } from "vitest";
import { envs } from "../../envs/index.ts";
import { schemaOf } from "./context.ts";
import { applyMapping, interpretKey } from "./interpret.ts";
import { type Generation, lite, type Source } from "./key-mapping.ts";
import { defaultOf, mappingsFor, nearestKey, type Scope, TABLE } from "./table.ts";
import {
  LEGACY_ENTRY_KEYS,
  LEGACY_TRAINER_KEYS,
  LITE_ENTRY_KEYS,
  LITE_TRAINER_KEYS,
  OPTION_KEYS,
} from "./testing/reference-keys.ts";

const schema = schemaOf(...envs.all);
const sourceOf = (generation: Generation): Source => ({
  split: "val",
  isOfAugust: false,
  get: (key) => defaultOf(key, generation),
  gives: () => true,
  entry: () => undefined,
});

/** What is said about a key with its default, or with something in its place. */
function kindOf(key: string, scope: Scope) {
  const value = mappingsFor(key, scope).find((mapping) => mapping.default != null)?.default ?? 1;
  const [finding] = interpretKey({ key, value }, scope, sourceOf(scope.generation), schema);
  return finding!;
}

describe.each([
  ["legacy", LEGACY_TRAINER_KEYS],
  ["lite", LITE_TRAINER_KEYS],
] as const)("every key of the %s trainer", (generation, keys) => {
  test.each(keys)("%s is applied, or not for a reason", (key) => {
    const finding = kindOf(key, { part: "trainer", generation });
    expect(["applied", "unsupported", "ignored"]).toContain(finding.kind);
    if (finding.kind !== "applied") expect(finding.remark).toMatch(/\.$/);
  });
});

describe.each([
  ["legacy", LEGACY_ENTRY_KEYS],
  ["lite", LITE_ENTRY_KEYS],
] as const)("every key of an entry of a %s dataset", (generation, keys) => {
  test.each(keys)("%s is known", (key) => {
    expect(kindOf(key, { part: "dataset", generation }).kind).not.toBe("unknown");
  });
});

describe.each(["legacy", "lite"] as const)("every option of %s", (generation) => {
  const options = Object.entries(OPTION_KEYS[generation]).flatMap(([env, keys]) =>
    keys.map((key) => [env, key] as const),
  );
  test.each(options)("%s %s is known", (env, key) => {
    expect(kindOf(key, { part: "dataset", generation, env }).kind).not.toBe("unknown");
  });
});

test("what the studio can do is applied, not merely known", () => {
  const applied = (keys: readonly string[], generation: Generation) =>
    keys.filter((key) => kindOf(key, { part: "trainer", generation }).kind === "applied");
  expect(applied(LEGACY_TRAINER_KEYS, "legacy")).toEqual(
    expect.arrayContaining([
      "data.max_response_length",
      "data.train_batch_size",
      "actor_rollout_ref.actor.optim.lr",
      "actor_rollout_ref.actor.clip_ratio",
      "algorithm.high_level_gamma",
      "algorithm.kl_ctrl.kl_coef",
      "rollout_manager.max_turns",
      "rollout_manager.n_trajectory",
      "critic.cliprange_value",
    ]),
  );
});

describe("the table", () => {
  test("says of every line what it sets or why it sets nothing", () => {
    for (const { key, path, why } of TABLE) expect(path ?? why, key).toBeTruthy();
  });

  test("has no line twice", () => {
    const names = TABLE.flatMap(({ key, part, generations, path, env }) =>
      generations.map((generation) => [part, generation, key, path ?? "", env ?? ""].join(" ")),
    );
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  test("proposes the nearest key", () => {
    const scope: Scope = { part: "trainer", generation: "legacy" };
    expect(nearestKey("algorithm.high_level_gama", scope)).toBe("algorithm.high_level_gamma");
    expect(nearestKey("critic.optim.learning_rate", scope)).toBe("critic.optim.lr");
    expect(nearestKey("rollout_manager.max_turn", scope)).toBe("rollout_manager.max_turns");
  });
});

describe("a line whose setting the schema does not have", () => {
  const row = lite("algorithm.new_thing", "algorithm.new_thing", { builtIn: 3 });
  const withRow = new Map([...schema, [row.key, schema.get("algorithm.gamma")!]]);
  const finding = (value: unknown, has: boolean) =>
    applyMapping(row, { key: row.key, value }, sourceOf("lite"), has ? withRow : schema);

  test("is reported as not supported yet", () => {
    expect(finding(7, false)).toMatchObject({
      kind: "unsupported",
      remark: "The studio has no setting algorithm.new_thing.",
    });
  });
  test("is fine where the studio does just that", () => {
    expect(finding(3, false)).toMatchObject({ remark: "The studio always does it this way." });
  });
  test("is applied the moment the schema has it", () => {
    expect(finding(7, true)).toMatchObject({ kind: "applied", path: "algorithm.new_thing", ours: 7 });
  });
});
