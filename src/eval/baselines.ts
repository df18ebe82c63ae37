// Baselines for every trained policy, on the same levels and through the same loop.
import { demonstrator, oraclePlayer, type PlayerTask, randomPlayer } from "../agent/players.ts";
import { registry } from "../core/registry.ts";
import type { Policy } from "../policy/policy.ts";
import { nearestPlayer } from "./nearest.ts";

/** A policy without parameters. */
interface Baseline {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Whether it can play a task; absent: it plays every one. */
  plays?(task: PlayerTask): boolean;
  /** @param training seeds of the levels that the policy was trained on. */
  create(task: PlayerTask, training?: readonly number[]): Policy;
}

/** All baselines, from the weakest to the strongest. */
export const baselines = registry<Baseline>(
  "baseline",
  {
    id: "random",
    title: "Random",
    description: "One uniformly random action per turn.",
    create: randomPlayer,
  },
  {
    id: "demonstrator",
    title: "Demonstrator",
    description:
      "The default teacher of the SFT stage: three of four actions are random, the others follow a shortest path.",
    create: (task) => demonstrator(task, { randomFraction: 0.75, expertFraction: 1 }),
  },
  {
    id: "heuristic",
    title: "Short-sighted",
    description: "Walks straight towards the goal and sees neither holes nor walls.",
    create: (task) => demonstrator(task, { randomFraction: 0, expertFraction: 0 }),
  },
  {
    id: "nearest",
    title: "Nearest training icon",
    description:
      "Draws the icon of all training levels whose picture is nearest, which it finds without error.",
    plays: ({ spec }) => spec.id === "svg",
    create: (task, training = []) => nearestPlayer(task, training),
  },
  {
    id: "oracle",
    title: "Oracle",
    description: "Follows a shortest path: the highest success that the rules allow.",
    create: oraclePlayer,
  },
);
