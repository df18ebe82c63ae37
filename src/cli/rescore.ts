// `judge --rescore`: what the saved episodes of a run earn under other weights, by the verdicts they were given or by those
// of a recording.
import { join } from "node:path";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates } from "../config/run-length.ts";
import { parseRunConfig } from "../config/yaml.ts";
import { ConfigError } from "../core/errors.ts";
import { type Rescored, rescore } from "../rl/reward/rescore.ts";
import { weightsOf } from "../run/task.ts";
import type { Values } from "./args.ts";
import { readText, writeInto } from "./disk.ts";
import { formatTable } from "./format-progress.ts";
import type { Io } from "./io.ts";
import { type RecordedVerdicts, readVerdicts, recordedJudgeOf } from "./run-folder/recorded-verdicts.ts";
import { readEpisodes, type SavedEpisode } from "./run-folder/saved-episodes.ts";
import { changed, overrides } from "./source.ts";

interface RescoredEpisode extends SavedEpisode {
  now: Rescored[];
}

/** Prints the mean reward of an episode by term, as paid and as it would be; with --out writes every turn's. */
export async function rescoreRun(folder: string, values: Values, io: Io): Promise<number> {
  const changes = overrides(values);
  const file = values.text("verdicts");
  const config = changed(await readConfig(folder), { ...changes, ...(file && recordedJudgeOf(file)) });
  assertOfWeights(changes);
  assertPays(changes, config);
  assertSumOfTerms(config);
  const weights = weightsOf(config);
  const recorded = file === undefined ? null : await readVerdicts(file, config);
  const saved = await readEpisodes(folder);
  for (const notice of [recorded?.notice, saved.notice]) if (notice) io.err(`warning: ${notice}\n`);
  const played = playedByPolicy(saved.episodes, config);
  const episodes = played.map((episode) => ({
    ...episode,
    now: rescore(episode.turns, weights, recorded?.source),
  }));
  const out = values.text("out");
  if (out !== undefined) await write(out, episodes);
  const verdicts = recorded?.counts;
  if (values.has("json")) io.out(JSON.stringify({ ...summaryOf(episodes), ...(verdicts && { verdicts }) }));
  else
    io.out(
      [
        table(episodes),
        keptLine(episodes, config),
        ...(verdicts ? [verdictsLine(verdicts, file!)] : []),
      ].join("\n"),
    );
  return 0;
}

const verdictsLine = ({ claims, withoutVerdict }: RecordedVerdicts["counts"], file: string): string =>
  `${withoutVerdict} of ${claims} claims have no verdict in ${file}${withoutVerdict > 0 ? " and earn nothing now" : ""}.`;

/** Demonstrations earn what their author does, not what the policy does. */
function playedByPolicy(episodes: readonly SavedEpisode[], config: RunConfig): SavedEpisode[] {
  const played = episodes.filter(
    ({ source, update }) => source === "validation" || update > sftUpdates(config),
  );
  if (played.length > 0) return played;
  throw new ConfigError(
    "invalid_config",
    `All saved episodes (${episodes.length}) are demonstrations of SFT, not played by a policy.`,
    "Train the run further, until its first validation.",
  );
}

/** The configuration that a run keeps in its folder. */
async function readConfig(folder: string): Promise<RunConfig> {
  const file = join(folder, "config.yaml");
  const text = await readText(file, "Give --rescore the folder of a run: the --out of its training.");
  return parseRunConfig(text, file);
}

/** Settings that the weights of the reward follow from; custom terms have entries in `reward.weights`. */
const WEIGHTS = [
  "reward.use_state_reward",
  "reward.grounding_reward_weight",
  "reward.worldmodeling_reward_weight",
  "reward.scale_by_turns",
  "reward.repetition_penalty_weight",
  "reward.action_cost",
  "env.config.format_reward",
];

/** What is played, said or judged is settled: any other setting would change nothing. */
function assertOfWeights(changes: Readonly<Record<string, unknown>>): void {
  const isWeight = (path: string) => WEIGHTS.includes(path) || /^reward\.weights(\.|$)/.test(path);
  const settled = Object.keys(changes).find((path) => !isWeight(path));
  if (settled === undefined) return;
  throw new ConfigError(
    "invalid_config",
    `${settled} is ${JSON.stringify(changes[settled])}; it cannot change episodes that are already played and judged.`,
    `Set ${WEIGHTS.join(", ")} or reward.weights.<term>.`,
  );
}

/** Weights of what a switch keeps from being paid would print a table in which nothing has changed. */
function assertPays(changes: Readonly<Record<string, unknown>>, { reward }: RunConfig): void {
  const weight = ["reward.grounding_reward_weight", "reward.worldmodeling_reward_weight"].find(
    (path) => path in changes,
  );
  if (weight === undefined || reward.use_state_reward) return;
  throw new ConfigError(
    "invalid_config",
    `${weight} is ${JSON.stringify(changes[weight])}; the run has reward.use_state_reward off, so it pays nothing.`,
    "Add --set reward.use_state_reward=true.",
  );
}

/** AReaL's workflow pays the best attempt, discounted: its turns do not sum up. */
function assertSumOfTerms({ rollout }: RunConfig): void {
  if (rollout.workflow !== "areal") return;
  throw new ConfigError(
    "invalid_config",
    'rollout.workflow is "areal"; its reward is that of the best attempt, which weights alone cannot reproduce.',
    'Take a run whose rollout.workflow is "vagen".',
  );
}

/** A line for each episode: what every turn earns, beside what it was paid. */
async function write(file: string, episodes: readonly RescoredEpisode[]): Promise<void> {
  const lines = episodes.map(({ update, source, id, turns, now }) =>
    JSON.stringify({
      update,
      source,
      id,
      was: sum(turns),
      reward: sum(now),
      turns: turns.map((turn, i) => ({
        was: { rewards: turn.rewards, reward: turn.reward },
        rewards: now[i]!.rewards,
        reward: now[i]!.reward,
      })),
    }),
  );
  await writeInto(file, lines.map((line) => `${line}\n`).join(""));
}

const sum = (turns: readonly { reward: number }[]): number =>
  turns.reduce((total, { reward }) => total + reward, 0);

interface Summary {
  episodes: number;
  turns: number;
  /** Mean of an episode by term, as it was paid and as it would be; a term of weight 0 has 0. */
  terms: Readonly<Record<string, { was: number; now: number }>>;
  reward: { was: number; now: number };
}

function summaryOf(episodes: readonly RescoredEpisode[]): Summary {
  const turns = episodes.flatMap((episode) => episode.turns);
  const now = episodes.flatMap((episode) => episode.now);
  const ids = new Set([...turns, ...now].flatMap(({ rewards }) => Object.keys(rewards)));
  const meanOf = (id: string, scored: readonly Pick<Rescored, "rewards">[]) =>
    scored.reduce((total, { rewards }) => total + (rewards[id] ?? 0), 0) / episodes.length;
  return {
    episodes: episodes.length,
    turns: turns.length,
    terms: Object.fromEntries(
      [...ids].map((id) => [id, { was: meanOf(id, turns), now: meanOf(id, now) }] as const),
    ),
    reward: { was: sum(turns) / episodes.length, now: sum(now) / episodes.length },
  };
}

function table(episodes: readonly RescoredEpisode[]): string {
  const { terms, reward } = summaryOf(episodes);
  const rows = [...Object.entries(terms), ["reward", reward] as const].map(([id, { was, now }]) =>
    [id, was, now, now - was].map((cell) => (typeof cell === "number" ? cell.toFixed(4) : cell)),
  );
  const head = ["mean of an episode", "paid", "now", "difference"];
  return formatTable([head, ...rows]);
}

/** Whoever reads a mean should know of what: the folder keeps a sample, unless all was asked for. */
function keptLine(episodes: readonly RescoredEpisode[], config: RunConfig): string {
  const trained = episodes.filter(({ source }) => source === "train");
  const turns = episodes.reduce((count, episode) => count + episode.turns.length, 0);
  const parts = `${trained.length} of training, ${episodes.length - trained.length} of validations`;
  const saved = `${episodes.length} saved episodes (${parts}), ${turns} turns`;
  return `${saved}: ${isAll(trained, config) ? "all that" : "a sample of what"} the run played.`;
}

/** Whether the episodes of every update are there, from the first of PPO to the last that has any. */
function isAll(trained: readonly SavedEpisode[], config: RunConfig): boolean {
  const saved = new Map<number, number>();
  for (const { update } of trained) saved.set(update, (saved.get(update) ?? 0) + 1);
  const whole = [...saved.values()].every((count) => count >= config.rollout.train_batch_size);
  return trained.length > 0 && whole && saved.size === Math.max(...saved.keys()) - sftUpdates(config);
}
