// The findings of docs/results.md, each with the curves of two runs and an episode that shows it.
import curves from "./curves.json" with { type: "json" };

/** Success after some updates of PPO, 0…1. */
export interface Curve {
  updates: readonly number[];
  success: readonly number[];
}

/** One finding, for a card. */
export interface Finding {
  id: keyof typeof curves;
  title: string;
  /** What was found, in plain words; its numbers are those of docs/results.md. */
  text: string;
  /** What the curves show: success on the validation levels, or in training. */
  measured: string;
  /** Two runs with their curves; a curve's first and last values are the figures to show. */
  runs: readonly (Curve & { name: string })[];
  /** Id of the case study that shows it. */
  study: string;
}

/** The curves of a finding under the names of their runs. */
const named = (id: keyof typeof curves, names: readonly string[]): Finding["runs"] =>
  curves[id].map((curve, i) => ({ name: names[i]!, ...curve }));

const VALIDATION = "Sampled success on 256 validation levels, mean of three seeds";

export const findings: readonly Finding[] = [
  {
    id: "collapse",
    title: "Without masks, PPO collapses",
    text: "Plain PPO trains on prompts and pictures as if the policy had written them. Without a KL loss, success falls below where it began in all three seeds, a third of the replies end up malformed and half of the claims about the picture are wrong. With masks the same objective works.",
    measured: VALIDATION,
    runs: named("collapse", ["Vanilla PPO", "VAGEN-Base"]),
    study: "collapse",
  },
  {
    id: "no-think",
    title: "Without thinking, the policy learns nothing",
    text: "The next token cannot use what no token states. Without thoughts the policy learns the format at once and stays at the success of its demonstrations, 0.20; with thoughts it reaches 0.66 after the same updates.",
    measured: VALIDATION,
    runs: named("no-think", ["NoThink", "WorldModeling"]),
    study: "no-think",
  },
  {
    id: "reward-hacking",
    title: "A pleased judge is not a solved task",
    text: "If the claims of the remaining turns pay more than the goal, the best policy describes the world and does not finish. Nearly all claims stay true, so no judge would notice; only the metrics show it: judge reward rises while success stays flat.",
    measured: "Success in training, mean of 20 updates, one seed",
    runs: named("reward-hacking", ["Claims pay 0.5 a turn", "Claims pay 0.1 a turn"]),
    study: "reward-hacking",
  },
  {
    id: "base-full",
    title: "Bi-Level GAE makes no difference here",
    text: "On this small task VAGEN-Full, with Bi-Level GAE and a reward for reasoning, ends where VAGEN-Base does: the intervals of all masked methods with a critic overlap. Episodes last about two turns, and the critic explains almost none of the returns. The paper finds a difference on a larger model.",
    measured: VALIDATION,
    runs: named("base-full", ["VAGEN-Base", "VAGEN-Full"]),
    study: "base-full",
  },
];
