import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  BUNDLED,
  bundledFor,
  bundledForLevels,
  bundledForRun,
  bundledStart,
  continuedStart,
  misfit,
} from "./bundled.ts";
import { getPath } from "./changes.ts";
import { inspectRunConfig } from "./check.ts";
import { eachAlone, furtherEntries } from "./entries.ts";
import { presets } from "./presets.ts";
import type { RunConfig } from "./run-config.ts";

const folder = "public/checkpoints";

/** What the header of a bundled file says. */
function metaOf(id: string): { provenance: { command: string }; config: RunConfig } {
  const bytes = readFileSync(`${folder}/${id}.safetensors`);
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + Number(bytes.readBigUInt64LE(0))));
  return JSON.parse(header.__metadata__.meta);
}
const preset = (id: string) => presets.get(id).config;

describe("the bundled checkpoints", () => {
  it("are all listed", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".safetensors"));
    expect(BUNDLED.map(({ id }) => `${id}.safetensors`).sort()).toEqual(files.sort());
  });

  it.each(BUNDLED)("$id names no place of the machine that made it", ({ id }) => {
    const { provenance, config } = metaOf(id);
    // Absolute paths, those of a home folder or above this one, and hidden folders other than the project's own.
    const elsewhere = /(^|[\s=])[./~]*\/|(^|\s)\.(?!cache)/;
    for (const text of [provenance.command, config.trainer.init_checkpoint])
      expect(text).not.toMatch(elsewhere);
  });

  it.each(BUNDLED)("$id needs what it was made with", (bundled) => {
    const made = metaOf(bundled.id).config;
    const { needs, further = [] } = bundled;
    const entries = furtherEntries(made).slice(0, further.length);
    const played = [
      [made, needs] as const,
      ...entries.map(({ config }, i) => [config, further[i]!] as const),
    ];
    expect(played.length).toBe(1 + further.length);
    for (const [config, of] of played)
      expect(Object.fromEntries(Object.keys(of).map((path) => [path, getPath(config, path)]))).toEqual(of);
  });

  it.each(BUNDLED.filter(({ id }) => !id.endsWith("-trained")))(
    "$id says whether its SFT began with other weights",
    ({ id, continued = false }) => {
      expect(continued).toBe(metaOf(id).config.trainer.init_checkpoint !== "");
    },
  );

  it("fit the presets that start from them", () => {
    for (const { config } of presets.all) {
      const named = BUNDLED.find(({ id }) => id === config.trainer.init_checkpoint);
      if (named) expect(misfit(named, config)).toBeNull();
    }
  });

  it("fit a run with a separate critic, which begins as a copy of the policy", () => {
    const { model, ...rest } = preset("frozenlake-small");
    const warmup = BUNDLED.find(({ id }) => id === "frozenlake-small-warmup")!;
    expect(misfit(warmup, { ...rest, model: { ...model, critic: "separate" } })).toBeNull();
  });

  it("of another task fit where words may differ, if the model is the same", () => {
    const { trainer, ...rest } = preset("spatial-gym-small");
    const shared = { ...rest, trainer: { ...trainer, init_vocabulary: "shared" as const } };
    const home = BUNDLED.find(({ id }) => id === "navigation-small-warmup")!;
    expect(misfit(home, { ...rest, trainer })).toEqual({ path: "env.name", needed: "navigation" });
    expect(misfit(home, shared)).toBeNull();
    const wide = { ...shared, model: { ...shared.model, hidden_size: 96 } };
    expect(misfit(home, wide)).toEqual({ path: "model.hidden_size", needed: 64 });
  });

  it("with fewer layers fit where layers may be added, those with more never do", () => {
    const { model, trainer, ...rest } = preset("frozenlake-nano");
    const warmup = BUNDLED.find(({ id }) => id === "frozenlake-nano-warmup")!;
    const withLayers = (num_hidden_layers: number, init_layers: "same" | "fewer") =>
      misfit(warmup, {
        ...rest,
        model: { ...model, num_hidden_layers },
        trainer: { ...trainer, init_layers },
      });
    const { num_hidden_layers: own } = model;
    const needed = { path: "model.num_hidden_layers", needed: own };
    expect(withLayers(own + 2, "same")).toEqual(needed);
    expect(withLayers(own + 2, "fewer")).toBeNull();
    expect(withLayers(own - 1, "fewer")).toEqual(needed);
  });

  it("are offered where they fit; the others say why not, those of the same task first", () => {
    const nano = bundledFor(preset("frozenlake-nano"));
    expect(nano.fitting.map(({ id }) => id)).toEqual(["frozenlake-nano-warmup", "frozenlake-nano-trained"]);
    expect(nano.others[0]!.misfit).toEqual({ path: "model.hidden_size", needed: 64 });
    const sokoban = bundledFor(preset("sokoban-small"));
    expect(sokoban.fitting.map(({ id }) => id)).toEqual([
      "sokoban-small-warmup",
      "sokoban-small-trained",
      "sokoban-long-small-warmup",
      "sokoban-long-small-trained",
    ]);
    expect(sokoban.others.at(-1)!.misfit).toEqual({ path: "env.name", needed: "primitive-skill" });
    for (const rollout of [{ prompt_format: "no_think" }, { state_format: "structured" }]) {
      const other = inspectRunConfig({ ...preset("frozenlake-nano"), rollout }).config!;
      expect(bundledFor(other).fitting).toEqual([]);
    }
  });
});

describe("in a run in several environments", () => {
  const lake = preset("frozenlake-nano");
  const ids = (envs: object) =>
    bundledFor(inspectRunConfig({ ...lake, envs }).config!).fitting.map(({ id }) => id);

  it("fit if all are the environment that they were trained in, however its levels are made", () => {
    expect(ids({ sparse: { name: "frozenlake", config: { p: 0.9 } } })).toContain("frozenlake-nano-trained");
    expect(ids({ wide: { name: "frozenlake", config: { size: 6 } } })).toEqual([]);
    expect(ids({ sokoban: {} })).toEqual([]);
    expect(ids({ long: { name: "frozenlake", max_turns: 9 } })).toEqual([]);
  });

  it("fit all the tasks together that they were trained in", () => {
    const three = preset("three-tasks-small");
    const found = (change: object) => {
      const { fitting, others } = bundledFor(inspectRunConfig({ ...three, ...change }).config!);
      const trained = others.find(({ checkpoint }) => checkpoint.id === "three-tasks-small-trained");
      return trained?.misfit ?? fitting.map(({ id }) => id);
    };
    const { sokoban, navigation } = three.envs;
    expect(found({})).toEqual(["three-tasks-small-warmup", "three-tasks-small-trained"]);
    expect(found({ envs: { walk: { ...navigation, name: "navigation" }, sokoban } })).toHaveLength(2);
    for (const envs of [{}, { sokoban }, { sokoban, navigation, svg: {} }])
      expect(found({ envs })).toEqual({ path: "envs", needed: ["frozenlake", "sokoban", "navigation"] });
    const wide = { name: "frozenlake", config: { size: 6 } };
    expect(found({ envs: { sokoban, navigation, wide } })).toEqual({
      path: "env.config.size",
      needed: 4,
      entries: ["wide"],
    });
  });

  it("of one of its tasks do not fit because it has others", () => {
    const { others } = bundledFor(preset("three-tasks-small"));
    const of = (id: string) => others.find(({ checkpoint }) => checkpoint.id === id)?.misfit;
    expect(of("sokoban-small-warmup")).toEqual({ path: "envs", needed: ["sokoban"] });
    expect(of("navigation-small-warmup")).toEqual({ path: "envs", needed: ["navigation"] });
    expect(of("frozenlake-small-warmup")).toEqual({ path: "envs", needed: ["frozenlake"] });
  });
});

describe("the policy to start from", () => {
  it.each([
    ["frozenlake-nano", "frozenlake-nano-warmup"],
    ["sokoban-small", "sokoban-small-warmup"],
    ["sokoban-long-small", "sokoban-long-small-warmup"],
    ["three-tasks-small", "three-tasks-small-warmup"],
    ["primitive-skill-nano", "primitive-skill-nano-warmup"],
    ["primitive-skill-small", "primitive-skill-small-warmup"],
    ["visual-math-nano", "visual-math-nano-warmup"],
    ["svg-nano", "svg-nano-warmup"],
  ])("for %s has its levels, its model and its words: %s", (id, start) => {
    expect(bundledStart(preset(id))?.id).toBe(start);
  });

  it("follows the task of a draft, and is none for a model that no policy has", () => {
    const { env } = preset("sokoban-nano");
    const nano = preset("frozenlake-nano");
    expect(bundledStart({ ...nano, env })?.id).toBe("sokoban-nano-warmup");
    expect(bundledStart({ ...nano, model: { ...nano.model, hidden_size: 48 } })).toBe(null);
  });
});

describe("a run from random weights", () => {
  const scratch = (id: string, more: object = {}) => {
    const { trainer, ...rest } = preset(id);
    return continuedStart({ ...rest, trainer: { ...trainer, init_checkpoint: "", ...more } })?.id;
  };
  it("knows the policy for it that several runs made", () => {
    expect(scratch("navigation-small")).toBe("navigation-small-warmup");
    expect(scratch("primitive-skill-small", { init_vocabulary: "shared" })).toBe(
      "primitive-skill-small-warmup",
    );
    expect(scratch("three-tasks-small")).toBe("three-tasks-small-warmup");
    expect(scratch("sokoban-long-small")).toBe("sokoban-long-small-warmup");
  });
  it("knows none where one run made the policy, where there is none, or where it starts from one", () => {
    for (const id of ["frozenlake-nano", "sokoban-small", "navigation-text-nano", "navigation-base"])
      expect(scratch(id)).toBeUndefined();
    expect(continuedStart(preset("navigation-small"))).toBeNull();
  });
});

describe("the policy that plays levels", () => {
  it("is the largest trained one of the environment, whatever the rest of the configuration", () => {
    expect(bundledForLevels(preset("frozenlake-nano").env)?.id).toBe("frozenlake-small-trained");
    expect(bundledForLevels(preset("sokoban-nano").env)?.id).toBe("sokoban-small-trained");
    expect(bundledForLevels(preset("sokoban-long-small").env)?.id).toBe("sokoban-long-small-trained");
    expect(bundledForLevels(preset("three-tasks-small").env)?.id).toBe("frozenlake-small-trained");
    expect(bundledForLevels(preset("primitive-skill-small").env)?.id).toBe("primitive-skill-small-trained");
  });

  it("is none for a board of another size or another environment", () => {
    const { env } = preset("frozenlake-nano");
    expect(bundledForLevels({ ...env, config: { ...env.config, size: 5 } })).toBe(null);
    const questions = preset("visual-math-nano").env;
    expect(bundledForLevels({ ...questions, config: { ...questions.config, grid_size: 6 } })).toBe(null);
    const home = preset("navigation-small").env;
    expect(bundledForLevels(home)?.id).toBe("navigation-small-trained");
    expect(bundledForLevels({ ...home, config: { ...home.config, resolution: 96 } })).toBe(null);
  });
});

describe("the policies for the levels of a run", () => {
  const ids = (name: string, env = preset(name).env) => bundledForRun(preset(name), env).map(({ id }) => id);
  it("begin with the run's own", () => {
    expect(ids("frozenlake-nano")).toEqual(["frozenlake-nano-trained", "frozenlake-small-trained"]);
    expect(ids("sokoban-small")).toEqual(["sokoban-small-trained"]);
    expect(ids("sokoban-long-small")).toEqual(["sokoban-long-small-trained"]);
    const questions = preset("visual-math-nano").env;
    expect(ids("visual-math-nano")).toEqual(["visual-math-nano-trained"]);
    expect(ids("visual-math-nano", { ...questions, config: { ...questions.config, grid_size: 6 } })).toEqual(
      [],
    );
  });
  it("begin with the one of all its environments in each of them", () => {
    const envs = eachAlone(preset("three-tasks-small")).map(({ env }) => env);
    expect(envs.map((env) => ids("three-tasks-small", env))).toEqual([
      ["three-tasks-small-trained", "frozenlake-small-trained"],
      ["three-tasks-small-trained", "sokoban-small-trained"],
      ["three-tasks-small-trained", "navigation-small-trained"],
    ]);
  });
});
