// `train`: a whole run without a page, into a folder.
import { dirname, resolve } from "node:path";
import { describeRunConfig } from "../config/describe.ts";
import { refuseTogether, shellWords, UsageError, type Values } from "./args.ts";
import { readCheckpoint, trainedConfig } from "./checkpoint.ts";
import type { Command } from "./command.ts";
import { isFolder } from "./disk.ts";
import type { Io } from "./io.ts";
import { consentOf, judgeOptions } from "./judge-options.ts";
import { type Beginning, noCheckpointIn } from "./open-run.ts";
import { runTraining, type TrainRequest } from "./run-training.ts";
import { paidSimilarity } from "./similarity.ts";
import {
  type Changes,
  changed,
  inHouses,
  overrides,
  readSource,
  sourceOptions,
  updatesChange,
  updatesOption,
  warnOfIdle,
} from "./source.ts";
import { startChange, startOptions } from "./start.ts";

export const trainCommand: Command = {
  summary: "Train a policy, without a page.",
  options: {
    ...sourceOptions,
    ...updatesOption,
    seed: { value: "<n>", help: "The same as --set seed=<n>." },
    out: { value: "<folder>", help: "Where the run is kept. Default: run." },
    resume: {
      value: "<folder|file>",
      help: "Continue the run in a folder, or from one of its checkpoints.",
    },
    ...startOptions,
    episodes: {
      value: "<sample|all>",
      help: "What trajectories.jsonl keeps: a few episodes to look at, or every one that the policy plays (about 20 KB each). Default: sample.",
    },
    ...judgeOptions,
    ...paidSimilarity,
    json: { help: "Print every event as one line of JSON. With `npm run --silent`, nothing else." },
  },
  details: [
    "The folder receives config.yaml, events.jsonl (the log: metrics, validations, warnings), metrics.jsonl (a row for each",
    "update), trajectories.jsonl and checkpoints/, with --plugin or --houses also plugins/. A resumed run needs those that it was",
    "started with. While it trains, run.lock keeps other runs out of the folder. A killed run leaves the lock behind; the next run",
    "replaces it.",
    "Ctrl+C finishes the update, or ends a validation without a result, and saves; a second Ctrl+C quits at once.",
    "",
    "The settings that are changed most often (docs/configuration.md has all of them):",
    basicSettings(),
  ].join("\n"),
  async plays(values) {
    const resumed = values.text("resume");
    if (resumed === undefined) return newConfig(values);
    return trainedConfig((await readCheckpoint(resumed, "--resume")).meta);
  },
  run: async (values, io, args) => (await runTraining(await requestOf(values, io, args), io)).code,
};

function basicSettings(): string {
  const basic = describeRunConfig().filter((field) => field.basic);
  const width = Math.max(...basic.map(({ path }) => path.length));
  return basic
    .map(({ path, title, titles, default: value }) => {
      const called = titles?.[String(value)];
      return `  ${path.padEnd(width)}  ${title}, ${JSON.stringify(value)}${called ? ` (${called})` : ""}`;
    })
    .join("\n");
}

async function requestOf(values: Values, io: Io, args: readonly string[]): Promise<TrainRequest> {
  const episodes = episodesOf(values);
  return {
    ...(values.has("resume") ? await resumedRun(values) : await newRun(values, io)),
    episodes,
    json: values.has("json"),
    consent: consentOf(values, io),
    similarities: values.list("similarity"),
    command: `npm run train -- ${shellWords(...args)}`,
  };
}

/** What `--episodes` chooses. @throws UsageError for any other value. */
function episodesOf(values: Values): TrainRequest["episodes"] {
  const chosen = values.text("episodes") ?? "sample";
  if (chosen === "sample" || chosen === "all") return chosen;
  throw new UsageError(`--episodes is ${JSON.stringify(chosen)}.`, "Use sample or all.");
}

const newConfig = async (values: Values) => changed(await readSource(values), await namedChanges(values));

async function newRun(values: Values, io: Io): Promise<Beginning> {
  const preset = values.text("preset");
  const config = inHouses(await newConfig(values));
  warnOfIdle(io, config, overrides(values));
  return {
    out: values.text("out") ?? "run",
    source: preset ? `preset ${preset}` : (values.text("config") ?? "the default settings"),
    start: { config },
  };
}

async function resumedRun(values: Values): Promise<Beginning> {
  const others = ["preset", "config", "method", "from", "scratch"];
  refuseTogether(values, "resume", others, "A resumed run keeps its configuration.");
  const source = values.text("resume")!;
  const isFile = source.endsWith(".safetensors");
  const out = values.text("out") ?? (isFile ? dirname(dirname(resolve(source))) : source);
  // Checked before the folder is locked, which would create it.
  if (!isFile && !isFolder(out)) throw noCheckpointIn(source);
  const checkpoint = isFile ? await readCheckpoint(source, "--resume") : undefined;
  return { out, source, start: { checkpoint, changes: await namedChanges(values) } };
}

async function namedChanges(values: Values): Promise<Changes> {
  const seed = values.number("seed", 0);
  return {
    ...updatesChange(values),
    ...(seed !== undefined && { seed }),
    ...(await startChange(values)),
    ...overrides(values),
  };
}
