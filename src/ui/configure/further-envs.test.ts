import { expect, it } from "vitest";
import { setPath } from "../../config/changes.ts";
import { checkedRunConfig, inspectRunConfig } from "../../config/check.ts";
import { describeNamed, fieldAt } from "../../config/describe.ts";
import { freeEntryName } from "../../config/entries.ts";
import { presets } from "../../config/presets.ts";
import { envs } from "../../envs/index.ts";
import { entryFor } from "./further-envs.tsx";

it("adds an environment under a name that is free", () => {
  const config = checkedRunConfig({
    envs: { sokoban: {} },
    trainer: { val_sets: { boxes: { seeds: "1" } } },
  });
  expect(freeEntryName("navigation", config)).toBe("navigation");
  expect(freeEntryName("sokoban", config)).toBe("sokoban_2");
  expect(freeEntryName("frozenlake", config)).toBe("frozenlake_2");
});

it("has fields for the turns, the seeds and the options of an entry, whose problems are beside them", () => {
  const entry = { ...entryFor("sokoban", presets.all), max_turns: 3 };
  const fields = describeNamed("envs", "boxes", envs.get("sokoban"));
  const paths = fields.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["envs.boxes.max_turns", "envs.boxes.val_seeds"]));
  const options = Object.keys(entry.config).map((option) => `envs.boxes.config.${option}`);
  expect(paths).toEqual(expect.arrayContaining(options));
  for (const path of paths) expect(fieldAt(path)?.title).toMatch(/, boxes$/);
  const draft = checkedRunConfig({ envs: { boxes: entry }, rollout: { response_length: 200 } });
  for (const [path, value] of [
    ["envs.boxes.max_turns", 99],
    ["envs.boxes.config.num_boxes", -1],
  ] as const) {
    const { problems } = inspectRunConfig(setPath(draft, path, value));
    expect(problems.map((problem) => problem.path)).toContain(path);
  }
});

it.each(["frozenlake", "sokoban", "navigation", "primitive-skill"])("adds %s as its preset has it", (id) => {
  const entry = entryFor(id, presets.all);
  const config = checkedRunConfig({ envs: { other: entry }, rollout: { response_length: 200 } });
  expect(config.envs.other).toMatchObject({ name: id, weight: 1 });
  expect(envs.get(id).config.safeParse(entry.config).success).toBe(true);
});
