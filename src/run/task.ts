// Builds the agent's task of a configuration.
import { claimsOf, surroundingsOf, worldClaimsOf } from "../agent/claims.ts";
import type { Task } from "../agent/task.ts";
import { type Vocabulary, vocabularyFor } from "../agent/vocabulary.ts";
import { entryConfig, furtherEntries, gamesOf, mostTurns, pictureOfAll } from "../config/entries.ts";
import { feedbackOf } from "../config/feedback.ts";
import { replyWords } from "../config/reply-words.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Verdict } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { mathAlgebra } from "../envs/visual-math/algebra.ts";
import { setAlgebra } from "../envs/visual-math/grade.ts";
import { wordsOf } from "../envs/worlds.ts";
import { judges } from "../judge/index.ts";
import { type IsJudged, type Judge, judgeTurns } from "../judge/judge.ts";
import { payingAboveBase, pricedAbove } from "../judge/score-base.ts";
import { scorings } from "../judge/scorings.ts";
import { judgeWorlds } from "../judge/statements.ts";
import { addSurroundings } from "../judge/surroundings.ts";
import { PATCH } from "../policy/wgsl/architecture.ts";
import { episodeMean, withEpisodeFormat } from "../rl/reward/deferred.ts";
import { type RewardWeights, rewardWeights, scoreTurn } from "../rl/reward/index.ts";
import { freeJudge, readyJudge } from "./judging.ts";
import { layoutOf } from "./layout.ts";
import { longestEpisode, plannedTurns } from "./longest-episode.ts";

/** What an environment's configuration says about the reward for the format. */
interface FormatOptions {
  format_reward: number;
  /** For a whole episode, and for a turn without a valid action; not every environment has them. */
  episode_format_reward?: number;
  format_penalty?: number;
}

const formatOptionsOf = ({ env }: Pick<RunConfig, "env">): FormatOptions =>
  envs.get(env.name).config.parse(env.config) as FormatOptions;

/**
 * The task of a checked configuration, with those in its further environments. A judge that must be opened is off until `judgedBy`
 * sets it.
 * @throws ConfigError or EnvError if an environment rejects its options.
 */
export function buildTask(config: RunConfig): Task {
  setAlgebra(mathAlgebra);
  const entries = furtherEntries(config);
  const shared = sharedBy(config);
  const first = taskIn(config, shared);
  if (entries.length === 0) return first;
  return { ...first, others: new Map(entries.map((entry) => [entry.name, taskIn(entry.config, shared)])) };
}

/** The task of `config` as if its environment were one more of a whole run: with words and a size of pictures that serve all of them. */
export const taskBeside = (config: RunConfig, run: RunConfig): Task => taskIn(config, sharedBy(run, config));

/** What all environments of a run share. */
interface Shared {
  vocabulary: Vocabulary;
  /** Patches of every picture. */
  picture: { rows: number; cols: number };
}

/** @param beside a configuration whose first environment is played beside those of the run */
function sharedBy(config: RunConfig, beside?: RunConfig): Shared {
  const games = [...gamesOf(config), ...(beside ? [gamesOf(beside)[0]!] : [])];
  const [first, ...others] = games;
  const words = { ...replyWords(config), others };
  return {
    vocabulary: vocabularyFor(first!.spec, first!.config, mostTurns(config), words),
    picture: pictureOfAll(games),
  };
}

/** The task in the one environment of a configuration. */
function taskIn(config: RunConfig, { vocabulary, picture }: Shared): Task {
  const { env, model, reward, rollout } = config;
  const spec = envs.get(env.name);
  const envConfig = spec.config.parse(env.config);
  const weights = weightsOf(config);
  const isSmaller = Object.values(spec.patches(envConfig)).join() !== Object.values(picture).join();
  const task: Task = {
    spec,
    envConfig,
    format: rollout.prompt_format,
    stateFormat: rollout.state_format,
    reading: rollout.reply_reading,
    maxTurns: rollout.max_turns,
    ...tokenLimit(config),
    layout: layoutOf(config),
    vocabulary,
    patchPx: PATCH,
    ...(isSmaller && { paddedTo: picture }),
    imageTokens: (picture.rows * picture.cols) / model.pixel_shuffle ** 2,
    judge: judgeWith(readyJudge(config) ?? judges.get("off"), config),
    scoreTurn: (turn) => scoreTurn(turn, weights),
    ...settling(config),
    ...(reward.credit_site === "section_end" && { creditSite: "section_end" as const }),
  };
  return rollout.workflow === "areal" ? withAreal(task, config) : withPlan(task, config);
}

/** The most tokens of an episode, where its configuration limits them. In `compact` the limit is that of a conversation. */
const tokenLimit = ({ rollout, trainer }: RunConfig): Pick<Task, "maxEpisodeTokens"> =>
  rollout.workflow === "vagen" && rollout.max_episode_tokens > 0 && trainer.harness !== "compact"
    ? { maxEpisodeTokens: rollout.max_episode_tokens }
    : {};

/** How an episode's end changes what its turns were paid, where it does. */
export function settling(config: RunConfig): Pick<Task, "settle"> {
  const { reward, rollout } = config;
  const { episode_format_reward: bonus = 0 } = formatOptionsOf(config);
  const isMean = reward.claim_aggregation === "episode_mean";
  if (!isMean && bonus === 0) return {};
  return {
    settle(turns, success) {
      const paid = isMean ? episodeMean(turns, rollout.max_turns) : turns;
      if (bonus === 0) return paid;
      return withEpisodeFormat(
        turns.map((turn, i) => ({ ...turn, ...paid[i]! })),
        success,
        bonus,
      );
    },
  };
}

/** The weight of every reward term in a checked configuration. */
export function weightsOf(config: RunConfig): RewardWeights {
  const { reward, rollout } = config;
  const { format_reward, format_penalty = 0 } = formatOptionsOf(config);
  return rewardWeights({ ...reward, format_reward, format_penalty, max_turns: rollout.max_turns });
}

/** The names of actions that can be written in many ways may be of any length, unless the environment mentions them in other words. */
function withPlan(task: Task, { rollout: { response_length: maxReply } }: RunConfig): Task {
  if (!task.spec.readAction || task.spec.mention) return task;
  // Not before an episode is played: only then is the environment loaded.
  let known: ReturnType<typeof plannedTurns> | undefined;
  const at = (turn: number) => {
    known ??= plannedTurns(task, maxReply);
    return known[turn];
  };
  const observation = (turn: number) => at(turn)?.observation ?? Number.POSITIVE_INFINITY;
  const until = (turn: number) => at(turn)?.until ?? Number.POSITIVE_INFINITY;
  return { ...task, plan: { observation, until } };
}

/** In the AReaL workflow an episode ends before a turn that would not fit the cache. */
function withAreal(task: Task, config: RunConfig): Task {
  const { rollout } = config;
  const { turn_discount: turnDiscount, export_style: exportStyle, response_length: maxReply } = rollout;
  const areal = { turnDiscount, feedback: feedbackOf(config), exportStyle, maxReply };
  const { sequence: contextLimit } = longestEpisode({ ...task, areal }, maxReply);
  return { ...task, areal: { ...areal, contextLimit } };
}

/** The task with another judge, in all its environments. @param ended cancels pending requests when the run ends. */
export const judgedBy = (task: Task, judge: Judge, config: RunConfig, ended: AbortSignal): Task => ({
  ...task,
  judge: judgeWith(judge, config, ended),
  ...withOthers(task, (other, name) => judgedBy(other, judge, entryConfig(config, name), ended)),
});

/** The task with what its turns are paid under another configuration, in all its environments. */
export function scoredBy(task: Task, config: RunConfig): Task {
  const weights = weightsOf(config);
  return {
    ...task,
    scoreTurn: (turn) => scoreTurn(turn, weights),
    ...withOthers(task, (other, name) => scoredBy(other, entryConfig(config, name))),
  };
}

/** A task without others under the judge, the rewards and the number of turns of another configuration of its environment. */
export function ruledBy(task: Task, config: RunConfig): Task {
  const weights = weightsOf(config);
  return {
    ...task,
    maxTurns: config.rollout.max_turns,
    judge: judgeWith(freeJudge(config), config),
    scoreTurn: (turn) => scoreTurn(turn, weights),
    ...settling(config),
  };
}

const withOthers = ({ others }: Task, change: (task: Task, name: string) => Task): Pick<Task, "others"> =>
  others ? { others: new Map([...others].map(([name, task]) => [name, change(task, name)])) } : {};

const isWellFormed: IsJudged = ({ parsed }) => parsed.formatOk;

function judgeWith(judge: Judge, config: RunConfig, ended?: AbortSignal): Task["judge"] {
  const { prompt_format: format, state_format: stateFormat } = config.rollout;
  const { score_base: base, judge_scoring: scoring } = config.reward;
  const isJudged = scorings.get(scoring).needsOnlyForm ? isWellFormed : undefined;
  const spec = envs.get(config.env.name);
  const names = claimsOf(spec, format, stateFormat);
  const surroundings = surroundingsOf(spec, format);
  const priced = payingAboveBase(judge, base);
  const isOn = judge.id !== "off";
  const price = (verdict: Verdict) => pricedAbove(verdict, base);
  const rules = wordsOf(spec.id)?.claimRules?.(spec.config.parse(config.env.config));
  if (rules) {
    const claims = worldClaimsOf(format);
    return async (turns) => judgeWorlds(turns, { rules, claims, isOn, price });
  }
  return async (turns, signal = ended) => {
    const verdicts = await judgeTurns(priced, turns, names, signal, isJudged);
    return surroundings ? addSurroundings(verdicts, turns, { surroundings, isOn, price }) : verdicts;
  };
}
