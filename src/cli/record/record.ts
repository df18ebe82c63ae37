// `record`: episodes with every token's numbers as files that the page shows.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { LARGEST_SEED } from "../../config/seeds.ts";
import { decodeReplay, encodeReplay } from "../../replay/codec.ts";
import type { Replay } from "../../replay/replay.ts";
import type { Consent } from "../../run/judge-consent.ts";
import { refuseTogether, shellWords, UsageError, type Values } from "../args.ts";
import { checkpointConfig, readCheckpoint } from "../checkpoint.ts";
import type { Command } from "../command.ts";
import { assertFile, writeInto } from "../disk.ts";
import { envOption, HIGHEST_TEMPERATURE } from "../eval.ts";
import type { Io } from "../io.ts";
import { consentOf, judgeOptions } from "../judge-options.ts";
import { housesOption, pluginOption } from "../plugins.ts";
import { type PlaySettings, recordEpisodes } from "./episodes.ts";
import { assertSameLevels, findLevels } from "./find.ts";
import { type PolicySource, type ReadyPolicy, readyPolicy } from "./policy.ts";
import { policies, type Recording, recordings } from "./recordings.ts";
import { storyOf } from "./story.ts";

/** Where the page loads replays from. */
const FOLDER = join("public", "replays");

export const recordCommand: Command = {
  summary: "Record episodes for the page to replay.",
  options: {
    checkpoint: {
      value: "<run|file>",
      help: "A run's folder (its newest checkpoint), a file, a bundled name, or a policy of the case studies.",
    },
    seed: { value: "<n>", help: "The level to play." },
    env: envOption,
    temperature: { value: "<t>", help: "Sampling temperature; 0 is greedy. Default: 1." },
    out: { value: "<file>", help: "The .json file to write. Without it, the episode is only printed." },
    all: {
      help: `Record every case study again, into ${FOLDER}. Policies without a file are trained first.`,
    },
    find: {
      value: "<a[,b]>",
      help: "List the validation levels that one of two policies solves and the other does not; for one policy, all levels.",
    },
    stories: { help: "With --find: every turn of these episodes in place of a table." },
    ...judgeOptions,
    ...pluginOption,
    ...housesOption,
  },
  details: [
    "An episode is recorded with its verdicts, rewards, values, advantages, returns and entropies (docs/replays.md). The same",
    "command writes the same file again.",
    "",
    "  npm run record -- --checkpoint frozenlake-nano-trained --seed 10001 --out episode.json",
    "  npm run record -- --find frozenlake-nano-warmup,frozenlake-nano-trained",
    "  npm run record -- --all",
  ].join("\n"),
  plays: checkpointConfig,
  run(values, io) {
    refuseMixed(values);
    if (values.has("all")) return recordAll(io, consentOf(values, io));
    if (values.has("find")) return find(values, io);
    return recordOne(values, io);
  },
};

/** @throws UsageError for options of the recording of one episode beside `--all` or `--find`, which have no use for them. */
function refuseMixed(values: Values): void {
  const ofOneEpisode = ["checkpoint", "seed", "out"];
  const ofPlay = ["find", "env", "temperature"];
  refuseTogether(
    values,
    "all",
    [...ofOneEpisode, ...ofPlay],
    "--all records every case study with its own settings. Leave out one of the two.",
  );
  refuseTogether(
    values,
    "find",
    ofOneEpisode,
    "--find plays all validation levels and writes no file. Leave out one of the two.",
  );
  if (values.has("stories") && !values.has("find"))
    throw new UsageError(
      "--stories is given without --find.",
      "An episode of --seed is printed turn by turn: leave --stories out.",
    );
}

function playSettingsOf(values: Values): PlaySettings {
  const entry = values.text("env");
  const temperature = values.number("temperature", 0, false, HIGHEST_TEMPERATURE) ?? 1;
  return { temperature, ...(entry !== undefined && { entry }) };
}

/** A policy of the case studies by its name; anything else is a checkpoint. */
async function policyOf(name: string, io: Io): Promise<ReadyPolicy> {
  const known: PolicySource | undefined = Object.hasOwn(policies, name)
    ? policies[name as keyof typeof policies]
    : undefined;
  if (known) return readyPolicy(name, known, io);
  const { meta } = await readCheckpoint(name, "--checkpoint");
  return { checkpoint: name, origin: meta.provenance?.command || name };
}

async function recordOne(values: Values, io: Io): Promise<number> {
  const [name, seed, out] = [
    values.text("checkpoint"),
    values.number("seed", 0, true, LARGEST_SEED),
    values.text("out"),
  ];
  if (name === undefined || seed === undefined)
    throw new UsageError(
      "record needs --checkpoint and --seed, or --all.",
      "For example: --checkpoint frozenlake-nano-trained --seed 10001 --out episode.json",
    );
  const settings = playSettingsOf(values);
  if (out !== undefined) assertFile(out);
  const policy = await policyOf(name, io);
  const id = out === undefined ? name : basename(out, ".json");
  const command = commandOf(name, seed, settings, out ?? `${id}.json`);
  const [replay] = await recordEpisodes(policy, settings, [{ id, seed, command }], consentOf(values, io));
  io.out(storyOf(replay!.trajectory, replay!.config));
  if (out !== undefined) await writeReplay(replay!, out, io);
  return 0;
}

async function find(values: Values, io: Io): Promise<number> {
  const names = values.text("find")!.split(",");
  if (names.length > 2) throw new UsageError(`--find names ${names.length} policies.`, "Give one or two.");
  const checkpoints = [];
  for (const name of names) checkpoints.push({ name, checkpoint: (await policyOf(name, io)).checkpoint });
  const settings = playSettingsOf(values);
  await assertSameLevels(checkpoints, settings);
  io.out(await findLevels(checkpoints, settings, consentOf(values, io), values.has("stories")));
  return 0;
}

/** Each policy plays the validation levels once for each of its environments and temperatures. */
async function recordAll(io: Io, consent: Consent): Promise<number> {
  const keyOf = ({ policy, temperature, entry }: Recording) => `${policy} ${temperature} ${entry ?? ""}`;
  for (const key of new Set(recordings.map(keyOf))) {
    const group = recordings.filter((one) => keyOf(one) === key);
    const { policy, ...settings } = group[0]!;
    const requests = group.map(({ id, seed }) => {
      const command = commandOf(policy, seed, settings, `${FOLDER}/${id}.json`);
      return { id, seed, command };
    });
    for (const replay of await recordEpisodes(await policyOf(policy, io), settings, requests, consent))
      await writeReplay(replay, join(FOLDER, `${replay.id}.json`), io);
  }
  return 0;
}

function commandOf(policy: string, seed: number, { temperature, entry }: PlaySettings, out: string): string {
  const sampling = temperature === 1 ? [] : ["--temperature", `${temperature}`];
  const environment = entry === undefined ? [] : ["--env", entry];
  const args = ["--checkpoint", policy, "--seed", `${seed}`, ...environment, ...sampling, "--out", out];
  return `npm run record -- ${shellWords(...args)}`;
}

/** Writes a replay. A file that differs in its commit alone stays as it is: that commit recorded the same episode. */
async function writeReplay(replay: Replay, path: string, io: Io): Promise<void> {
  const encoded = encodeReplay(replay);
  decodeReplay(JSON.parse(JSON.stringify(encoded)));
  const text = `${JSON.stringify(encoded)}\n`;
  const before = existsSync(path) ? await readFile(path, "utf8") : "";
  const isSame = withoutCommit(before) === withoutCommit(text);
  if (!isSame) await writeInto(path, text);
  io.out(`${path}: ${(text.length / 1024).toFixed(0)} KiB${isSame ? ", unchanged" : ""}`);
}

const withoutCommit = (text: string): string => text.replace(/"commit":"[^"]*"/, "");
