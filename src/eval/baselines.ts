// Baselines for every trained policy, on the same levels and through the same loop.
import { demonstrator, oraclePlayer, type PlayerTask, randomPlayer } from "../agent/players.ts";
import { registry } from "../core/registry.ts";
import type { Policy } from "../policy/policy.ts";

/** A policy without parameters. */
interface Baseline {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  create(task: PlayerTask): Policy;
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
    id: "oracle",
    title: "Oracle",
    description: "Follows a shortest path: the highest success that the rules allow.",
    create: oraclePlayer,
  },
);
