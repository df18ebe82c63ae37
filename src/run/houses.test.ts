// Houses of ProcTHOR beside extensions: loaded, named by a configuration, and kept with the runs that play in them.
import { afterEach, describe, expect, it } from "vitest";
import { checkedRunConfig, inspectRunConfig } from "../config/check.ts";
import { presets } from "../config/presets.ts";
import { sharedHouses } from "../config/rules/shared-houses.ts";
import { plainText } from "../core/message.ts";
import { houseCount } from "../envs/navigation/houses.ts";
import { readHouses } from "../envs/navigation/procthor/read-houses.ts";
import { house } from "../envs/navigation/procthor/sample-house.ts";
import {
  assertExtensions,
  extensionRecords,
  extensionSources,
  idsKnownTo,
  installExtensions,
} from "./extensions.ts";

const one = JSON.stringify(house());
const { source } = readHouses([{ name: "a", text: `${one}\n${one}\n${one}` }]);
const houses = { name: "houses.jsonl", source };
const term = {
  name: "mine.mjs",
  source: 'export default ({ rewardTerm }) => rewardTerm({ id: "mine", score: () => 1 });',
};

const preset = presets.all.find(({ id }) => id === "navigation-small")!.config;
const inHouses = {
  ...preset,
  env: { ...preset.env, config: { ...preset.env.config, homes: "imported" } },
};
const withTrainer = (trainer: object) => ({ ...inHouses, trainer: { ...preset.trainer, ...trainer } });

afterEach(() => void installExtensions([]));

describe("loaded houses", () => {
  it("are registered beside extensions, and gone with them", async () => {
    const registered = await installExtensions([term, houses]);
    expect(registered.map(({ provides }) => provides)).toEqual([["rewardTerm mine"], ["houses 3"]]);
    expect(houseCount()).toBe(3);
    await installExtensions([term]);
    expect(houseCount()).toBe(0);
  });

  it("are one file at a time, and stay when another cannot be loaded", async () => {
    await installExtensions([houses]);
    await expect(installExtensions([houses, { name: "more.json", source }])).rejects.toThrow(
      /^more\.json: houses are loaded already, from houses\.jsonl/,
    );
    await expect(installExtensions([{ name: "bad.jsonl", source: "{}" }])).rejects.toThrow(
      /^bad\.jsonl: rooms is missing/,
    );
    expect(houseCount()).toBe(3);
  });
});

describe("a run in houses", () => {
  it("needs some to be loaded, or those that it keeps", async () => {
    const [problem] = inspectRunConfig(inHouses).problems;
    expect(problem).toMatchObject({ path: "env.config.homes", value: "imported", fix: { value: "own" } });
    expect(problem!.hint).toContain("--houses");
    const record = { name: "houses.jsonl", sha256: "", provides: ["houses 3"] };
    expect(inspectRunConfig(inHouses, undefined, idsKnownTo([record])).problems).toEqual([]);
    await installExtensions([houses]);
    expect(inspectRunConfig(inHouses).problems).toEqual([]);
  });

  it("keeps them; a run in other homes does not", async () => {
    await installExtensions([term, houses]);
    const names = (config: object) => extensionRecords(checkedRunConfig(config)).map(({ name }) => name);
    expect(names(inHouses)).toEqual(["mine.mjs", "houses.jsonl"]);
    expect(names(preset)).toEqual(["mine.mjs"]);
    expect(names({})).toEqual(["mine.mjs"]);
    const unseen = { unseen: { seeds: "1-4", config: { homes: "imported" } } };
    expect(names({ ...preset, trainer: { ...preset.trainer, val_sets: unseen } })).toContain("houses.jsonl");
    const others = { walk: { ...inHouses.env, weight: 1 } };
    expect(names({ envs: others, trainer: { init_checkpoint: "" } })).toContain("houses.jsonl");
    expect(extensionSources(checkedRunConfig(inHouses))).toEqual([term, houses]);
  });

  it("is continued with the same houses only", async () => {
    await installExtensions([houses]);
    const records = extensionRecords(checkedRunConfig(inHouses));
    expect(records[0]!.sha256).toMatch(/^[0-9a-f]{64}$/);
    const remedy = (name: string) => `Give ${name}.`;
    expect(() => assertExtensions(records, remedy)).not.toThrow();
    await installExtensions([{ name: "houses.jsonl", source: `${one}\n` }]);
    expect(() => assertExtensions(records, remedy)).toThrow(
      /^The file of houses houses\.jsonl is not the one/,
    );
    await installExtensions([]);
    expect(() => assertExtensions(records, remedy)).toThrow(
      "The run was made with the file of houses houses.jsonl (houses 3), which is not loaded.",
    );
  });
});

describe("houses for evaluation", () => {
  const found = (config: Parameters<typeof sharedHouses>[0]) => {
    const shared = sharedHouses(config);
    return shared && plainText(shared.message);
  };

  it("are not played by training in the preset", async () => {
    await installExtensions([houses]);
    expect(found(checkedRunConfig(inHouses))).toBeNull();
  });

  it("are warned of where training or the validation takes the other ones", async () => {
    await installExtensions([houses]);
    expect(found(checkedRunConfig(withTrainer({ train_seeds: "1-90001" })))).toMatch(
      /^Training plays seed 90001 in a house reserved for evaluation/,
    );
    expect(found(checkedRunConfig(withTrainer({ val_seeds: "90500, 90000" })))).toMatch(
      /^The validation plays seed 90000 in a house that training plays/,
    );
  });

  it("are no question with one house, without a division, or in an evaluation set", async () => {
    const shared = withTrainer({ val_seeds: "90000" });
    const variant = (options: object) =>
      found(
        checkedRunConfig({ ...shared, env: { ...shared.env, config: { ...shared.env.config, ...options } } }),
      );
    await installExtensions([houses]);
    expect([variant({ eval_houses: 0 }), variant({ eval_set: "base" }), variant({ homes: "own" })]).toEqual([
      null,
      null,
      null,
    ]);
    await installExtensions([{ name: "one.jsonl", source: `${one}\n` }]);
    expect(variant({})).toBeNull();
  });
});
