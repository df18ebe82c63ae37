import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { checkedRunConfig } from "../check.ts";
import { exportVagen, tasksToPrepare, trainedOtherwise } from "./export.ts";
import { importVagen } from "./import.ts";

const file = (name: string, text: string) => ({ name, text });

const train = file(
  "train.yaml",
  `envs:
  - name: FrozenLake
    n_envs: 8000
    data_source: frozenlake
    seed: [1, 8000, 1]
    max_turns: 5
    config: { render_mode: vision, size: 4 }
  - name: Sokoban
    n_envs: 2000
    data_source: boxes
    seed: [1, 2000, 1]
    max_turns: 7
    config: { render_mode: vision, dim_room: [6, 6], min_solution_steps: [1, 5], colour: red }
`,
);
const val = file(
  "val.yaml",
  `envs:
  - name: FrozenLake
    n_envs: 256
    seed: [10001, 10256, 1]
  - name: Sokoban
    n_envs: 64
    seed: [20001, 20064, 1]
`,
);

describe("several entries to train on", () => {
  const { config, findings } = importVagen([train, val]);

  it("are environments of the run, each with weight, turns, levels and options", () => {
    expect(config.env.name).toBe("frozenlake");
    expect(config.rollout.max_turns).toBe(5);
    expect(config.envs).toEqual({
      boxes: {
        name: "sokoban",
        preset: "none",
        weight: 0.25,
        max_turns: 7,
        train_seeds: "1-2000",
        val_seeds: "20001-20064",
        config: expect.objectContaining({
          dim_room: [6, 6],
          min_solution_steps: [1, 5],
          render_mode: "vision",
        }),
      },
    });
  });

  it("have a finding for each of their keys", () => {
    const keys = findings.filter(({ key }) => key.startsWith("train.yaml: envs[1]"));
    expect(keys.map(({ kind, key }) => `${kind} ${key.split(" ")[1]}`).toSorted()).toEqual([
      "applied envs[1].config.dim_room",
      "applied envs[1].config.min_solution_steps",
      "applied envs[1].config.render_mode",
      "applied envs[1].data_source",
      "applied envs[1].max_turns",
      "applied envs[1].n_envs",
      "applied envs[1].name",
      "applied envs[1].seed",
      "assumed envs[1].config.text_cells",
      "unknown envs[1].config.colour",
      "unsupported envs[1].config.prompt_format",
    ]);
    expect(findings.find(({ key }) => key === "train.yaml: envs[1].data_source")).toMatchObject({
      path: "envs.boxes.name",
      remark: "Its metrics have this name: train/success/boxes.",
    });
    const levels = findings.filter((one) => "path" in one && one.path === "envs.boxes.val_seeds");
    expect(levels.map(({ key }) => key)).toEqual(["val.yaml: envs[1].n_envs", "val.yaml: envs[1].seed"]);
  });

  it("say where another line has the last word", () => {
    const commented = `# studio: envs = { boxes: { name: sokoban, weight: 0.5 } }\n${train.text}`;
    const { config, findings } = importVagen([file("train.yaml", commented), val]);
    expect(config.envs.boxes).toMatchObject({ weight: 0.5 });
    expect(findings.find(({ key }) => key === "train.yaml: envs[1].n_envs")).toMatchObject({
      kind: "applied",
      remark: "Another line of the files makes envs.boxes.weight 0.5.",
    });
    expect(findings.find(({ key }) => key === "train.yaml: envs[1].max_turns")).toMatchObject({
      remark: "Another line of the files makes envs.boxes.max_turns 5.",
    });
  });

  it("lose only the option that is impossible", () => {
    const wrong = train.text.replace("min_solution_steps", "num_boxes: 99, min_solution_steps");
    const read = importVagen([file("train.yaml", wrong)]);
    expect(read.config.envs.boxes).toEqual({
      ...config.envs.boxes,
      val_seeds: "",
      config: expect.objectContaining({ num_boxes: 1, min_solution_steps: [1, 5] }),
    });
    expect(read.findings.filter(({ kind }) => kind === "refused")).toMatchObject([
      {
        key: "envs[1].config.num_boxes",
        path: "envs.boxes.config.num_boxes",
        remark: expect.stringContaining("envs.boxes.config.num_boxes is 99"),
      },
    ]);
  });

  it("may each have an impossible option", () => {
    const rooms = (options: string) =>
      `  - { name: RemoteEnv, n_envs: 60, seed: [1, 60, 1], config: { base_urls: x, eval_set: base_train, ${options} } }\n`;
    const read = importVagen([
      file(
        "train.yaml",
        `envs:\n${rooms("max_steps: 20")}${rooms("max_actions_per_step: 50")}${rooms("fov: 900, step_length: 0.4")}`,
      ),
    ]);
    expect(read.findings.filter(({ kind }) => kind === "refused").map(({ key }) => key)).toEqual([
      "envs[1].config.max_actions_per_step",
      "envs[2].config.fov",
    ]);
    expect(Object.keys(read.config.envs)).toEqual(["navigation_2", "navigation_3"]);
    expect(Object.values(read.config.envs)).toMatchObject([
      { config: { max_actions_per_step: 5 } },
      { config: { step_length: 0.4 } },
    ]);
  });

  it("are refused for what all of `envs` says, and cost no other setting", () => {
    const lines = [
      "# studio: envs = { sokoban: { name: sokoban, config: { num_boxes: 99 } } }",
      "# studio: actor.lr = 0.01",
      "# studio: algorithm.gamma = 0.5",
    ];
    const boxes = train.text.replace("data_source: boxes", "data_source: sokoban");
    const read = importVagen([file("train.yaml", `${lines.join("\n")}\n${boxes}`)]);
    expect(read.findings.filter(({ kind }) => kind === "refused").map(({ key }) => key)).toEqual([
      "# studio: envs",
    ]);
    expect(read.config).toMatchObject({ actor: { lr: 0.01 }, algorithm: { gamma: 0.5 } });
    expect(read.config.envs.sokoban).toMatchObject({ max_turns: 7, config: { num_boxes: 1 } });
  });

  it.each([
    ["", "sokoban"],
    ["__proto__", "sokoban"],
    ["a.b c", "a_b_c"],
    ["constructor", "constructor"],
  ])("may be called %j in their file", (data_source, name) => {
    const text = train.text.replace("data_source: boxes", `data_source: ${JSON.stringify(data_source)}`);
    const read = importVagen([file("train.yaml", text)]);
    expect(Object.keys(read.config.envs)).toEqual([name]);
    expect(read.findings.filter(({ kind }) => kind === "refused")).toEqual([]);
  });

  it("stay apart where their names differ in a full stop only", () => {
    const entry = (name: string, data_source: string) =>
      `  - { name: ${name}, data_source: ${data_source}, n_envs: 10, seed: [1, 10, 1] }\n`;
    const text = `envs:\n${entry("FrozenLake", "lake")}${entry("Sokoban", "a_b")}${entry("Sokoban", "a.b")}`;
    expect(Object.keys(importVagen([file("train.yaml", text)]).config.envs)).toEqual(["a_b", "a_b_2"]);
  });

  it.each([
    ["-5", "refused", "n_envs is -5; it must be a whole number from 1 on."],
    ["0", "refused", "n_envs is 0; it must be a whole number from 1 on."],
    ["many", "refused", 'n_envs is "many"; it must be a whole number from 1 on.'],
    [
      "2",
      "applied",
      expect.stringContaining("It is 0.00025 here, and a weight lies between 0.001 and 1000."),
    ],
  ])("count as much as they have levels, which are not %s", (size, kind, remark) => {
    const text = train.text.replace("n_envs: 2000", `n_envs: ${size}`);
    const { findings } = importVagen([file("train.yaml", text)]);
    expect(findings.find(({ key }) => key === "envs[1].n_envs")).toMatchObject({ kind, remark });
  });

  it("count alike where the first does not say how many levels it has", () => {
    const text = train.text.replace("n_envs: 8000", "n_envs: 0");
    const { config, findings } = importVagen([file("train.yaml", text)]);
    expect(config.envs.boxes!.weight).toBe(1);
    expect(findings.find(({ key }) => key === "envs[1].n_envs")).toMatchObject({
      kind: "ignored",
      remark: "The first entry does not say how many levels it has, so all environments count alike.",
    });
  });

  it("have one place for what is wrong with their validation levels", () => {
    const wrong = val.text.replace("[20001, 20064, 1]", "[a]");
    const { findings } = importVagen([train, file("val.yaml", wrong)]);
    expect(findings.filter(({ kind }) => kind === "refused")).toMatchObject([
      { key: "val.yaml: envs[1].seed", path: "envs.boxes.val_seeds" },
    ]);
  });

  it("report what the studio cannot do in one of them", () => {
    const rooms = `  - name: RemoteEnv
    n_envs: 100
    seed: [1, 100, 1]
    config: { base_urls: x, eval_set: base_train, action_sep: ";" }
`;
    const { findings } = importVagen([file("train.yaml", `${train.text}${rooms}`)]);
    expect(findings.filter(({ key }) => key === "envs[2].config.action_sep")).toMatchObject([
      { kind: "unsupported", value: ";" },
    ]);
  });

  it("have the rewards that only their environment has", () => {
    const rooms = `  - name: RemoteEnv
    n_envs: 100
    seed: [1, 100, 1]
    config: { base_urls: x, eval_set: base_train, per_turn_format_reward: 0.02, format_reward: 0.5 }
`;
    const { envs } = importVagen([file("train.yaml", `${train.text}${rooms}`)]).config;
    expect(envs.navigation).toMatchObject({ config: { format_reward: 0.02, episode_format_reward: 0.5 } });
  });

  it("are validated on further sets where an entry has other options or turns", () => {
    const sets = file(
      "val.yaml",
      `envs:
  - { name: FrozenLake, n_envs: 256, seed: [10001, 10256, 1] }
  - { name: Sokoban, data_source: harder, n_envs: 64, seed: [20001, 20064, 1], config: { dim_room: [6, 6], min_solution_steps: [6, 9] } }
  - { name: Sokoban, data_source: shorter, n_envs: 8, seed: [1, 8, 1], max_turns: 3, response_length_per_turn: 90 }
  - { name: Sokoban, data_source: same, n_envs: 9, seed: [41, 49, 1], max_turns: 7 }
`,
    );
    const { config, findings } = importVagen([train, sets]);
    expect(config.envs.boxes).toMatchObject({ val_seeds: "41-49" });
    expect(config.trainer.val_sets).toEqual({
      harder: { env: "boxes", seeds: "20001-20064", config: { min_solution_steps: [6, 9] } },
      shorter: { env: "boxes", seeds: "1-8", config: {}, max_turns: 3 },
    });
    const ofSets = findings.filter((one) => /val.yaml: envs.[12]/.test(one.key));
    expect(
      ofSets.map((one) => [one.kind, one.key.slice(10), "path" in one ? one.path.slice(17) : one.remark]),
    ).toEqual([
      ["applied", "envs[1].data_source", "harder"],
      ["applied", "envs[2].data_source", "shorter"],
      ["applied", "envs[1].name", "harder.env"],
      ["ignored", "envs[1].config.dim_room", "As in training."],
      ["applied", "envs[1].config.min_solution_steps", "harder.config.min_solution_steps"],
      ["applied", "envs[1].n_envs", "harder.seeds"],
      ["applied", "envs[1].seed", "harder.seeds"],
      ["applied", "envs[2].name", "shorter.env"],
      ["applied", "envs[2].max_turns", "shorter.max_turns"],
      ["ignored", "envs[2].response_length_per_turn", "As in training."],
      ["applied", "envs[2].n_envs", "shorter.seeds"],
      ["applied", "envs[2].seed", "shorter.seeds"],
    ]);
    expect(ofSets[0]!.remark).toBe("A validation set of its own: val-core/harder/reward/mean@n.");
  });

  it("may be of one environment", () => {
    const rooms = ["base_train", "common_sense_train"].map(
      (set) => `  - name: RemoteEnv
    n_envs: 1200
    seed: [1, 1200, 1]
    max_turns: 10
    config: { base_urls: [http://localhost:8000], eval_set: ${set}, render_mode: vision }`,
    );
    const read = importVagen([file("train.yaml", `envs:\n${rooms.join("\n")}\n`)]).config;
    expect(read.env).toMatchObject({ name: "navigation", config: { eval_set: "base_train" } });
    expect(read.envs).toMatchObject({
      navigation_2: { name: "navigation", weight: 1, config: { eval_set: "common_sense_train" } },
    });
  });

  it("have other names than the sets of levels", () => {
    const entry = (set: string) =>
      `  - { name: RemoteEnv, n_envs: 60, seed: [1, 60, 1], data_source: rooms, config: { base_urls: [a], eval_set: ${set}, render_mode: vision } }`;
    const sets = (...names: string[]) => `envs:\n${names.map(entry).join("\n")}\n`;
    const read = importVagen([
      file("train.yaml", sets("base_train", "common_sense_train")),
      file("val.yaml", sets("base", "common_sense")),
    ]);
    expect(Object.keys(read.config.trainer.val_sets)).toEqual(["rooms", "rooms_2"]);
    expect(Object.keys(read.config.envs)).toEqual(["rooms_3"]);
  });
});

it("names a validation set without a name after what makes it differ", () => {
  const entry = (set: string) =>
    `  - { name: RemoteEnv, n_envs: 60, seed: [1, 60, 1], config: { base_urls: [a], eval_set: ${set} } }\n`;
  const { config } = importVagen([
    file("train.yaml", `envs:\n${entry("base_train")}`),
    file("val.yaml", `envs:\n${entry("base")}${entry("common_sense")}`),
  ]);
  expect(Object.keys(config.trainer.val_sets)).toEqual(["base", "common_sense"]);
});

it("keeps an environment of the legacy release that cannot be judged as the first one is there", () => {
  const entry = (name: string, options: string) =>
    `${name}: { env_name: ${name}, env_config: { use_state_reward: true, ${options} }, train_size: 100, test_size: 64 }\n`;
  const text = `${entry("sokoban", "render_mode: vision")}${entry("navigation", "eval_set: base")}`;
  const { config, findings } = importVagen([file("dataset.yaml", text)]);
  expect(Object.keys(config.envs)).toEqual(["navigation"]);
  expect(config.reward.judge_scoring).toBe("cells");
  expect(findings.filter(({ kind }) => kind === "refused")).toMatchObject([
    { key: "(no key)", path: "reward.judge_scoring", remark: expect.stringContaining('Use "cells"') },
  ]);
});

it("says that an entry has no name, and what a remote one plays follows from", () => {
  const text =
    "envs:\n  - { n_envs: 5, seed: [1, 5, 1] }\n  - { name: RemoteEnv, n_envs: 5, config: { base_urls: [a] } }\n";
  const { findings } = importVagen([file("train.yaml", text)]);
  expect(findings.filter(({ key }) => key.startsWith("envs[0]"))).toMatchObject([
    { kind: "unknown", remark: expect.stringContaining("give it a name, such as name: FrozenLake") },
    { kind: "unknown" },
  ]);
  expect(findings.find(({ key }) => key === "envs[1].name")!.remark).toContain(
    "What it plays follows from its options: add eval_set for Navigation",
  );
});

describe("an environment in which nothing is stated", () => {
  const lite = (format: string) => `envs:
  - { name: FrozenLake, n_envs: 100, seed: [1, 100, 1], config: { render_mode: vision, prompt_format: ${format} } }
  - { name: Blackjack, n_envs: 50, seed: [1, 50, 1], max_turns: 3 }
`;
  const legacy = (options: string) =>
    `lake: { env_name: frozenlake, env_config: { ${options} }, train_size: 100, test_size: 32 }
cards: { env_name: blackjack, env_config: {}, train_size: 50, test_size: 32 }
`;
  const refusedBy = (text: string) => {
    const { config, findings } = importVagen([file("dataset.yaml", text)]);
    return { config, refused: findings.filter(({ kind }) => kind === "refused"), findings };
  };

  it("is trained beside others without a judge, where replies state nothing", () => {
    for (const text of [lite("free_think"), legacy("prompt_format: free_think")]) {
      const { config, refused, findings } = refusedBy(text);
      expect(refused).toEqual([]);
      expect(config.envs).toMatchObject({
        [Object.keys(config.envs)[0]!]: { name: "blackjack", weight: 0.5 },
      });
      expect(config.judge.name).toBe("off");
      expect(findings.filter(({ key }) => key === "studio")).toMatchObject([
        {
          kind: "assumed",
          ours: "off",
          remark: "Replies make no claims, and blackjack has no judge.",
        },
      ]);
    }
  });

  it("is all that is refused where the other ones state something", () => {
    for (const [text, entry, format] of [
      [lite("wm"), "blackjack", "wm"],
      [legacy(""), "blackjack", "grounding_worldmodeling"],
    ] as const) {
      const { config, refused, findings } = refusedBy(text);
      const others = findings.filter(({ remark }) => remark === "Its environment was refused.");
      expect(new Set(others.map(({ kind }) => kind))).toEqual(new Set(["ignored"]));
      expect(refused).toMatchObject([{ path: `envs.${entry}.name`, ours: "blackjack" }]);
      expect(config).toMatchObject({ envs: {}, judge: { name: "rule" }, rollout: { prompt_format: format } });
    }
  });

  it("is reported with what its file says of it", () => {
    const { findings } = refusedBy(lite("free_think"));
    expect(findings.find(({ key }) => key === "envs[1].name")).toMatchObject({
      kind: "applied",
      path: "envs.blackjack.name",
      remark: "Its metrics have this name: train/success/blackjack.",
    });
  });
});

it("takes options that say nothing for none", () => {
  for (const empty of ["{}", ""])
    for (const text of [
      `lake:\n  env_name: frozenlake\n  env_config: ${empty}\n`,
      `envs:\n  - name: FrozenLake\n    config: ${empty}\n`,
    ]) {
      const { config, findings } = importVagen([file("train.yaml", text)]);
      expect(config.env.name).toBe("frozenlake");
      expect(findings.filter(({ kind }) => kind === "unknown" || kind === "refused")).toEqual([]);
    }
});

describe("what all environments of a run share", () => {
  const entry = (name: string, more: string) =>
    `  - { name: ${name}, n_envs: 100, seed: [1, 100, 1], ${more} }`;
  const findingsOn = (...entries: string[]) =>
    importVagen([file("train.yaml", `envs:\n${entries.join("\n")}\n`)]).findings.filter(
      ({ kind, key }) => kind === "unsupported" && key.startsWith("envs[1]"),
    );

  it("is reported with the run's value where a further entry has another one", () => {
    const found = findingsOn(
      entry("FrozenLake", "response_length_per_turn: 120, config: { prompt_format: free_think }"),
      entry("Sokoban", "response_length_per_turn: 300, config: { prompt_format: wm }"),
    );
    expect(found).toEqual([
      {
        kind: "unsupported",
        key: "envs[1].response_length_per_turn",
        value: 300,
        remark: "All environments of a run share rollout.response_length, which is 120 here.",
      },
      {
        kind: "unsupported",
        key: "envs[1].config.prompt_format",
        value: "wm",
        remark: 'All environments of a run share rollout.prompt_format, which is "free_think" here.',
      },
    ]);
  });

  it("is not reported where the run has the same value", () => {
    const same = "response_length_per_turn: 120, config: { prompt_format: wm }";
    expect(findingsOn(entry("FrozenLake", same), entry("Sokoban", same))).toEqual([]);
  });

  it("is also reported of a default that the entry leaves to VAGEN", () => {
    const free = "config: { prompt_format: free_think }";
    expect(findingsOn(entry("FrozenLake", free), entry("Sokoban", "max_turns: 3"))).toMatchObject([
      {
        key: "envs[1].config.prompt_format",
        value: "wm",
        remark: expect.stringContaining("VAGEN's default."),
      },
    ]);
  });

  it("is the legacy test size, too", () => {
    const task = (name: string, size: number) =>
      `${name}: { env_name: ${name}, env_config: { render_mode: vision }, train_size: 100, test_size: ${size} }`;
    const { findings } = importVagen([
      file("dataset.yaml", `${task("frozenlake", 64)}\n${task("sokoban", 32)}\n`),
    ]);
    expect(findings.filter(({ key }) => key === "sokoban.test_size")).toMatchObject([
      {
        kind: "unsupported",
        value: 32,
        remark: "All environments of a run share trainer.val_size, which is 64 here.",
      },
    ]);
  });

  it("is how many turns a policy can count", () => {
    const entry = (name: string, turns: number) =>
      `  - { name: Sokoban, data_source: ${name}, n_envs: 4, seed: [1, 4, 1], max_turns: ${turns} }\n`;
    const text = `${val.text}${entry("shorter", 6)}${entry("longer", 9)}`;
    const { config, findings } = importVagen([train, file("val.yaml", text)]);
    expect(Object.keys(config.trainer.val_sets)).toEqual(["shorter"]);
    expect(findings.filter(({ kind }) => kind === "refused")).toMatchObject([
      { value: "longer", remark: expect.stringContaining("Use at most 7, or raise rollout.max_turns.") },
    ]);
  });

  it("is the task that a set differs least from", () => {
    const lake = (options: string, more = "") =>
      `  - { name: FrozenLake, n_envs: 100, seed: [1, 100, 1], config: { ${options} }${more} }\n`;
    const { config } = importVagen([
      file(
        "train.yaml",
        `envs:\n${lake("size: 4, p: 0.5")}${lake("size: 6, p: 0.8", ", data_source: wide")}`,
      ),
      file("val.yaml", `envs:\n${lake("size: 6, p: 0.8")}${lake("size: 6, p: 0.7", ", data_source: icy")}`),
    ]);
    expect(config.trainer.val_sets).toEqual({ icy: { seeds: "1-100", config: { p: 0.7 }, env: "wide" } });
  });

  it("is the first entry of a data set that is only there to validate on", () => {
    const text = [1, 11, 21].map(
      (from) => `  - { name: FrozenLake, n_envs: 4, seed: [${from}, ${from + 3}, 1] }\n`,
    );
    const { trainer } = importVagen([file("val.yaml", `envs:\n${text.join("")}`)]).config;
    expect(trainer.val_seeds).toBe("1-4");
    expect(Object.values(trainer.val_sets).map(({ seeds }) => seeds)).toEqual(["11-14", "21-24"]);
  });
});

describe("the tasks of VAGEN's older generation", () => {
  it("are env1, env2 and so on", () => {
    const tasks = ["PlaceTwoCube", "PutAppleInDrawer"].map(
      (task, i) => `env${i + 1}:
  env_name: primitive_skill
  env_config: { env_id: ${task}, render_mode: vision }
  train_size: 10000
  test_size: 8`,
    );
    const { config } = importVagen([file("dataset.yaml", `${tasks.join("\n")}\n`)]);
    expect(config.env.config).toMatchObject({ env_id: "PlaceTwoCube" });
    expect(Object.values(config.envs)).toMatchObject([
      { name: "primitive-skill", config: { env_id: "PutAppleInDrawer" } },
    ]);
  });
});

describe("a run in several environments", () => {
  const config = checkedRunConfig({
    trainer: {
      val_sets: {
        more: { seeds: "7000-7003", max_turns: 3 },
        long: { env: "sokoban", seeds: "7-9", config: { min_solution_steps: [3, 5] }, max_turns: 4 },
        wider: { env: "wide", seeds: "40-43", config: { p: 0.7 } },
      },
    },
    envs: {
      sokoban: { weight: 0.3, config: { min_solution_steps: [1, 5] }, max_turns: 7 },
      wide: { name: "frozenlake", config: { size: 6 }, val_seeds: "30-39" },
    },
  });

  it.each(["legacy", "lite"] as const)(
    "is the same after it was written for %s and read again",
    (generation) => {
      const back = importVagen(exportVagen(config, generation));
      expect(
        back.findings.filter(({ kind }) => kind !== "applied" && kind !== "assumed" && kind !== "ignored"),
      ).toEqual([]);
      expect(back.config).toEqual(config);
    },
  );

  /** Levels of each training entry of Lite's, and which. */
  const levelsIn = (trainer: object, envs: object) => {
    const [, training] = exportVagen(checkedRunConfig({ trainer, envs }), "lite").map(({ text }) => text);
    const entries: { n_envs: number; seed?: number[]; seed_list?: number[] }[] = parse(training!).envs;
    return entries.map(({ n_envs, seed, seed_list }) => [n_envs, seed ?? seed_list]);
  };

  it("has levels in Lite as its weights say, because VAGEN draws from all entries alike", () => {
    const trainer = { train_seeds: "1-1000" };
    expect(levelsIn(trainer, { sokoban: { weight: 2 } })).toEqual([
      [1000, [1, 1000, 1]],
      [2000, [1, 1000, 2]],
    ]);
    expect(levelsIn(trainer, { sokoban: { weight: 0.5, train_seeds: "1-500" } })).toEqual([
      [1000, [1, 1000, 1]],
      [500, [1, 500, 1]],
    ]);
    expect(levelsIn({ train_seeds: "1, 3, 5, 7" }, { sokoban: { weight: 1.5 } })).toEqual([
      [4, [1, 3, 5, 7, 1]],
      [6, [1, 3, 5, 7, 1, 3, 5]],
    ]);
    // No level is left out where all of them may be repeated.
    expect(levelsIn({ train_seeds: "1-5" }, { sokoban: { weight: 0.3 } })).toEqual([
      [20, [1, 5, 4]],
      [6, [1, 5, 2]],
    ]);
    // As many levels as a set of seeds may have.
    expect(levelsIn(trainer, { sokoban: { weight: 1000 } })).toEqual([
      [100, [1, 1000, 1]],
      [100_000, [1, 1000, 100]],
    ]);
    const most = checkedRunConfig({ trainer, envs: { sokoban: { weight: 1000 } } });
    expect(tasksToPrepare(most, "lite")).toEqual([
      "VAGEN trains on 100 of the 1000 levels of trainer.train_seeds, so that they count as the weights in envs say.",
    ]);
  });

  const odd = (count: number) => Array.from({ length: count }, (_, i) => 2 * i + 1).join(", ");

  it("repeats no list of seeds that would become too long", () => {
    const sizes = (train_seeds: string, weight: number) =>
      levelsIn({ train_seeds }, { sokoban: { weight } }).map(([count]) => count);
    expect(sizes("1, 3, 5, 7", 400)).toEqual([4, 4]);
    expect(sizes(odd(600), 2)).toEqual([600, 600]);
    expect(sizes(odd(200), 3)).toEqual([200, 600]);
  });

  it("says which weights a release would not use, and no other ones", () => {
    const lost = (train_seeds: string, weight: number, generation: "lite" | "legacy" = "lite") =>
      trainedOtherwise(
        checkedRunConfig({ trainer: { train_seeds }, envs: { "a.b": { name: "sokoban", weight } } }),
        generation,
      )
        .filter(({ path }) => path.startsWith("envs."))
        .map(({ path, value }) => `${path}=${value}`);
    for (const weight of [0.3, 1 / 3, 2, 1000]) {
      expect(lost("1-1000", weight)).toEqual([]);
      expect(lost("1-1000", weight, "legacy")).toEqual([]);
    }
    expect(lost(odd(600), 2)).toEqual(["envs.a.b.weight=2"]);
  });

  it("keeps an environment with far fewer levels than the first", () => {
    const few = train.text.replace("n_envs: 2000", "n_envs: 5").replace("[1, 2000, 1]", "[1, 5, 1]");
    expect(importVagen([file("train.yaml", few)]).config.envs.boxes).toMatchObject({ weight: 0.001 });
  });

  it("has an entry of Lite's for each environment, to train and to validate on", () => {
    const [, training, validation] = exportVagen(config, "lite").map(({ text }) => text);
    const names = (text: string | undefined) => [...text!.matchAll(/name: (\w+)/g)].map(([, name]) => name);
    expect(names(training)).toEqual(["FrozenLake", "Sokoban", "FrozenLake"]);
    expect(names(validation)).toEqual([
      ...["FrozenLake", "Sokoban", "FrozenLake"],
      ...["FrozenLake", "Sokoban", "FrozenLake"],
    ]);
  });
});
