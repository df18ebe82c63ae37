// `judge --rescore`: the rewards of a run's saved episodes under other weights, with the saved verdicts or with those of a
// recording.
import { join } from "node:path";
import { entryConfig } from "../config/entries.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates } from "../config/run-length.ts";
import { parseRunConfig } from "../config/yaml.ts";
import { ConfigError } from "../core/errors.ts";
import { joined, message, setting, value } from "../core/message.ts";
import { SURROUNDINGS } from "../core/verdict.ts";
import { type Rescored, rescore } from "../rl/reward/rescore.ts";
import { settling, weightsOf } from "../run/task.ts";
import type { Values } from "./args.ts";
import { MAX_RECORDING_BYTES, readText, writeInto } from "./disk.ts";
import { formatTable } from "./format-progress.ts";
import { type Io, warn } from "./io.ts";
import { type RecordedVerdicts, readVerdicts, recordedJudgeOf } from "./run-folder/recorded-verdicts.ts";
import { readEpisodes, type SavedEpisode } from "./run-folder/saved-episodes.ts";
import { assertEffective, type Changes, changed, overrides } from "./source.ts";

interface RescoredEpisode extends SavedEpisode {
  now: Rescored[];
}

/** Prints the mean reward of an episode by term, as paid and under the new weights; --out receives that of every turn. */
export async function rescoreRun(folder: string, values: Values, io: Io): Promise<number> {
  const changes = overrides(values);
  const file = values.text("verdicts");
  const config = changed(await readConfig(folder), { ...changes, ...(file && recordedJudgeOf(file)) });
  assertWeights(changes);
  assertPays(changes, config);
  assertSumOfTerms(config);
  const recorded = file === undefined ? null : await readVerdicts(file, config);
  const saved = await readEpisodes(folder);
  for (const notice of [recorded?.notice, saved.notice]) if (notice) warn(io, notice);
  const played = playedByPolicy(saved.episodes, config);
  assertNeighboursJudged(changes, played);
  const episodes = rescored(played, config, recorded);
  const out = values.text("out");
  if (out !== undefined) await write(out, episodes);
  const verdicts = recorded?.counts;
  const lines = [table(episodes), keptLine(episodes, config)];
  if (verdicts) lines.push(verdictsLine(verdicts, file!));
  const json = { ...summaryOf(episodes), ...(verdicts && { verdicts }) };
  io.out(values.has("json") ? JSON.stringify(json) : lines.join("\n"));
  return 0;
}

/** The rewards of episodes under the weights of a configuration, each in its own environment. */
const rescored = (
  played: readonly SavedEpisode[],
  config: RunConfig,
  recorded: RecordedVerdicts | null,
): RescoredEpisode[] =>
  played.map((episode) => {
    const own = entryConfig(config, episode.entry);
    const now = rescore(episode, weightsOf(own), recorded?.sourceFor(own), settling(own).settle);
    return { ...episode, now };
  });

const verdictsLine = ({ claims, withoutVerdict }: RecordedVerdicts["counts"], file: string): string =>
  `${withoutVerdict} of ${claims} claims have no verdict in ${file}${withoutVerdict > 0 ? " and earn nothing now" : ""}.`;

/** Without demonstrations: their rewards say nothing about the policy. */
function playedByPolicy(episodes: readonly SavedEpisode[], config: RunConfig): SavedEpisode[] {
  const played = episodes.filter(
    ({ source, update }) => source === "validation" || update > sftUpdates(config),
  );
  if (played.length > 0) return played;
  throw new ConfigError(
    "invalid_config",
    `All saved episodes (${episodes.length}) are demonstrations of SFT; a policy played none.`,
    "Train the run further, up to its first validation.",
  );
}

/** The configuration that a run keeps in its folder. */
async function readConfig(folder: string): Promise<RunConfig> {
  const file = join(folder, "config.yaml");
  const text = await readText(
    file,
    "Give --rescore the folder of a run: the --out of its training.",
    MAX_RECORDING_BYTES,
  );
  return parseRunConfig(text, file);
}

/** Weights of what the reasoning says about the world. */
const JUDGED_WEIGHTS = [
  "reward.grounding_reward_weight",
  "reward.worldmodeling_reward_weight",
  "reward.surroundings_reward_weight",
];

/** Settings that the weights of the reward, and what an episode's end makes of it, follow from; custom terms have entries in `reward.weights`. */
const WEIGHTS = [
  "reward.use_state_reward",
  ...JUDGED_WEIGHTS,
  "reward.scale_by_turns",
  "reward.claim_aggregation",
  "reward.repetition_penalty_weight",
  "reward.action_cost",
  "reward.turn_cost",
  "env.config.format_reward",
  "env.config.format_penalty",
  "env.config.episode_format_reward",
];

/** Episodes are already played and judged: any other setting would change nothing. */
const assertWeights = (changes: Changes): void =>
  assertEffective(
    changes,
    (path) => WEIGHTS.includes(path) || /^reward\.weights(\.|$)/.test(path),
    "it cannot change episodes that are already played and judged",
    message`Set ${joined(WEIGHTS.map(setting), ", ")} or ${setting("reward.weights.<term>")}.`,
  );

/** With the switch off, the table would show no difference. */
function assertPays(changes: Changes, { reward }: RunConfig): void {
  const weight = JUDGED_WEIGHTS.find((path) => path in changes);
  if (weight === undefined || reward.use_state_reward) return;
  throw new ConfigError(
    "invalid_config",
    message`${setting(weight)} is ${value(weight, changes[weight])}; it pays nothing, because the run has ${setting("reward.use_state_reward")} off.`,
    "Add --set reward.use_state_reward=true.",
  );
}

/** Recordings from before neighbours were judged have no verdict on them, and other replies may not name any. */
function assertNeighboursJudged(changes: Changes, episodes: readonly SavedEpisode[]): void {
  const path = "reward.surroundings_reward_weight";
  if (!changes[path]) return;
  if (episodes.some(({ turns }) => turns.some(({ verdicts }) => verdicts[SURROUNDINGS]))) return;
  throw new ConfigError(
    "invalid_config",
    message`${setting(path)} is ${value(path, changes[path])}; it pays nothing, because the saved episodes have no verdicts on the cells beside the player.`,
    "Rescore a run whose environment and reply format have them, recorded by version 0.3 or later.",
  );
}

/** The AReaL workflow pays the best attempt, discounted: the rewards of its turns do not add up. */
function assertSumOfTerms({ rollout }: RunConfig): void {
  if (rollout.workflow !== "areal") return;
  const workflow = setting("rollout.workflow");
  throw new ConfigError(
    "invalid_config",
    message`${workflow} is ${value("rollout.workflow", "areal")}; its reward is that of the best attempt, which weights alone cannot reproduce.`,
    message`Give a run whose ${workflow} is ${value("rollout.workflow", "vagen")}.`,
  );
}

/** Writes a line for each episode: the new rewards of its turns and those that were paid. */
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
  /** Mean of an episode by term, as paid and under the new weights; 0 for a term of weight 0. */
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

/** What the means are taken over: a folder keeps a sample of its episodes, or with --episodes all every one. */
function keptLine(episodes: readonly RescoredEpisode[], config: RunConfig): string {
  const trained = episodes.filter(({ source }) => source === "train");
  const turns = episodes.reduce((count, episode) => count + episode.turns.length, 0);
  const parts = `${trained.length} of training, ${episodes.length - trained.length} of validations`;
  const saved = `${episodes.length} saved episodes (${parts}), ${turns} turns`;
  return `${saved}: ${isAll(trained, config) ? "all that" : "a sample of what"} the run played.`;
}

/** Whether no update lacks episodes, from the first of PPO to the last that has any. */
function isAll(trained: readonly SavedEpisode[], config: RunConfig): boolean {
  const saved = new Map<number, number>();
  for (const { update } of trained) saved.set(update, (saved.get(update) ?? 0) + 1);
  const whole = [...saved.values()].every((count) => count >= config.rollout.train_batch_size);
  return trained.length > 0 && whole && saved.size === Math.max(...saved.keys()) - sftUpdates(config);
}
