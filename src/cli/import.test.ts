import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { presets } from "../config/presets.ts";
import { parseRunConfig } from "../config/yaml.ts";
import { main } from "./main.ts";
import { testIo } from "./testing/io.ts";

async function cli(...argv: string[]) {
  const io = testIo();
  const code = await main(argv, io);
  return { code, out: io.written.out, err: io.written.err };
}
const folder = () => mkdtemp(join(tmpdir(), "vagen-"));
const examples = "src/config/vagen/testing/examples";
const script = join(examples, "legacy-script.sh");
const checkpoint = "public/checkpoints/frozenlake-nano-trained.safetensors";
const dataset = join(examples, "legacy-dataset.yaml");

describe("import", () => {
  test("writes a configuration and prints an aligned report", async () => {
    const out = join(await folder(), "new", "run.yaml");
    const { code, out: text } = await cli(
      "import",
      script,
      dataset,
      "--set",
      "algorithm.lam=0.9",
      "--out",
      out,
    );
    expect(code).toBe(0);
    const config = parseRunConfig(await readFile(out, "utf8"));
    expect(config).toMatchObject({ algorithm: { lam: 0.9 }, rollout: { train_batch_size: 128 } });
    expect(text).toMatch(/^VAGEN, legacy: 1 refused, /);
    expect(text).toMatch(/\n {2}rollout_manager\.max_turns +3 +rollout\.max_turns +3\n/);
    expect(text).toContain(`npm run train -- --config ${out}`);
    const columns = text
      .split("\n")
      .flatMap((line) => (/^ {2}rollout_manager\.\w+ +\d/.test(line) ? [line] : []));
    expect(new Set(columns.slice(0, 2).map((line) => line.search(/ \d/))).size).toBe(1);
  });

  test("writes nothing for a task that the studio does not have", async () => {
    const path = await folder();
    const file = join(path, "household.yaml");
    await writeFile(file, "a: { env_name: alfworld, env_config: {}, train_size: 9 }");
    const { code, err } = await cli("import", file, "--out", join(path, "run.yaml"));
    expect(code).toBe(1);
    expect(err).toContain('a.env_name is "alfworld"');
    expect(await readdir(path)).toEqual(["household.yaml"]);
  });

  test("never prints a key", async () => {
    const file = join(await folder(), "train.yaml");
    const options = "{ base_urls: x, eval_set: base, token: SECRET-123 }";
    await writeFile(file, `envs: [{ name: RemoteEnv, n_envs: 4, seed: [1, 4, 1], config: ${options} }]`);
    for (const more of [[], ["--json"]]) {
      const { code, out, err } = await cli("import", file, ...more);
      expect(code).toBe(0);
      expect(out + err).toContain("(hidden)");
      expect(out + err).not.toContain("SECRET");
    }
  });

  test("prints JSON for other programs", async () => {
    const { out } = await cli("import", dataset, "--json");
    expect(JSON.parse(out)).toMatchObject({ generation: "legacy", config: { env: { name: "frozenlake" } } });
  });

  test("takes from a preset what the files leave open", async () => {
    const { out } = await cli("import", dataset, "--preset", "frozenlake-small", "--json");
    expect(JSON.parse(out).config).toMatchObject({
      model: presets.get("frozenlake-small").config.model,
      trainer: { val_size: 64 },
    });
  });

  test("tells its arguments in its help", async () => {
    expect((await cli("import", "--help")).out).toContain("import <file…>");
  });

  test.each([
    [["import"], 2, "import needs a file", "trainer.yaml"],
    [["import", script, "--from", "new"], 2, '--from is "new"', "Leave it out"],
    [["import", "nowhere.yaml"], 1, "nowhere.yaml cannot be read", "path"],
    [["import", "public/presets/frozenlake-nano.yaml"], 1, "no key of VAGEN or AReaL", "--config"],
    [["plan", "--config", dataset], 1, "is a configuration of VAGEN or AReaL", "npm run import"],
    [["import", script, "--set", "algorithm.gamma"], 1, "expected key=value", "--set"],
  ])("%j is refused", async (argv, expected, message, hint) => {
    const { code, err } = await cli(...argv);
    expect(code).toBe(expected);
    expect(err).toContain(message);
    expect(err).toContain(hint);
  });
});

describe("export --as", () => {
  test.each([
    ["vagen-legacy", ["dataset.yaml", "trainer.yaml"]],
    ["vagen-lite", ["train.yaml", "trainer.yaml", "val.yaml"]],
  ])("%s writes files that import reads back", async (target, names) => {
    const to = await folder();
    const set = ["--set", "algorithm.gamma=0.9"];
    const { code, out } = await cli(
      "export",
      "--preset",
      "sokoban-nano",
      ...set,
      "--as",
      target,
      "--out",
      to,
    );
    expect(code).toBe(0);
    expect(out).toContain("are kept as comments");
    expect((await readdir(to)).sort()).toEqual(names);
    const back = await cli("import", ...names.map((name) => join(to, name)), "--json");
    const { config } = presets.get("sokoban-nano");
    expect(JSON.parse(back.out).config).toEqual({
      ...config,
      algorithm: { ...config.algorithm, gamma: 0.9 },
    });
  });

  test("says what VAGEN would train differently", async () => {
    const lite = await cli("export", "--preset", "frozenlake-nano", "--as", "vagen-lite");
    expect(lite.err).toMatch(/VAGEN would train differently; .*rollout\.use_multi_turn_reward=true/);
    expect(lite.err).not.toContain("adv_estimator");
    expect(lite.err).toContain("reward.use_state_reward=true");
    const legacy = await cli("export", "--preset", "frozenlake-nano", "--as", "vagen-legacy");
    expect(legacy.err).not.toContain("adv_estimator");
  });

  test("says what has to be filled in, and which environment VAGEN lacks", async () => {
    const rooms = await cli("export", "--preset", "navigation-small", "--as", "vagen-lite");
    expect(rooms.err).toContain(
      "note: VAGEN plays navigation on a server: fill in config.base_urls of its entries.\n",
    );
    const cards = await cli("export", "--preset", "blackjack-nano", "--as", "vagen-lite");
    expect(cards.err).toContain("note: VAGEN-Lite has no environment for blackjack");
    const boxes = await cli("export", "--preset", "sokoban-nano", "--as", "vagen-lite");
    expect(boxes.err).not.toContain("note:");
  });

  test("takes a configuration file, and prints without --out", async () => {
    const file = join(await folder(), "mine.yaml");
    await writeFile(file, "algorithm: { lam: 0.5 }");
    const { code, out } = await cli("export", "--config", file, "--as", "vagen-legacy");
    expect(code).toBe(0);
    expect(out).toContain("  lam: 0.5");
    expect(out).toContain("# dataset.yaml");
  });

  test("takes the configuration of a checkpoint", async () => {
    const { code, out } = await cli("export", "--checkpoint", checkpoint, "--as", "vagen-lite");
    expect(code).toBe(0);
    expect(out).toContain("name: FrozenLake");
  });

  test("refuses a format that nobody reads", async () => {
    const { code, err } = await cli("export", "--as", "verl");
    expect(code).toBe(2);
    expect(err).toContain('--as is "verl"; expected one of vagen-legacy, vagen-lite.');
  });
});
