import { expect, test } from "vitest";
import { envs } from "../envs/index.ts";
import { getPath } from "./changes.ts";
import { describeEnv, describeRunConfig, SECTIONS } from "./describe.ts";
import { configurationDoc } from "./document.ts";
import { RunConfig } from "./run-config.ts";

const fields = describeRunConfig();
const field = (path: string) => fields.find((known) => known.path === path)!;

test("a number has bounds, slider, unit and class", () => {
  expect(field("actor.lr")).toEqual({
    path: "actor.lr",
    section: "actor",
    title: "Actor learning rate",
    help: "If it is too high, success rises fast and then falls.",
    type: "number",
    default: 4e-4,
    nullable: false,
    min: 1e-8,
    max: 0.1,
    slider: [1e-6, 3e-3],
    log: true,
    apply: "live",
    basic: true,
  });
  expect(field("rollout.response_length")).toMatchObject({ type: "integer", unit: "tokens", min: 4 });
  expect(field("seed").max).toBeUndefined();
});

test("choices, switches, texts and options have different types", () => {
  expect(field("algorithm.adv_estimator")).toMatchObject({
    type: "choice",
    options: expect.arrayContaining(["gae"]),
  });
  expect(field("actor.use_kl_loss").type).toBe("boolean");
  expect(field("trainer.init_checkpoint").type).toBe("text");
  expect(field("env.config").type).toBe("options");
});

test("every field of the schema is there once, with the schema's own default", () => {
  const defaults = RunConfig.parse({});
  expect(new Set(fields.map(({ path }) => path)).size).toBe(fields.length);
  for (const { path, default: value } of fields)
    expect([path, value]).toEqual([path, getPath(defaults, path)]);
});

test("every field of a section has a title and a help text, and every section a title", () => {
  for (const { path, section, help } of fields) {
    expect(SECTIONS[section], section).toBeDefined();
    if (section) expect(help, path).not.toBe("");
  }
});

test("there are about a dozen basic fields", () => {
  const basic = fields.filter((known) => known.basic);
  expect(basic.length).toBeGreaterThanOrEqual(10);
  expect(basic.length).toBeLessThanOrEqual(20);
});

test.each(envs.all.map((spec) => [spec.id, spec] as const))("the options of %s are described", (_, spec) => {
  for (const option of describeEnv(spec)) {
    expect(option.path).toMatch(/^env\.config\.\w+$/);
    expect(option.help, option.path).not.toBe("");
    expect(option.apply).toBe("restart");
    expect(option.type, option.path).toMatch(/^(integer|number|boolean|choice|text|list)$/);
  }
});

test.each(envs.all.map((spec) => [spec.id, spec] as const))(
  "no option of %s is called as another setting",
  (_, spec) => {
    const titles = [...fields, ...describeEnv(spec)].map(({ title }) => title);
    for (const { title } of describeEnv(spec))
      expect(titles.filter((other) => other === title)).toEqual([title]);
  },
);

test("a list may be empty", () => {
  expect(
    describeEnv(envs.get("sokoban")).find(({ path }) => path.endsWith("min_solution_steps")),
  ).toMatchObject({
    type: "list",
    nullable: true,
    default: null,
  });
});

// `npx vitest run --project unit src/config -u` rewrites the page.
test("docs/configuration.md is what the schema says", async () => {
  await expect(configurationDoc()).toMatchFileSnapshot("../../docs/configuration.md");
});
