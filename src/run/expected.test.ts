// What the first validation of a run should show of the policy that it starts from, and whether the alarm stays quiet then.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { presets } from "../config/presets.ts";
import type { RunConfig } from "../config/run-config.ts";
import { wilsonInterval } from "../core/wilson.ts";
import { type CheckpointMeta, decodeCheckpoint } from "../persistence/checkpoint.ts";
import { weakStart } from "../rl/alarms/weak-start.ts";
import { expectedOf } from "./expected.ts";

const folder = join(import.meta.dirname, "../../public/checkpoints");
const read = async (name: string): Promise<CheckpointMeta> => {
  const bytes = new Uint8Array(readFileSync(join(folder, `${name}.safetensors`)));
  return (await decodeCheckpoint(bytes, name)).meta;
};
const bundled = readdirSync(folder)
  .filter((file) => file.endsWith(".safetensors"))
  .map((file) => file.replace(".safetensors", ""));
const starting = presets.all.filter(({ config }) => config.trainer.init_checkpoint !== "");

/** What precedes the names of what is expected in a run's first environment. */
const prefixOf = ({ env, envs }: RunConfig): string =>
  Object.keys(envs).length > 0 ? `expected/${env.name}/` : "expected/";

/** Whether the alarm is raised by a validation on that many levels, where the first environment may be one of several. */
const isRaised = (expected: object, success: number, format: number, levels: number): boolean => {
  const [, name = ""] = /^expected(\/.+)\/success$/m.exec(Object.keys(expected).join("\n")) ?? [];
  const rates = { "val/success": success, [`val/success${name}`]: success };
  const played = { ...rates, "val/format_correct": format, "val/levels": levels };
  return weakStart.detect([{ update: 0, values: { ...played, ...expected } }], 0) !== null;
};

describe("a preset that starts from a bundled policy", () => {
  test.each(starting.map(({ id, config }) => [id, config] as const))(
    "%s knows what it reaches",
    async (id, config) => {
      const expected = expectedOf(await read(config.trainer.init_checkpoint))(config);
      // The recipe pays less for the form, so nothing is said of its success.
      const figures = ["success", "success/low"].filter(() => id !== "sokoban-recipe-nano");
      const names = ["format_correct", ...figures].map((name) => `${prefixOf(config)}${name}`);
      // The other files were measured in the first environment only.
      const others = id === "three-tasks-small" ? Object.keys(config.envs) : [];
      const further = others.flatMap((name) => figures.map((figure) => `expected/${name}/${figure}`));
      expect(Object.keys(expected)).toEqual([...names, ...further]);
    },
  );
});

describe("a bundled policy", () => {
  test.each(bundled)("%s is quiet at its own figures, and not where it plays nothing right", async (name) => {
    const meta = await read(name);
    const { figures } = meta.provenance!;
    const own = checkedRunConfig(meta.config);
    const start = { init_checkpoint: name, init_vocabulary: "same" } as const;
    const config = { ...own, trainer: { ...own.trainer, val_size: 64, ...start } };
    const expected = expectedOf(meta)(config);
    const [low, format] = [figures["val/success, temperature 1, low"]!, figures["val/format_correct"]!];
    const of = prefixOf(config);
    expect(expected).toMatchObject({ [`${of}success/low`]: low, [`${of}format_correct`]: format });
    for (const levels of [2, 64, 256, 512]) expect(isRaised(expected, low, format, levels)).toBe(false);
    // Of a policy that rarely succeeds, 256 failures prove nothing.
    const [, most] = wilsonInterval(0, 256);
    expect(isRaised(expected, 0, format, 256)).toBe(low > most);
    expect(isRaised(expected, low, 0.1, 64)).toBe(true);
    expect(isRaised(expected, 0, 0, 2)).toBe(false);
  });
});

describe("nothing is expected", async () => {
  const NAME = "frozenlake-nano-warmup";
  const meta = await read(NAME);
  const config = presets.all.find(({ id }) => id === "frozenlake-nano")!.config;
  const names = (now: RunConfig, of = meta) => Object.keys(expectedOf(of)(now));
  const changed = (changes: Readonly<Record<string, unknown>>) => names(applyChanges(config, changes));

  test.each([
    ["another temperature", { "trainer.val_temperature": 0.7 }],
    ["greedy validations", { "trainer.val_temperature": 0 }],
    ["fewer choices of a token", { "trainer.val_top_k": 5 }],
    ["another reply format", { "rollout.prompt_format": "free_think" }],
    ["less room for a reply", { "rollout.response_length": 40 }],
    ["pictures of another size", { "env.config.size": 8 }],
    ["words that were not trained", { "trainer.init_vocabulary": "shared" }],
  ])("under %s", (_, changes) => expect(changed(changes)).toEqual([]));

  test.each([
    ["an option of the environment", { "env.config.is_slippery": true }],
    ["the turns", { "rollout.max_turns": 4 }],
    ["the levels", { "trainer.val_seeds": "20001-20256" }],
    ["most of the levels", { "trainer.val_seeds": "10200-10400" }],
  ])("of success where %s differ, but of the form", (_, changes) =>
    expect(changed(changes)).toEqual(["expected/format_correct"]),
  );

  test("of a policy that was not measured, or whose figures are of other weights", () => {
    const { provenance, ...unknown } = meta;
    expect(names(config, unknown)).toEqual([]);
    const figures = { ...provenance!.figures, "val/update": meta.update - 1 };
    expect(names(config, { ...meta, provenance: { ...provenance!, figures } })).toEqual([]);
  });

  describe("of the checkpoint of a run", () => {
    /** A checkpoint of a run with these settings, which validated these weights. */
    const ownWith = (trainer: object): CheckpointMeta => {
      const { provenance, config: made } = meta as CheckpointMeta & { config: RunConfig };
      const figures = { ...provenance!.figures, "val/update": meta.update };
      return {
        ...meta,
        config: { ...made, trainer: { ...made.trainer, ...trainer } },
        provenance: { ...provenance!, figures },
      };
    };
    test.each([{ val_top_k: 5 }, { val_top_p: 0.5 }, { val_temperature: 0.7 }])(
      "whose validations had %o",
      (trainer) => expect(names(config, ownWith(trainer))).toEqual([]),
    );
    test("but success, whose bound counts levels however often each was played", () => {
      const lowWith = (trainer: object) => expectedOf(ownWith(trainer))(config)["expected/success/low"]!;
      expect(names(config, ownWith({}))).toHaveLength(3);
      expect(lowWith({ val_size: 256 })).toBeCloseTo(
        meta.provenance!.figures["val/success, temperature 1, low"]!,
        9,
      );
      expect(lowWith({ val_size: 256, val_n: 8 })).toBe(lowWith({ val_size: 256 }));
      expect(lowWith({ val_size: 32, val_n: 8 })).toBeLessThan(lowWith({ val_size: 256 }) - 0.05);
    });
  });

  test("of a file whose settings this version cannot read", () => {
    expect(names(config, { ...meta, config: { env: { name: "of my own" } } })).toEqual([]);
  });
});

describe("in a run in several environments", async () => {
  const meta = await read("three-tasks-small-warmup");
  const three = presets.all.find(({ id }) => id === "three-tasks-small")!.config;
  const { figures: all } = meta.provenance!;
  const figures = {
    ...Object.fromEntries(Object.entries(all).filter(([name]) => !/sokoban|navigation/.test(name))),
    "val/success/sokoban, temperature 1": 0.81,
    "val/success/sokoban, temperature 1, low": 0.76,
    "val/episodes/sokoban": 256,
  };
  const measured = (more: object = {}): CheckpointMeta => ({
    ...meta,
    provenance: { ...meta.provenance!, figures: { ...figures, ...more } },
  });
  const expected = (changes: Readonly<Record<string, unknown>> = {}, of = measured()) =>
    expectedOf(of)(applyChanges(three, changes));

  test("each that was measured has what it should reach, and no other", () => {
    expect(Object.keys(expected())).toEqual([
      ...["format_correct", "success", "success/low"].map((name) => `expected/frozenlake/${name}`),
      ...["success", "success/low"].map((name) => `expected/sokoban/${name}`),
    ]);
    expect(expected()).toMatchObject({
      "expected/sokoban/success": 0.81,
      "expected/sokoban/success/low": 0.76,
    });
  });

  test("one whose options differ is left out, and only that one", () => {
    const other = { ...three.envs, sokoban: { ...three.envs.sokoban!, max_turns: 4 } };
    const left = Object.keys(expected({ envs: other }));
    expect(left).toContain("expected/frozenlake/success");
    expect(left.join()).not.toContain("sokoban");
    const weighted = { ...three.envs, sokoban: { ...three.envs.sokoban!, weight: 3 } };
    expect(expected({ envs: weighted })).toEqual(expected());
  });

  test("none is compared where the largest picture differs", () => {
    const { sokoban } = three.envs;
    expect(Object.keys(expected({ envs: { sokoban } })).join()).not.toContain("success");
  });

  test("a validation of the run counts the levels of each", () => {
    const own = measured({ "val/update": meta.update, "val/episodes/sokoban": 4 });
    const four = expected({ "trainer.val_size": 4 }, own);
    expect(four["expected/sokoban/success"]).toBe(0.81);
    expect(four["expected/sokoban/success/low"]).toBeLessThan(0.4);
    // Four levels say too little of sixty-four others.
    expect(expected({}, own)).not.toHaveProperty("expected/sokoban/success");
  });
});
