// Baselines for every trained policy, on the same levels and through the same loop.
import { blindPlayer, demonstrator, oraclePlayer, type PlayerTask, randomPlayer } from "../agent/players.ts";
import { templates } from "../agent/templates/index.ts";
import { registry } from "../core/registry.ts";
import type { Policy } from "../policy/policy.ts";
import { nearestPlayer, type TrainingLevels } from "./nearest.ts";

/** A policy without parameters. */
interface Baseline {
  readonly id: string;
  readonly title: string;
  /** What it does in the environment of a task. */
  describe(task: PlayerTask): string;
  /** Whether it can play a task; absent: it plays every one. */
  plays?(task: PlayerTask): boolean;
  /** @param training the levels that the policy was trained on; default: none. */
  create(task: PlayerTask, training?: TrainingLevels): Policy;
}

/** What an environment says of its own players. */
const wordsOf = ({ spec }: PlayerTask) => templates.get(spec.id).players;

/** All baselines, from the weakest to the strongest. */
export const baselines = registry<Baseline>(
  "baseline",
  {
    id: "random",
    title: "Random",
    describe: (task) => wordsOf(task).random ?? "One action a turn; all actions are equally likely.",
    create: randomPlayer,
  },
  {
    id: "blind",
    title: "Blind",
    describe: (task) => wordsOf(task).blind ?? "",
    plays: ({ spec }) => templates.get(spec.id).blind !== undefined,
    create: blindPlayer,
  },
  {
    id: "demonstrator",
    title: "Demonstrator",
    describe: (task) =>
      `The default teacher of the SFT stage: three of four turns are random, in the others ${wordsOf(task).expert ?? "it does what the oracle does"}.`,
    create: (task) => demonstrator(task, { randomFraction: 0.75, expertFraction: 1 }),
  },
  {
    id: "heuristic",
    title: "Short-sighted",
    describe: (task) => wordsOf(task).heuristic,
    create: (task) => demonstrator(task, { randomFraction: 0, expertFraction: 0 }),
  },
  {
    id: "nearest",
    title: "Nearest training icon",
    describe: () =>
      "Draws the icon of all training levels whose picture is nearest, which it finds without error.",
    plays: ({ spec }) => spec.drawings !== undefined,
    create: (task, training = { ...task, seeds: [] }) => nearestPlayer(task, training),
  },
  {
    id: "oracle",
    title: "Oracle",
    describe: (task) =>
      wordsOf(task).oracle ??
      "Follows a shortest plan that knows the whole level, and acts at random where there is none.",
    create: oraclePlayer,
  },
);
