import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { getPreset, presets } from "../config/presets.ts";
import type { RunConfig } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { parseRunConfig } from "../config/yaml.ts";
import type { ExtensionError } from "../core/errors.ts";
import type { Trajectory } from "../core/types.ts";
import { houseCount } from "../envs/navigation/houses.ts";
import { house } from "../envs/navigation/procthor/sample-house.ts";
import { readOnnxPolicy } from "../onnx/metadata.ts";
import { type CheckpointMeta, encodeCheckpoint } from "../persistence/checkpoint.ts";
import { nodeFiles } from "../persistence/node-files.ts";
import { openStore } from "../persistence/store.ts";
import { sampleCheckpoint } from "../persistence/testing/sample-checkpoint.ts";
import { installExtensions } from "../run/extensions.ts";
import { shellWords } from "./args.ts";
import { readCheckpoint } from "./checkpoint.ts";
import { parseSeeds } from "./eval.ts";
import { descriptions, differenceTable, resultTable, resultText } from "./eval-report.ts";
import { main } from "./main.ts";
import { assertPlugins, loadHouseFiles } from "./plugins.ts";
import { toEventLine, toJsonLine } from "./run-folder/json.ts";
import { ProvenanceRecord } from "./run-folder/provenance.ts";
import { RunFolder } from "./run-folder/run-folder.ts";
import { assertHousesPlayed, inHouses } from "./source.ts";
import { testIo } from "./testing/io.ts";
import { finishedLine, introduction } from "./train-report.ts";

/** Exit code and what was printed. */
async function cli(...argv: string[]) {
  const io = testIo();
  const code = await main(argv, io);
  return { code, out: io.written.out, err: io.written.err };
}
const folder = () => mkdtemp(join(tmpdir(), "cli-"));
const TRAINED = "public/checkpoints/frozenlake-nano-trained.safetensors";

describe("--houses", () => {
  const written = async (name: string, data: unknown) => {
    const path = join(await folder(), name);
    await writeFile(path, typeof data === "string" ? data : JSON.stringify(data));
    return path;
  };
  afterEach(() => installExtensions([]));

  test("puts Navigation into the houses of all files, and reports what is not drawn", async () => {
    const files = [await written("one.json", house()), await written("two.json", [house(), house()])];
    const { code, out, err } = await cli(
      ...["plan", "--preset", "navigation-small", "--json"],
      ...files.flatMap((file) => ["--houses", file]),
    );
    expect(err.split("\n")).toEqual([
      "one.jsonl: 3 houses with 6 rooms",
      "  side table: 3, drawn as boxes, never a target",
      ...["Apple", "Bed", "GrandPiano"].map((kind) => `  ${kind}: 3, left out`),
      "",
    ]);
    expect([code, JSON.parse(out).parameters > 0]).toEqual([0, true]);
    expect(houseCount()).toBe(3);
    const { config } = getPreset("navigation-small");
    expect(inHouses(config).env.config.homes).toBe("imported");
    expect(() => assertHousesPlayed(inHouses(config), "run")).not.toThrow();
    expect(() => assertHousesPlayed(config, "run")).toThrow(/the run in run was begun in other homes/);
  });

  test("refuses what is no house, and a run of another task, before anything begins", async () => {
    const refused = async (data: unknown, preset = "navigation-small") => {
      const { code, err } = await cli("plan", "--preset", preset, "--houses", await written("a.json", data));
      return [code, err.split("\n").join(" ")];
    };
    expect(await refused("<html>")).toEqual([
      1,
      expect.stringMatching(/^a\.json is no JSON.*Give houses of ProcTHOR/),
    ]);
    expect(await refused({ ...house(), rooms: [] })).toEqual([
      1,
      expect.stringMatching(/^a\.json: rooms is \[\]/),
    ]);
    for (const data of [house(), "<html>"])
      expect(await refused(data, "frozenlake-nano")).toEqual([
        2,
        expect.stringMatching(
          /^--houses was given, and the run plays frozenlake\. Houses are for Navigation/,
        ),
      ]);
    const lake = ["--checkpoint", TRAINED, "--houses", "/nowhere.json"];
    for (const command of [
      ["eval", ...lake],
      ["record", "--seed", "1", ...lake],
      ["train", "--houses", "/nowhere.json"],
      ["train", "--resume", TRAINED, "--houses", "/nowhere.json"],
    ])
      expect(await cli(...command)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^--houses was given, and the run plays frozenlake\./),
      });
    expect(await cli("plan", "--preset", "navigation-small", "--houses", "/nowhere.json")).toMatchObject({
      code: 1,
      err: expect.stringContaining("/nowhere.json cannot be read: there is no such file."),
    });
    expect(
      await cli("plan", "--preset", "navigation-small", "--set", "env.config.homes=imported"),
    ).toMatchObject({
      code: 1,
      err: expect.stringContaining("no houses are loaded"),
    });
  });

  test("is asked for with the copy that a run keeps, unless other houses are to be measured", async () => {
    const run = await folder();
    await mkdir(join(run, "plugins"));
    const meta = {
      extensions: [{ name: "houses.jsonl", sha256: "ab".repeat(32), provides: ["houses 3"] }],
    } as unknown as CheckpointMeta;
    expect(() => assertPlugins(meta, run)).toThrow(/made with the file of houses houses\.jsonl \(houses 3\)/);
    const hint = () => {
      try {
        assertPlugins(meta, run);
      } catch (error) {
        return (error as ExtensionError).hint;
      }
      return "";
    };
    expect(hint()).toBe("Give the file that the run used: --houses <path of houses.jsonl>");
    const copy = join(run, "plugins", "houses.jsonl");
    await writeFile(copy, JSON.stringify(house()));
    expect(hint()).toBe(`The run keeps a copy: --houses ${copy}`);
    await loadHouseFiles([copy], [], () => undefined);
    expect(() => assertPlugins(meta, run)).toThrow(/is not the one that the run was made with/);
    expect(() => assertPlugins(meta, run, { otherHouses: true })).not.toThrow();
  });
});

describe("being called wrongly ends with 2, and says how to call it", () => {
  test.each([
    [["trian"], 'There is no command "trian".', '"train"?'],
    [["train", "--presett", "x"], "train has no option --presett.", '"--preset"?'],
    [["train", "--preset"], "--preset", "train --help"],
    [["train", "extra"], "extra", "train --help"],
    [["train", "--updates", "few"], '--updates is "few"; expected a whole number', ""],
    [["train", "--updates", "-3"], '--updates is "-3"; expected a whole number of at least 0.', ""],
    [["plan", "--updates", "few"], '--updates is "few"; expected a whole number', ""],
    [["train", "--out", "--json"], "--out needs a value: --out <folder>.", "train --help"],
    [["train", "--out", ""], "--out is empty; it needs <folder>.", "train --help"],
    [["eval", "--checkpoint= "], "--checkpoint is empty; it needs <run|file>.", "eval --help"],
    [["ablate", "--seeds", "0x2"], '--seeds is "0x2"; expected a whole number', ""],
    [
      ["export", "--checkpoint", "frozenlake-nano-trained", "--out", "x", "--commit", "zzz"],
      '--commit is "zzz"; expected a commit hash: 7 to 64',
      "git rev-parse HEAD",
    ],
    [
      ["eval", "--checkpoint", "x", "--temperature", "-.5"],
      '--temperature is "-.5"; expected a number from 0 to 5.',
      "",
    ],
    [["eval", "--checkpoint", "x", "--temperature", "Infinity"], '--temperature is "Infinity"', "0 to 5"],
    [["train", "--preset", "frozenlake-nano", "--config", "x.yaml"], "both given", "Give one"],
    [["train", "--resume", "run", "--preset", "frozenlake-nano"], "both given", "keeps its configuration"],
    [
      ["export", "--checkpoint", "x", "--out", "y", "--similarity", "dino=a.onnx"],
      "--similarity is given without --evaluate",
      "Add --evaluate",
    ],
    [["train", "--similarity", "clip=a.onnx"], '--similarity is "clip=a.onnx"', "dino=dinov2-small.onnx"],
    [["train", "--from", "x", "--scratch"], "--from and --scratch were both given", "without one"],
    [["plan", "--from", "x", "--scratch"], "--from and --scratch were both given", "without one"],
    [["eval", "--checkpoint", "x", "--greedy", "--temperature", "1"], "were both given", "give one of them"],
    [
      ["record", "--all", "--checkpoint", "x"],
      "--all and --checkpoint were both given",
      "Leave out one of the two",
    ],
    [
      ["record", "--find", "x", "--seed", "1"],
      "--find and --seed were both given",
      "Leave out one of the two",
    ],
    [
      ["record", "--checkpoint", "x", "--seed", "1", "--out", "src"],
      "src cannot be written: it is a folder",
      "--out",
    ],
    [["eval", "--checkpoint", "x", "--dump", "package.json"], "package.json cannot be written", "--dump"],
    [["eval"], "eval needs a checkpoint", "--checkpoint run"],
    [["export-onnx", "--out", "x.onnx"], "export-onnx needs --checkpoint and --out.", "For example"],
    [["ablate", "--methods", "grp"], '--methods names "grp".', "vagen-full"],
    [["ablate", "--methods", "none", "--formats", "none"], "both none", "Name a method"],
    [["ablate", "--env", "visual-math"], '--env is "visual-math".', "frozenlake or sokoban"],
    [["ablate", "--seeds", "0"], '--seeds is "0"', ""],
    [["eval", "--checkpoint", "x", "--seeds", "9-3"], '--seeds is "9-3"', "10001-10256"],
  ])("%j", async (argv, message, hint) => {
    const { code, err, out } = await cli(...argv);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain(hint);
    expect(out).toBe("");
  });

  test("no command at all shows what there is", async () => {
    const { code, out } = await cli();
    expect(code).toBe(2);
    for (const name of ["train", "eval", "plan", "bench"]) expect(out).toContain(`  ${name}`);
  });
});

test("a hint names the option for what it asks for, if the command has it", async () => {
  const hint = "or clear trainer.init_checkpoint (--scratch) to start from random weights.";
  const wide = ["--set", "model.hidden_size=48"];
  expect((await cli("plan", "--preset", "frozenlake-nano", ...wide)).err).toContain(hint);
  const from = ["--from", "frozenlake-nano-warmup", "--formats", "none"];
  const { err } = await cli("ablate", ...from, ...wide, "--out", await folder());
  expect(err).toContain(hint.replace(" (--scratch)", ""));
});

test("a plan says what was changed in a preset, whose name may be that of another task", async () => {
  const preset = ["plan", "--preset", "sokoban-nano", "--scratch"];
  expect((await cli(...preset)).out).toMatch(/^Sokoban nano\n/);
  const { out } = await cli(...preset, "--set", "env.name=frozenlake", "--set", "actor.lr=1e-3");
  expect(out).toMatch(/^Sokoban nano, with env\.name and actor\.lr set\n/);
});

test("a command is printed as a shell reads it", () => {
  const args = ["--out", "my runs/a", "--set", "actor.lr=1e-3", "--set", "name=it's", "", "$HOME"];
  const told = shellWords(...args);
  expect(told).toBe(`--out 'my runs/a' --set actor.lr=1e-3 --set 'name=it'\\''s' '' '$HOME'`);
  expect(execFileSync("sh", ["-c", `printf '%s\\n' ${told}`], { encoding: "utf8" })).toBe(
    `${args.join("\n")}\n`,
  );
});

describe("--plugin", () => {
  const example = "docs/examples/extension.mjs";
  const use = ["--set", "algorithm.adv_estimator=reward_to_go", "--set", "reward.weights.shorter=0.1"];

  test("registers a file for one command, and for no other", async () => {
    expect(await cli("plan", "--plugin", example, ...use)).toMatchObject({ code: 0, err: "" });
    const { code, err } = await cli("plan", ...use);
    expect(code).toBe(1);
    expect(err).toContain('algorithm.adv_estimator is "reward_to_go"; it must be one of "bi_level_gae"');
    expect(err).toContain("no extension has added a reward term");
  });

  test("refuses a file that is not there, one that is no module, and two of one name", async () => {
    expect((await cli("plan", "--plugin", "none.mjs")).err).toContain("none.mjs cannot be read");
    const broken = join(await folder(), "broken.mjs");
    await writeFile(broken, "export default (");
    const { code, err } = await cli("plan", "--plugin", broken);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("broken.mjs cannot be read as a module: SyntaxError"),
    ]);
    const twice = await cli("plan", "--plugin", example, "--plugin", example);
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining("two files named extension.mjs")]);
  });
});

describe("a checkpoint with NaN weights is refused by name", () => {
  test.each([
    ["eval", (file: string) => ["--checkpoint", file]],
    ["train", (file: string) => ["--preset", "frozenlake-nano", "--from", file]],
    ["train", (file: string) => ["--resume", file]],
    ["export", (file: string) => ["--checkpoint", file, "--out", `${file}.out`]],
  ])("%s", async (command, options) => {
    const at = await folder();
    const file = join(at, "nan.safetensors");
    const nano = await readCheckpoint("public/checkpoints/frozenlake-nano-warmup.safetensors", "");
    nano.tensors.get("param.embed.weight")!.data[7] = Number.NaN;
    await writeFile(file, await encodeCheckpoint(nano));
    const out = command === "train" ? ["--out", join(at, "out")] : [];
    const { code, err } = await cli(command, ...options(file), ...out);
    expect(code).toBe(1);
    expect(err).toMatch(/nan\.safetensors.* values of param\.embed\.weight are NaN .* NaN at index 7/);
    expect(err).toContain("Use an earlier checkpoint");
  });
});

describe("a path that cannot be used is named", () => {
  const file = "package.json";
  test.each([
    ["train", "--out", join(file, "x"), "cannot be written: a part of the path is a file, not a folder."],
    ["train", "--out", "/proc/x/y", "/proc/x/y cannot be written: there is no such file."],
    ["train", "--out", "/proc", "/proc/run.lock cannot be written: "],
    ["train", "--out", "x".repeat(5000), "cannot be written: the path is too long."],
    ["train", "--config", "src", "src cannot be read: it is a folder."],
    ["train", "--config", join(file, "x"), "cannot be read: a part of the path is a file, not a folder."],
    ["train", "--config", "/dev/zero", "/dev/zero cannot be read: it is larger than 16 MiB."],
    ["train", "--plugin", "src", "src cannot be read: it is a folder."],
    ["train", "--plugin", "/dev/zero", "/dev/zero cannot be read: it is larger than 16 MiB."],
    ["train", "--resume", file, "package.json holds no checkpoint."],
    ["train", "--resume", "/dev/zero", "/dev/zero holds no checkpoint."],
    ["train", "--resume", "x".repeat(5000), "does not exist."],
    ["train", "--resume", "none.safetensors", '--resume is "none.safetensors"; there is no such checkpoint.'],
    ["eval", "--checkpoint", "/dev/zero", '--checkpoint is "/dev/zero"; there is no such checkpoint.'],
    ["eval", "--checkpoint", "src", '--checkpoint is "src"; this folder has no checkpoint.'],
    ["eval", "--checkpoint", file, "package.json is not a safetensors file."],
    ["train", "--set", "__proto__.x=1", 'There is no setting "__proto__.x".'],
    ["train", "--set", "env.config.__proto__.x=1", 'There is no setting "env.config.__proto__.x".'],
    ["train", "--set", "trainer.init_checkpoint=blob:x#%", "%"],
  ])("%s %s %s", async (command, option, value, words) => {
    const out = option === "--out" ? [] : ["--out", join(await folder(), "out")];
    const given = command === "train" ? out : [];
    const { code, err } = await cli(command, option, value, ...given);
    expect([code > 0, err]).toEqual([true, expect.stringContaining(words)]);
    expect(err.length).toBeLessThan(10_500);
    expect(err).not.toMatch(/\n {4}at |E[A-Z]{4,}:/);
    expect("x" in {}).toBe(false);
  });

  test("what is written over a folder", async () => {
    const at = await folder();
    for (const args of [
      ["import", "--set", "algorithm.gamma=1", "--out", at],
      ["export", "--as", "vagen-lite", "--out", join(file, "x")],
    ])
      expect((await cli(...args)).err).toMatch(/cannot be written: .*\nGive another path with --out/);
  });
});

describe("a failure ends with 1, with message and hint but no stack", () => {
  test.each([
    [["plan", "--preset", "frozenlake-nanno"], 'There is no preset "frozenlake-nanno"', '"frozenlake-nano"?'],
    [["plan", "--set", "actor.lr=-1"], "actor.lr is -1", "The default is 0.0004"],
    [
      ["plan", "--preset", "sokoban-nano", "--set", "env.config.min_solution_steps=500"],
      "env.config.min_solution_steps is 500; it must be a list of two whole numbers",
      "e.g. [1,5]",
    ],
    [
      ["plan", "--preset", "sokoban-nano", "--set", "env.config.min_solution_steps=[500, 500]"],
      "env.config.min_solution_steps is [500,500]; a 6×6 room",
      "Use [1, 12]",
    ],
    [
      ["plan", "--preset", "sokoban-nano", "--set", "env.config.num_boxes=20"],
      "env.config.num_boxes is 20;",
      "Use 1 to 4 boxes",
    ],
    [["plan", "--set", "env.config.p=2"], "env.config.p is 2; it must be at most 1", "from 0 to 1"],
    [["plan", "--set", "env.config.slippery=1"], 'no option of "frozenlake"', '"is_slippery"?'],
    [["plan", "--set", "lr=1"], 'no setting "lr"', "one of sft.lr, actor.lr, critic.lr?"],
    [["plan", "--config", "nowhere.yaml"], "nowhere.yaml cannot be read", "path of --config"],
    [
      ["eval", "--checkpoint", "frozenlake-nano-warmu"],
      '--checkpoint is "frozenlake-nano-warmu"; there is no such checkpoint.',
      'Did you mean "frozenlake-nano-warmup"? Or give the folder of a run, or the path of a .safetensors file.',
    ],
    [
      ["train", "--resume", "nowhere/x.safetensors"],
      '--resume is "nowhere/x.safetensors"; there is no such checkpoint.',
      "Check the path.",
    ],
  ])("%j", async (argv, message, hint) => {
    const { code, err } = await cli(...argv);
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(err).toContain(hint);
    expect(err).not.toContain("    at ");
  });

  test("a file with a mistake is named", async () => {
    const file = join(await folder(), "my.yaml");
    await writeFile(file, "actor: { lrr: 1 }\nsed: 2\n");
    const { code, err } = await cli("plan", "--config", file);
    expect(code).toBe(1);
    expect(err).toContain("my.yaml has 2 problems");
  });
});

test.each(["train", "eval", "plan"])("%s --help tells every option", async (command) => {
  const { code, out } = await cli(command, "--help");
  expect(code).toBe(0);
  expect(out).toContain("--set <path>=<value>");
  expect(out).toContain("--json");
});

describe("plan", () => {
  test("says how long the preset takes, and with --scratch how many updates that is", async () => {
    const lake = ["plan", "--preset", "frozenlake-nano"];
    expect((await cli(...lake)).out).toContain(`\n${getPreset("frozenlake-nano").expectedTime}\n`);
    const { code, out } = await cli(...lake, "--scratch");
    expect(code).toBe(0);
    expect(out).toContain("\nFrom random weights: 5200 SFT updates and 60 PPO updates. ");
    expect(out).not.toContain(getPreset("frozenlake-nano").expectedTime);
  });

  test("shows size and memory", async () => {
    const { code, out } = await cli("plan", "--preset", "frozenlake-nano");
    expect(code).toBe(0);
    expect(out).toMatch(/^parameters +\d\d \d{3}$/m);
    expect(out).toMatch(/^total GPU memory +[\d.]+ MiB$/m);
    expect(out).toMatch(/^memory: parameters +[\d.]+ MiB$/m);
  });

  test("shows the length that its help promises, and names no row twice", async () => {
    const { out } = await cli("plan", "--preset", "frozenlake-nano", "--scratch");
    expect(out).toMatch(/^SFT updates +5200$/m);
    expect(out).toMatch(/^PPO updates +60$/m);
    const names = out.split("\n").flatMap((line) => line.match(/^(.+?) {2,}\S/)?.[1] ?? []);
    expect(names.length).toBeGreaterThan(8);
    expect(new Set(names).size).toBe(names.length);
    expect((await cli("plan", "--help")).out).toContain("the number of updates");
  });

  test("takes the length of a run as train does", async () => {
    const length = async (...args: string[]) =>
      JSON.parse((await cli("plan", "--preset", "frozenlake-nano", "--json", ...args)).out).ppoUpdates;
    expect(await length("--updates", "2")).toBe(2);
    expect(await length("--updates", "2", "--set", "trainer.total_updates=3")).toBe(3);
    expect((await cli("plan", "--help")).out).toContain("--updates <n>");
  });

  test("says which settings make a run too large, and what would fit", async () => {
    const { code, out } = await cli(
      ...["plan", "--preset", "frozenlake-large"],
      ...["--set", "rollout.train_batch_size=1024"],
    );
    expect(code).toBe(0);
    expect(out).toMatch(/"keys 0" \(KV cache\), needs 209\.0 MiB; every WebGPU device allows 128\.0 MiB/);
    expect(out).toContain("rollout.train_batch_size = 1024");
    expect(out).toContain("Set rollout.train_batch_size to 128 or less");
  });

  test("prints JSON for programs", async () => {
    const { out } = await cli("plan", "--preset", "frozenlake-nano", "--json");
    expect(JSON.parse(out)).toMatchObject({
      parameters: expect.any(Number),
      total: expect.any(Number),
      sftUpdates: 0,
      ppoUpdates: 60,
    });
  });

  test("names the start, and the layers that the run adds to it", async () => {
    const deep = ["--set", "model.num_hidden_layers=4", "--set", "trainer.init_layers=fewer"];
    const lake = ["plan", "--preset", "frozenlake-nano", "--from", "frozenlake-nano-trained"];
    expect((await cli(...lake)).out).toContain("\nStarts from frozenlake-nano-trained.\n");
    expect((await cli(...lake, ...deep)).out).toContain(
      "\nStarts from frozenlake-nano-trained, with 2 additional decoder layers.\n",
    );
    expect((await cli("plan", "--preset", "frozenlake-nano", "--scratch")).out).not.toContain("Starts from");
  });

  test("says when the run validates, and on what", async () => {
    const set = [
      "--set",
      "envs.stack.val_seeds=1-8",
      "--set",
      'trainer.val_sets={ far: { env: stack, seeds: "20001-20032" } }',
    ];
    const { out } = await cli("plan", "--preset", "primitive-skill-small", ...set);
    expect(out).toContain(
      "\nValidates every 10 PPO updates and at the end on levels of primitive-skill (64), stack (8), drawer (64), align (64) and far (32).\n",
    );
    const when = async (...options: string[]) =>
      /Validates (.*) on/.exec((await cli("plan", "--preset", "frozenlake-nano", ...options)).out)![1];
    expect(await when("--set", "trainer.test_freq=0")).toBe("at the end");
    expect(await when("--set", "trainer.test_freq=20", "--updates", "20")).toBe("at the end");
    expect(await when("--set", "trainer.test_freq=1")).toBe("after every PPO update");
  });

  test("refuses a checkpoint to start from that train would refuse", async () => {
    const wide = ["plan", "--preset", "frozenlake-nano", "--set", "model.hidden_size=64"];
    const { code, err } = await cli(...wide);
    expect(code).toBe(1);
    expect(err).toContain("Set model.hidden_size to 32, ");
    expect((await cli(...wide, "--scratch")).code).toBe(0);
    const none = await cli("plan", "--preset", "frozenlake-nano", "--set", "trainer.init_checkpoint=nope");
    expect(none.err).toContain('trainer.init_checkpoint (--from) is "nope"; there is no such checkpoint.');
  });

  test("starts from the newest checkpoint in the folder of a run", async () => {
    const run = join(await folder(), "run");
    const store = openStore(nodeFiles(join(run, "..")));
    const nano = await readCheckpoint("public/checkpoints/frozenlake-nano-warmup.safetensors", "");
    for (const update of [3, 7]) await store.save("run", update, await encodeCheckpoint(nano));
    const start = ["plan", "--preset", "frozenlake-nano", "--from"];
    const { out } = await cli(...start, run);
    expect(out).toContain(`\nStarts from ${join(run, "checkpoints", "update-000007.safetensors")}.\n`);
    const empty = await cli(...start, join(run, ".."));
    expect([empty.code, empty.err]).toEqual([
      1,
      expect.stringContaining(
        "this folder has no checkpoint.\nGive the folder of a run that has saved one, or the path",
      ),
    ]);
    expect((await cli(...start, "nowhere/x")).err).toContain(
      'trainer.init_checkpoint (--from) is "nowhere/x"; there is no such checkpoint.\nCheck the path.\n',
    );
  });
});

describe("train", () => {
  test("needs a checkpoint in the folder that it starts from", async () => {
    const empty = await folder();
    const { code, err } = await cli("train", "--from", empty, "--out", join(empty, "out"));
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`--from is ${JSON.stringify(empty)}; this folder has no checkpoint.`),
    ]);
  });

  test("does not write over a run", async () => {
    const out = join(await folder(), "run");
    await openStore(nodeFiles(join(out, ".."))).save("run", 7, await encodeCheckpoint(sampleCheckpoint()));
    const { code, err } = await cli("train", "--preset", "frozenlake-nano", "--out", out);
    expect(code).toBe(2);
    expect(err).toContain("already holds a run, saved at update 7");
    expect(err).toContain(`--resume ${out}`);
  });

  test("says at the start what the options come to", () => {
    const said = (source: string, config = checkedRunConfig({})) =>
      introduction({ config, out: "run", resumption: undefined }, source);
    expect(said("the default settings")).toMatch(
      /^FrozenLake, the default settings: from random weights, \d+ SFT and \d+ PPO updates, into run\.$/,
    );
    expect(said("preset sokoban-small", presets.get("sokoban-small").config)).toMatch(
      /^Sokoban, preset sokoban-small: \d+ PPO updates from sokoban-small-warmup, into run\.$/,
    );
    expect(said("preset three-tasks-small", presets.get("three-tasks-small").config)).toMatch(
      /^FrozenLake \+ Sokoban \+ Navigation, preset three-tasks-small: /,
    );
    const none = { init_checkpoint: "frozenlake-nano-trained", total_updates: 0 };
    expect(said("run.yaml", checkedRunConfig({ trainer: none }))).toBe(
      "FrozenLake, run.yaml: only a validation of frozenlake-nano-trained, into run.",
    );
  });

  test("a finished run says at once that it is finished, and how it becomes longer", async () => {
    const out = join(await folder(), "my run");
    const config = checkedRunConfig({
      sft: { total_updates: 0, one_turn_updates: 0 },
      trainer: { total_updates: 7 },
    });
    const sample = sampleCheckpoint({ update: 7, config, counters: { validatedUpdate: 7 } });
    await openStore(nodeFiles(join(out, ".."))).save("my run", 7, await encodeCheckpoint(sample));
    const { code, err } = await cli("train", "--resume", out);
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("is finished: it has done all of its 7 PPO updates"),
    ]);
    expect(err).toContain(`--resume '${out}' --updates 107`);

    const meta = (more: object) => ({ good: { checkpoint: { meta: { ...sample.meta, ...more } } } }) as never;
    const line = (more: object, longer: RunConfig = config) =>
      finishedLine({ config: longer, out, resumption: meta(more) });
    expect(line({})).not.toBeNull();
    expect(line({ counters: { validatedUpdate: 0 } })).toBeNull();
    expect(line({}, { ...config, trainer: { ...config.trainer, total_updates: 8 } })).toBeNull();
  });

  test("cannot go on with nothing", async () => {
    const { code, err } = await cli("train", "--resume", await folder());
    expect(code).toBe(2);
    expect(err).toContain("holds no checkpoint");
  });

  test("is not made shorter than it is", async () => {
    const out = join(await folder(), "run");
    const meta = {
      update: 7,
      config: { ...sampleCheckpoint().meta.config, sft: { one_turn_updates: 0, total_updates: 4 } },
    };
    const store = openStore(nodeFiles(join(out, "..")));
    await store.save("run", 7, await encodeCheckpoint(sampleCheckpoint(meta)));
    const { code, err } = await cli("train", "--resume", out, "--updates", "2");
    expect([code, err]).toEqual([
      2,
      [
        `trainer.total_updates (--updates) is 2; the run in ${out} has done 3 PPO updates already.`,
        "Give more than 3, or 3 to end the run here with a validation.",
        "",
      ].join("\n"),
    ]);
  });

  test("does not go back behind newer checkpoints of the same run", async () => {
    const out = join(await folder(), "run");
    const store = openStore(nodeFiles(join(out, "..")));
    for (const update of [3, 7])
      await store.save("run", update, await encodeCheckpoint(sampleCheckpoint({ update })));
    const older = join(out, "checkpoints", "update-000003.safetensors");
    const { code, err } = await cli("train", "--resume", older);
    expect(code).toBe(2);
    expect(err).toContain("holds the run up to update 7");
    expect(err).toContain("another --out");
    expect(await store.list("run")).toHaveLength(2);
  });
});

describe("the folder of a run", () => {
  const config = presets.get("frozenlake-nano").config;
  const read = async (path: string, name: string) => (await readFile(join(path, name), "utf8")).trim();

  test("has the complete configuration, readable again", async () => {
    const path = await folder();
    new RunFolder(path).writeConfig(config);
    expect(parseRunConfig(await read(path, "config.yaml"))).toEqual(config);
  });

  test("has one line for each update, and a few trajectories", async () => {
    const path = await folder();
    const run = new RunFolder(path);
    run.writeConfig(config);
    for (let update = 1; update <= 40; update++) {
      const values = { "actor/lr": 1, "actor/grad_norm": update === 3 ? Number.NaN : 1 };
      run.record({ type: "metrics", stage: "ppo", update, values, tokens: 1, episodes: 1, wallMs: 1 });
      run.record({ type: "trajectory", update, source: "train", trajectory: { id: "t" } as Trajectory });
    }
    const lines = (await read(path, "metrics.jsonl")).split("\n").map((line) => JSON.parse(line));
    expect(lines).toHaveLength(40);
    expect(lines[2]).toMatchObject({ update: 3, "actor/lr": 1, "actor/grad_norm": null });
    // Those of the updates after which a validation follows.
    expect((await read(path, "trajectories.jsonl")).split("\n")).toHaveLength(40 / config.trainer.test_freq);
  });

  test("has every reported trajectory once when all are requested", async () => {
    const path = await folder();
    const tell = (run: RunFolder, from: number, to: number) => {
      run.writeConfig(config);
      for (let update = from; update <= to; update++)
        run.record({ type: "trajectory", update, source: "train", trajectory: { id: "t" } as Trajectory });
    };
    tell(new RunFolder(path, "all"), 1, 25);
    // It was killed after update 25 and goes on from what was saved after update 20.
    const again = new RunFolder(path, "all");
    again.resume(20, []);
    tell(again, 21, 30);
    const lines = (await read(path, "trajectories.jsonl")).split("\n").map((line) => JSON.parse(line).update);
    expect(lines).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  });

  test("drops what is reported again when the run goes back to a checkpoint", async () => {
    const path = await folder();
    const run = new RunFolder(path);
    run.writeConfig({ ...config, trainer: { ...config.trainer, save_freq: 1 } });
    for (let update = 1; update <= 12; update++) {
      run.record({ type: "metrics", stage: "ppo", update, values: {}, tokens: 1, episodes: 1, wallMs: 1 });
      run.record({ type: "trajectory", update, source: "train", trajectory: { id: "t" } as Trajectory });
    }
    new RunFolder(path).record({ type: "rewound", update: 9, from: 12 });
    for (const name of ["metrics.jsonl", "trajectories.jsonl"]) {
      const lines = (await read(path, name)).split("\n").map((line) => JSON.parse(line));
      expect([lines.length, lines.at(-1).update], name).toEqual([9, 9]);
    }
  });
});

describe("JSON lines", () => {
  const trajectory = {
    id: "t",
    seed: 3,
    success: true,
    turns: [
      {
        reply: "<answer>Up</answer>",
        reward: 1,
        executed: [{ name: "Up" }],
        observation: {
          text: "",
          images: [{ width: 1, height: 1, data: new Uint8ClampedArray([1, 2, 3, 4]) }],
        },
      },
    ],
    tokens: { logprobs: Float32Array.of(-0.1), ids: Int32Array.of(5) },
  } as unknown as Trajectory;

  test("of an event have no big arrays", () => {
    const line = JSON.parse(toEventLine({ type: "trajectory", update: 1, source: "train", trajectory }));
    expect(line.trajectory).toEqual({
      id: "t",
      seed: 3,
      success: true,
      turns: [{ reply: "<answer>Up</answer>", reward: 1, actions: ["Up"] }],
    });
  });

  test("of a whole trajectory are plain lists and base64", () => {
    const { turns, tokens } = JSON.parse(toJsonLine(trajectory));
    expect(tokens).toEqual({ logprobs: [-0.1], ids: [5] });
    expect(turns[0].observation.images[0].data).toBe("AQIDBA==");
  });
});

test("a checkpoint's provenance has command, seed and what was measured last", () => {
  const record = new ProvenanceRecord("npm run train -- --seed 7", 7);
  for (const [update, successes] of [
    [20, 1],
    [40, 3],
  ] as const) {
    const further = { sokoban: { episodes: 8, successes: 2, interval: [0.07, 0.59] } };
    const report = { update, temperature: 1, episodes: 4, successes, interval: [0.3, 0.95], further };
    record.record({ type: "validation", report } as never);
  }
  expect(record.get()).toMatchObject({
    command: "npm run train -- --seed 7",
    seed: 7,
    commit: expect.any(String),
    figures: {
      "val/success, temperature 1": 0.75,
      "val/episodes": 4,
      "val/success/sokoban, temperature 1": 0.25,
      "val/success/sokoban, temperature 1, low": 0.07,
      "val/episodes/sokoban": 8,
      "val/update": 40,
    },
  });
  const resumed = new ProvenanceRecord("npm run train -- --resume run", 7, record.get().command);
  expect(resumed.get().command).toBe("npm run train -- --seed 7 && npm run train -- --resume run");
});

describe("eval", () => {
  test("takes the newest checkpoint of a run's folder, and says when there is none", async () => {
    const run = join(await folder(), "run");
    for (const update of [3, 7])
      await openStore(nodeFiles(join(run, ".."))).save(
        "run",
        update,
        await encodeCheckpoint(sampleCheckpoint({ update })),
      );
    expect((await readCheckpoint(run, "--checkpoint")).meta.update).toBe(7);
    await expect(readCheckpoint(join(run, "checkpoints"), "--checkpoint")).rejects.toMatchObject({
      code: "not_found",
      hint: expect.stringContaining("the folder of a run"),
    });
  });

  test("reads a range of seeds", () => {
    expect(parseSeeds("10001-10256")).toEqual(consecutive(10001, 256));
    expect(parseSeeds("7")).toEqual([7]);
  });

  test("prints rate and interval", () => {
    const evaluation = {
      temperature: 0,
      episodes: 256,
      successes: 190,
      interval: [0.6852, 0.7921] as const,
      metrics: {
        "val/num_turns/mean": 3.1379,
        "val/format_correct": 0.995,
        "val/grounding_accuracy": 0.9612,
        "val/surroundings_accuracy/all": 0.938,
      },
      trajectories: [],
    };
    const trained = { policy: "a.safetensors", scripted: false, evaluation };
    expect(resultTable([trained]).split("\n")).toEqual([
      "policy         sampling  episodes  success    95 % interval  turns  format  grounding  prediction  all neighbours",
      "a.safetensors    greedy       256   74.2 %  68.5 % … 79.2 %   3.14  99.5 %     96.1 %           –          93.8 %",
    ]);
    const random = { ...trained, policy: "Random", scripted: true };
    expect(resultTable([random])).toMatch(/Random +– +256/);
  });

  test("prints which kinds of neighbours a policy misses, the worst first", () => {
    const reportOf = (metrics: Record<string, number>) =>
      resultText([
        {
          policy: "a.safetensors",
          scripted: false,
          evaluation: {
            ...{ temperature: 1, episodes: 4, successes: 2, interval: [0.1, 0.9], trajectories: [] },
            metrics,
          },
        },
      ]).split("\n");
    const metrics = {
      "val/surroundings_miss/free": 0.018,
      "val/surroundings_miss/stuck_box": 0.2504,
      "val/surroundings_false_alarm/free": 0.023,
      "val/surroundings_false_alarm/stuck_box": 0,
      // No tile beside a player was one.
      "val/surroundings_false_alarm/goal": 0.004,
    };
    expect(reportOf(metrics).slice(2, 7)).toEqual([
      "",
      "a.safetensors  neighbours missed  false alarms",
      "stuck box                 25.0 %         0.0 %",
      "free                       1.8 %         2.3 %",
      "goal                           –         0.4 %",
    ]);
    expect(reportOf(metrics)).toContain("false alarms: other tiles that replies name so");
  });

  test("says what the columns mean that have a value", () => {
    const evaluation = {
      ...{ temperature: 1, episodes: 4, successes: 2, interval: [0.1, 0.9] as const, trajectories: [] },
      metrics: { "val/grounding_accuracy": 1 },
    };
    const lines = resultText([{ policy: "a.safetensors", scripted: false, evaluation }]).split("\n");
    expect(lines.slice(2)).toEqual([
      "",
      "turns: mean of an episode",
      "grounding: mean score of what turns say they see",
    ]);
  });

  test("says which settings were changed, and how many levels were left out", () => {
    const evaluation = {
      ...{ temperature: 1, episodes: 4, successes: 2, interval: [0.1, 0.9] as const, metrics: {} },
      trajectories: [],
    };
    const changes = { "env.config.p": 0.6, "env.config.min_solution_steps": [1, 5] };
    const text = resultText(
      [{ policy: "a.safetensors", scripted: false, evaluation, seen: 3, asked: 5 }],
      changes,
    );
    expect(text).toContain("\nSettings changed: env.config.p=0.6, env.config.min_solution_steps=[1,5].\n");
    expect(text).toContain("\nLevels left out because training plays them: 3 of 5.\n");
  });

  test("prints what the other players do", () => {
    const policies = [
      { policy: "mine" },
      { policy: "Short-sighted", description: "Walks straight towards the goal." },
      { policy: "Blanked picture", description: "Every picture is one grey." },
    ];
    expect(descriptions(policies).split("\n")).toEqual([
      "Short-sighted: Walks straight towards the goal.",
      "Blanked picture: Every picture is one grey.",
    ]);
  });

  test("prints how much better a policy is than the others, level by level", () => {
    const playing = (policy: string, ...won: boolean[]) => {
      const trajectories = won.map((success, seed) => ({ seed, success })) as Trajectory[];
      return { policy, evaluation: { metrics: {}, trajectories } } as unknown as Parameters<
        typeof differenceTable
      >[0][number];
    };
    const rows = [
      playing("mine", true, true, false, true),
      playing("Random", false, true, false, false),
      playing("Oracle", true, true, true, true),
      playing("the same", true, true, false, true),
    ];
    // Differences of 1, 0, 0 and 1 have a variance of 1/3; those of 0, 0, −1 and 0 one of 1/4.
    expect(differenceTable(rows).split("\n")).toEqual([
      "mine against                success",
      "Random               +0.500 ± 0.566",
      "Oracle               −0.250 ± 0.490",
      "the same      +0.000 on every level",
    ]);
  });
});

describe("export-onnx", () => {
  test("writes a policy that describes itself", async () => {
    const out = join(await folder(), "deep", "policy.onnx");
    // Bundled names are found from the bundled command line only.
    const from = join(import.meta.dirname, "../../public/checkpoints/sokoban-nano-warmup.safetensors");
    const { code, out: said } = await cli("export-onnx", "--checkpoint", from, "--out", out);
    expect(code).toBe(0);
    expect(said).toMatch(/policy\.onnx: \d+ KiB, update 5200 of /);
    const { meta } = readOnnxPolicy(await readFile(out), out);
    expect(checkedRunConfig(meta.config).env.name).toBe("sokoban");
  });

  test("names a checkpoint that does not exist, and writes nothing", async () => {
    const out = join(await folder(), "policy.onnx");
    const { code, err } = await cli("export-onnx", "--checkpoint", "sokoban-nano-warmedup", "--out", out);
    expect(code).toBe(1);
    expect(err).toContain('Did you mean "sokoban-nano-warmup"?');
    await expect(readFile(out)).rejects.toThrow(/ENOENT/);
  });
});
