// A run's configuration → VAGEN's files. What VAGEN has no key for stands in comments, so that nothing is lost on the way.
import { Document } from "yaml";
import { envs } from "../../envs/index.ts";
import { diffConfigs, getPath, setPath } from "../changes.ts";
import type { RunConfig } from "../run-config.ts";
import { ofKind } from "./findings.ts";
import { importVagen } from "./import.ts";
import { liteSeeds } from "./keys/dataset.ts";
import { OMEGACONF } from "./omegaconf.ts";
import type { VagenFile } from "./read.ts";
import { type Draft, renderVagen } from "./render.ts";
import type { Generation, Row } from "./row.ts";
import type { Setting } from "./studio-lines.ts";
import { linesOf } from "./table.ts";

/** Dotted keys in the order in which they are written. */
type Keys = ReadonlyMap<string, unknown>;

/** The files of a generation: a trainer's, and a dataset's (Lite has one for training and one for validation). */
export function exportVagen(config: RunConfig, generation: Generation): VagenFile[] {
  const files = draftFiles(config, generation);
  const lost = losses(config, files.map(withoutComments));
  return files.map((file) => ({ name: file.name, text: renderVagen(file, lost, generation) }));
}

/** Sections whose values decide what is learned from. */
const LEARNING = /^(algorithm|actor|critic|reward|rollout)\./;

/** Settings that decide what is learned, and that VAGEN would not have from the files: comments say them, and it reads none. */
export function trainedOtherwise(config: RunConfig, generation: Generation): Setting[] {
  const { config: theirs } = importVagen(draftFiles(config, generation).map(withoutComments));
  const differing = diffConfigs(theirs, config).filter(({ path }) => LEARNING.test(path));
  return differing.map(({ path, to }) => ({ path, value: to }));
}

/** What the release's own trainer file is called: ours goes on top of it. */
const BASES: Readonly<Record<Generation, string>> = { legacy: "ppo_trainer", lite: "vagen_multiturn" };

const isTask = (path: string): boolean => path.startsWith("env.");

function draftFiles(config: RunConfig, generation: Generation): Draft[] {
  const keys = valuesOf(config, linesOf({ part: "trainer", generation }));
  const trainer: Draft = {
    name: "trainer.yaml",
    tree: { defaults: [BASES[generation], "_self_"], ...nested(keys) },
    holds: (path) => !isTask(path),
    part: "trainer",
  };
  const dataset = (name: string, tree: object, holds = isTask): Draft => ({
    name,
    tree,
    holds,
    part: "dataset",
  });
  if (generation === "legacy") return [trainer, dataset("dataset.yaml", { env1: legacyTask(config) })];
  return [
    trainer,
    dataset("train.yaml", { envs: [liteTask(config, "train")] }),
    dataset("val.yaml", { envs: [liteTask(config, "val")] }, () => false),
  ];
}

/**
 * What no key of the files carries, as settings, values that happen to be our defaults included: defaults may change,
 * and people should see what VAGEN will not do.
 */
function losses(config: RunConfig, files: readonly VagenFile[]): Setting[] {
  const { config: back, findings } = importVagen(files);
  const wrong = new Set(diffConfigs(back, config).map(({ path }) => path));
  const carried = new Set(ofKind(findings, "applied").map(({ path }) => path));
  const all = diffConfigs({}, config).flatMap(leaves);
  return all.filter(({ path }) => path !== "version" && (wrong.has(path) || !carried.has(path)));
}

/** A section that is compared with nothing comes as one value. */
function leaves({ path, to }: { path: string; to: unknown }): Setting[] {
  if (typeof to !== "object" || to === null || Array.isArray(to)) return [{ path, value: to }];
  return diffConfigs({}, to, `${path}.`).flatMap(leaves);
}

function withoutComments({ name, tree }: Draft): VagenFile {
  return { name, text: new Document(tree, OMEGACONF).toString() };
}

/** Of several lines with one key the first that has a value speaks. */
function valuesOf(config: RunConfig, lines: readonly Row[]): Keys {
  const values = new Map<string, unknown>();
  for (const row of lines) {
    const value = valueAt(config, row);
    if (value !== undefined && !values.has(row.key)) values.set(row.key, value);
  }
  return values;
}

/** A line whose setting is not in the schema yet has nothing to say, unless it can tell without. */
function valueAt(config: RunConfig, { path, write }: Row): unknown {
  if (path !== undefined && getPath(config, path) === undefined) return undefined;
  return write ? write(config) : path === undefined ? undefined : getPath(config, path);
}

const nested = (keys: Keys): object =>
  [...keys].reduce<object>((tree, [key, value]) => setPath(tree, key, value), {});

function optionsOf(config: RunConfig, generation: Generation): object {
  const lines = linesOf({ part: "dataset", generation, env: config.env.name });
  const options = [...valuesOf(config, lines)].filter(([key]) => key.startsWith("config."));
  return Object.fromEntries(options.map(([key, value]) => [key.slice("config.".length), value]));
}

function legacyTask(config: RunConfig): object {
  return {
    env_name: config.env.name,
    env_config: optionsOf(config, "legacy"),
    train_size: 10000,
    test_size: config.trainer.val_size,
  };
}

function liteTask(config: RunConfig, split: "train" | "val"): object {
  const { title, id } = envs.get(config.env.name);
  const seed = liteSeeds(config, split);
  return {
    name: title.replaceAll(" ", ""),
    n_envs: seed[1]! - seed[0]! + 1,
    data_source: id,
    seed,
    max_turns: config.rollout.max_turns,
    response_length_per_turn: config.rollout.response_length,
    config: optionsOf(config, "lite"),
  };
}
