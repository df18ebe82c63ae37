import { expect, it } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import { presets } from "../../config/presets.ts";
import { envs } from "../../envs/index.ts";
import { entryFor, freeEntryName } from "./further-envs.tsx";

it("adds an environment under a name that is free", () => {
  const config = checkedRunConfig({
    envs: { sokoban: {} },
    trainer: { val_sets: { boxes: { seeds: "1" } } },
  });
  expect(freeEntryName("navigation", config)).toBe("navigation");
  expect(freeEntryName("sokoban", config)).toBe("sokoban_2");
  expect(freeEntryName("frozenlake", config)).toBe("frozenlake_2");
});

it.each(["frozenlake", "sokoban", "navigation", "primitive-skill"])("adds %s as its preset has it", (id) => {
  const entry = entryFor(id, presets.all);
  const config = checkedRunConfig({ envs: { other: entry }, rollout: { response_length: 200 } });
  expect(config.envs.other).toMatchObject({ name: id, weight: 1 });
  expect(envs.get(id).config.safeParse(entry.config).success).toBe(true);
});
