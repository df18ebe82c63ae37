// docs/environments.md: what an environment is, from the docstring of its specification and the schema of its options.
// To renew the page after a change of either: npm run docs
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeEnv } from "../config/describe.ts";
import { allowed } from "../config/document.ts";
import { plainText } from "../core/message.ts";
import type { EnvSpec } from "./env.ts";
import { envs, loadEnv } from "./index.ts";

await Promise.all(envs.ids.map(loadEnv));

const docs = join(import.meta.dirname, "../../docs/environments.md");
const sourceOf = ({ id }: EnvSpec) => `src/envs/${id}/index.ts`;

/** The comment above the specification, as Markdown. */
function docstring(spec: EnvSpec): string {
  const source = readFileSync(join(import.meta.dirname, "../..", sourceOf(spec)), "utf8");
  const comment = /\/\*\*\n((?: \*.*\n)+?) \*\/\nexport const \w+ = defineEnv\(/.exec(source)?.[1] ?? "";
  return comment.replace(/^ \* ?/gm, "");
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");

/** The options with their defaults; a preset that differs from them has a column of its own. */
function options(spec: EnvSpec): string {
  const fields = describeEnv(spec);
  const optionOf = (path: string) => path.slice("env.config.".length);
  const defaults = Object.fromEntries(fields.map((field) => [optionOf(field.path), field.default]));
  const isDefault = (preset: object) =>
    Object.entries(preset).every(([name, value]) => JSON.stringify(value) === JSON.stringify(defaults[name]));
  const presets = Object.entries(spec.presets);
  const same = presets.filter(([, preset]) => isDefault(preset)).map(([name]) => ` (\`${name}\`)`);
  const others = presets.filter(([, preset]) => !isDefault(preset));
  return table(
    ["option", `default${same.join("")}`, ...others.map(([name]) => `\`${name}\``), "allowed", "meaning"],
    fields.map((field) => {
      const name = optionOf(field.path);
      const values = [field.default, ...others.map(([, preset]) => preset[name] ?? field.default)];
      return [
        `\`${name}\``,
        ...values.map((value) => `\`${JSON.stringify(value)}\``),
        allowed(field),
        plainText(field.help),
      ];
    }),
  );
}

/** The tools under the default options; empty when there are none. */
function tools(spec: EnvSpec): string {
  const rows = (spec.create(spec.config.parse({})).tools?.() ?? []).map(({ name, args, description }) => [
    `\`${name}\``,
    Object.keys(args.shape)
      .map((arg) => `\`${arg}\``)
      .join(", "),
    description,
  ]);
  return rows.length ? `\n**Tools.**\n\n${table(["tool", "arguments", "answer"], rows)}` : "";
}

/** The page with its generated parts written again. */
function withGeneratedParts(page: string): string {
  return envs.all.reduce((text, spec) => {
    const [from, to] = [`<!-- generated from ${sourceOf(spec)} -->\n`, `<!-- end of ${sourceOf(spec)} -->\n`];
    const [before, rest = ""] = text.split(from);
    const after = rest.split(to)[1];
    if (after === undefined) throw new Error(`docs/environments.md lacks the lines ${from}${to}`);
    return `${before}${from}\n${docstring(spec)}\n${options(spec)}${tools(spec)}\n${to}${after}`;
  }, page);
}

test("is what docs/environments.md says", () => {
  const page = readFileSync(docs, "utf8");
  const written = withGeneratedParts(page);
  if (process.env.UPDATE_DOCS) writeFileSync(docs, written);
  expect(readFileSync(docs, "utf8")).toBe(written);
});

test("shows code of Blackjack as it is", () => {
  const blocks = [...readFileSync(docs, "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) =>
    code!.trim(),
  );
  expect(blocks.length).toBeGreaterThan(1);
  const folder = join(import.meta.dirname, "blackjack");
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  for (const code of blocks)
    expect(
      sources.some((source) => source.includes(code)),
      code,
    ).toBe(true);
});

test.each(envs.all.map((spec) => [spec.id, spec] as const))(
  "the docstring of %s is its whole MDP",
  (_, spec) => {
    const text = docstring(spec);
    const parts = [
      "Actions",
      "Observation",
      "Start",
      "Transitions",
      "Rewards",
      "End",
      "Seeds",
      "Configuration",
    ];
    const places = parts.map((part) => text.indexOf(`\n**${part}.**`));
    expect(places.every((place) => place > 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    // Numbers are not listed one by one.
    const actions = spec.readAction ? [spec.actions[0], spec.actions.at(-1)] : spec.actions;
    for (const action of actions) expect(text).toContain(`\`${action}\``);
  },
);
