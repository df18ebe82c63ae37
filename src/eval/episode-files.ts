// The files that VAGEN-Lite's evaluator writes of its episodes: one folder for each episode, and a summary of all.
import { REQUEST } from "../agent/summary-words.ts";
import { mean } from "../core/statistics.ts";
import type { Frame, Trajectory, Turn } from "../core/types.ts";

/** A file below the folder of an evaluation. A picture is written as PNG. */
export interface EvaluationFile {
  readonly path: string;
  readonly content: string | Frame;
}

/** What the files say of the evaluation, beside its episodes. */
interface Described {
  /** Names the folder, as Lite's `tag_id`. */
  readonly tag: string;
  /** Time of the evaluation, ISO 8601. */
  readonly createdAt: string;
  readonly envConfig: unknown;
  readonly maxTurns: number;
  /** What the policy reads before the first observation, in words. */
  readonly system: string;
}

/**
 * `tag_<tag>/summary.json` and for each episode `metrics.json`, `messages.json`, `assistant_texts.json`, `transcript.txt` and
 * `images/turn_TT_II.png`. Turn 0 of the images is what the episode began with.
 */
export function evaluationFiles(trajectories: readonly Trajectory[], about: Described): EvaluationFile[] {
  const folder = `tag_${about.tag}`;
  const records = trajectories.map((trajectory) => recordOf(trajectory, about));
  return [
    json(`${folder}/summary.json`, summaryOf(records, about)),
    ...trajectories.flatMap((trajectory, i) =>
      episodeFiles(`${folder}/${records[i]!.rollout_id}`, trajectory, records[i]!, about),
    ),
  ];
}

type EpisodeRecord = ReturnType<typeof recordOf>;

const json = (path: string, value: unknown): EvaluationFile => ({
  path,
  content: `${JSON.stringify(value, null, 2)}\n`,
});

/** Under the names of `metrics.json`. */
function recordOf({ id, envId, seed, turns, terminated, success, unusable }: Trajectory, about: Described) {
  const rewards = turns.map(({ reward }) => reward);
  return {
    rollout_id: `${envId}_${id.replace(/^v-/, "seed_")}`,
    seed,
    env_name: envId,
    env_config: about.envConfig,
    tag_id: about.tag,
    split: "val",
    max_turns: about.maxTurns,
    terminated,
    finish_reason: unusable ?? finishReason(terminated, turns.length, about.maxTurns),
    success,
    cumulative_reward: rewards.reduce((sum, reward) => sum + reward, 0),
    rewards,
    num_turns: turns.length,
    infos: turns.map((turn, i) => infoOf(turn, success && i === turns.length - 1)),
    error_details: null,
  };
}

/** An episode that ends before its last turn without an end of the game has no tokens left for a reply. */
function finishReason(terminated: boolean, turns: number, maxTurns: number): string {
  if (terminated) return "done";
  return turns < maxTurns ? "no_room" : "max_turns";
}

const infoOf = ({ actionIsValid, actionIsEffective, parsed, executed, rewards }: Turn, success: boolean) => ({
  action_is_valid: actionIsValid,
  action_is_effective: actionIsEffective,
  format_correct: parsed.formatOk,
  actions: executed.map(({ name }) => name),
  rewards,
  success,
});

function summaryOf(records: readonly EpisodeRecord[], { createdAt, tag }: Described) {
  const over = (of: (record: EpisodeRecord) => number) => (records.length > 0 ? mean(records.map(of)) : 0);
  return {
    created_at: createdAt,
    tag_id: tag,
    n_episodes: records.length,
    success_rate: over(({ success }) => Number(success)),
    avg_cumulative_reward: over((record) => record.cumulative_reward),
    avg_turns: over((record) => record.num_turns),
    error_rollouts: 0,
    episodes: records.map((record) => ({
      rollout_id: record.rollout_id,
      seed: record.seed,
      success: record.success,
      finish_reason: record.finish_reason,
      cumulative_reward: record.cumulative_reward,
      num_turns: record.num_turns,
      // Turn 0 is the start, which pays nothing.
      turns: [{ turn: 0, reward: 0 }, ...record.rewards.map((reward, i) => ({ turn: i + 1, reward }))],
    })),
  };
}

function episodeFiles(
  folder: string,
  { turns }: Trajectory,
  record: EpisodeRecord,
  { system }: Described,
): EvaluationFile[] {
  const messages = messagesOf(turns, system);
  const images = turns.flatMap(({ observation }, turn) =>
    observation.images.map((content, image) => ({
      path: `${folder}/images/turn_${twoDigits(turn)}_${twoDigits(image)}.png`,
      content,
    })),
  );
  return [
    json(`${folder}/metrics.json`, record),
    json(`${folder}/messages.json`, messages),
    json(
      `${folder}/assistant_texts.json`,
      turns.map(({ reply }) => reply),
    ),
    { path: `${folder}/transcript.txt`, content: transcriptOf(messages, record) },
    ...images,
  ];
}

const twoDigits = (number: number): string => String(number).padStart(2, "0");

/** The conversations, one after another; each but the last ends with its summary. `<image>` stands where a picture was. */
const messagesOf = (turns: readonly Turn[], system: string) => [
  { role: "system", content: system },
  ...turns.flatMap(({ observation, reply, summary }) => [
    ...(summary === undefined
      ? []
      : [
          { role: "user", content: REQUEST },
          { role: "assistant", content: summary },
          { role: "system", content: system },
        ]),
    { role: "user", content: observation.text },
    { role: "assistant", content: reply },
  ]),
];

function transcriptOf(messages: ReturnType<typeof messagesOf>, record: EpisodeRecord): string {
  const outcome = `${record.success ? "success" : "no success"}, ${record.finish_reason}, reward ${record.cumulative_reward}`;
  return `${[...messages.map(({ role, content }) => `[${role}]\n${content}`), `[end]\n${outcome}`].join("\n\n")}\n`;
}
