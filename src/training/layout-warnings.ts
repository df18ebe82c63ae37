// Budgets of a layout that are allowed and yet do not do what they are for (VAGEN 2026).
import type { Task } from "../agent/task.ts";
import type { RunConfig } from "../config/run-config.ts";
import { type Message, message, said, setting, value } from "../core/message.ts";
import type { TrainingFact } from "./events.ts";

type Warning = Extract<TrainingFact, { type: "warning" }>;

const warning = (code: string, text: Message, hint: Message): Warning => ({
  type: "warning",
  update: 0,
  code,
  ...said(text, hint),
});

/** What the warnings depend on. */
type LaidOut = Pick<Task, "layout" | "maxTurns" | "imageTokens" | "spec" | "others">;

/** About the most tokens of a turn: picture, who speaks, the number of the turn, and a reply at its limit. */
const longestTurn = ({ rollout }: RunConfig, { imageTokens }: LaidOut): number =>
  imageTokens + 4 + rollout.response_length;

/** What is odd about the budgets of a run, to be reported when it begins. Under compact, a run has one environment. */
export function layoutWarnings(config: RunConfig, task: LaidOut): Warning[] {
  if (config.trainer.harness === "concat")
    return turnsOf(task).flatMap((turns) => tooManyTurns(config, turns));
  const { layout, maxTurns } = task;
  if (layout?.kind !== "compact") return [];
  const { budget, maxSummary } = layout;
  const isLong = 2 * maxSummary > budget;
  const isNeverClosed =
    config.rollout.max_episode_tokens === 0 && maxTurns * longestTurn(config, task) < budget;
  return [
    ...(isLong ? [longSummaries(maxSummary, budget)] : []),
    ...(isNeverClosed ? [neverClosed(maxTurns, budget)] : []),
  ];
}

/** The most turns of an environment of the run. */
interface Turns {
  maxTurns: number;
  /** The setting of them. */
  path: string;
  /** Says which environment it is, if the run has several. */
  where: string;
}

/** The turns of each environment, the first one's first. */
const turnsOf = ({ spec, maxTurns, others = new Map<string, Task>() }: LaidOut): Turns[] => [
  { maxTurns, path: "rollout.max_turns", where: others.size > 0 ? `${spec.id}: ` : "" },
  ...Array.from(others, ([name, task]) => ({
    maxTurns: task.maxTurns,
    path: `envs.${name}.max_turns`,
    where: `${name}: `,
  })),
];

function tooManyTurns({ rollout }: RunConfig, { maxTurns, path, where }: Turns): Warning[] {
  const { response_length: reply, max_episode_tokens: room } = rollout;
  if (room === 0 || maxTurns * reply <= room) return [];
  return [
    warning(
      "layout_room",
      message`${where}Replies of ${reply} tokens in ${maxTurns} turns need more than the ${room} of ${setting("rollout.max_episode_tokens")}, which may end episodes early.`,
      message`Raise it, or lower ${setting("rollout.response_length")} or ${setting(path)}.`,
    ),
  ];
}

const longSummaries = (summary: number, budget: number): Warning =>
  warning(
    "layout_summary",
    message`Summaries may have ${summary} tokens, more than half of the ${budget} at which a conversation is closed.`,
    message`Lower ${setting("trainer.compact_summary_budget")}, or raise ${setting("trainer.compact_budget")}.`,
  );

const neverClosed = (turns: number, budget: number): Warning =>
  warning(
    "layout_never_closes",
    message`A conversation of ${turns} turns probably never reaches ${budget} tokens; the layout then equals ${value("trainer.harness", "concat")}.`,
    message`Lower ${setting("trainer.compact_budget")}, or raise ${setting("rollout.max_turns")}.`,
  );
