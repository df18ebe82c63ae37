// The moments of an episode that are worth stopping at.
import type { Trajectory, Turn, Verdict } from "../core/types.ts";
import { isDenial, NOT_STATED, NOT_THERE, SURROUNDINGS } from "../core/verdict.ts";
import type { LostMoment } from "../envs/lost.ts";
import type { PhaseKind } from "./clock.ts";

export type EventKind =
  | "wrong_belief"
  | "wrong_neighbour"
  | "wrong_prediction"
  | "invalid_action"
  | "lost"
  | "goal";

export interface ReplayEvent {
  kind: EventKind;
  /** Index of the turn. */
  turn: number;
  /** The phase of the turn in which it happens. */
  phase: PhaseKind;
  /** What happened, beyond its kind, in a sentence or two; empty if no more is known. */
  text: string;
}

/**
 * The events of an episode in order: the first wrong belief, the first wrong neighbour of the player, every wrong prediction, every invalid action, the moment when
 * the task was lost (`lost`, null where it was not or cannot be known), and the goal.
 */
export function eventsOf(
  trajectory: Pick<Trajectory, "turns" | "success">,
  lost: LostMoment | null,
): ReplayEvent[] {
  const { turns, success } = trajectory;
  const firstWrong = turns.findIndex(({ verdicts }) => isWrong(verdicts.observation));
  const firstMisseen = turns.findIndex(({ verdicts }) => isWrong(verdicts[SURROUNDINGS]));
  return turns.flatMap((turn, index): ReplayEvent[] => {
    const { observation, prediction, [SURROUNDINGS]: neighbours } = turn.verdicts;
    const event = (kind: EventKind, phase: PhaseKind, text: string) => ({ kind, turn: index, phase, text });
    const found: (ReplayEvent | false)[] = [
      index === firstWrong && event("wrong_belief", "observation", claimText(observation!)),
      index === firstMisseen && event("wrong_neighbour", "reasoning", claimText(neighbours!)),
      !turn.actionIsValid && event("invalid_action", "answer", invalidText(turn)),
      isWrong(prediction) && event("wrong_prediction", "verdict", claimText(prediction!)),
      index === lost?.turn && event("lost", "verdict", lostText(turn, lost.action, turns)),
      success && index === turns.length - 1 && event("goal", "verdict", "The task is solved."),
    ];
    return found.filter((one) => one !== false);
  });
}

/** A claim that was judged and has a part that is not true. */
const isWrong = (verdict: Verdict | undefined): boolean =>
  verdict?.status === "mismatch" || verdict?.status === "partial";

/** The neighbours of the player in words that follow "the". */
const SIDES: Readonly<Record<string, string>> = {
  up: "neighbour above",
  down: "neighbour below",
  left: "neighbour on the left",
  right: "neighbour on the right",
};

/** "It claims player: row 1 col 2. Correct: row 0 col 2." for the first field that is wrong. */
function claimText({ fields, reason }: Verdict): string {
  const wrong = fields.find(({ ok }) => !ok);
  if (!wrong) return reason ? `The judge says: ${reason.replace(/\.$/, "")}.` : "";
  const { name, predicted, truth } = wrong;
  if (predicted === NOT_STATED) return `It does not mention the ${SIDES[name] ?? name}. Correct: ${truth}.`;
  if (truth === NOT_THERE)
    return `It claims ${name}: ${predicted}, ${isDenial(predicted) ? "which is wrong" : "but it is not there"}.`;
  return `It claims ${SIDES[name] ? `the ${SIDES[name]}` : name}: ${predicted}. Correct: ${truth}.`;
}

function invalidText({ parsed, executed }: Turn): string {
  const why = parsed.reason || executed.find(({ valid }) => !valid)?.note || "no action was read";
  return `${why.charAt(0).toUpperCase()}${why.slice(1).replace(/\.$/, "")}.`;
}

function lostText({ executed, index }: Turn, action: number | null, { length }: readonly Turn[]): string {
  const fatal = action === null ? undefined : executed[action];
  if (fatal)
    return `After ${fatal.note ? `${fatal.name} (${fatal.note})` : fatal.name} the goal is out of reach for good.`;
  if (index < length - 1) return "The goal is still reachable, but not in the turns that are left.";
  return "The turns have run out; the goal was within reach until then.";
}
