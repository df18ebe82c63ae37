import { expect, test } from "vitest";
import { presets } from "../config/presets.ts";
import { planMemory } from "./memory-plan.ts";

const described = presets.all.filter(({ description }) => /[\d.]+ million parameters/.test(description));

test("the large presets say how large their policies are", () => {
  const large = presets.all.filter(({ id }) => /-(base|large)$/.test(id));
  expect(described.map(({ id }) => id)).toEqual(expect.arrayContaining(large.map(({ id }) => id)));
});

test.each(described)("$id has as many parameters as it says", async ({ config, description }) => {
  const { parameters } = await planMemory(config);
  expect(description).toContain(`${(parameters / 1e6).toFixed(1)} million parameters`);
});
