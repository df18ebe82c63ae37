// One episode of Navigation: walk to the object that the instruction means.
import { EnvError } from "../../core/errors.ts";
import { checkSeed } from "../../core/rng.ts";
import type { Frame } from "../../core/types.ts";
import type { Env, StepResult } from "../env.ts";
import { checkAction, checkRunning, started } from "../grid.ts";
import { ACTION_NAMES, EFFECTS } from "./actions.ts";
import type { NavigationConfig } from "./config.ts";
import { isFree, isFreeMove, obstacleAt } from "./ground.ts";
import type { Home } from "./home.ts";
import { type Goal, isReached, shortestPlan, walkingPlan } from "./plan.ts";
import { AHEAD, GRID, type Pose, TILTS, tangentOf, turned } from "./pose.ts";
import { placeOf, type Task, taskIn, taskOf } from "./tasks.ts";
import { type NavigationTruth, truthOf } from "./truth.ts";
import { draw, look } from "./view.ts";

interface Episode {
  task: Task;
  goal: Goal;
  pose: Pose;
  /** Actions so far. */
  steps: number;
}

/** What `Env` promises, except that pictures are asked for by their size and that the truth is not a board's. */
type NavigationEnv = Omit<Env, "render" | "groundTruth" | "question"> & { question(): string };

/** Largest side of a picture, in pixels. */
const LARGEST_PICTURE = 2048;

/**
 * Walk through a home until the object that the instruction means is near: VAGEN's Navigation, whose rooms are those of AI2-THOR and
 * whose tasks are those of EmbodiedBench, in homes of our own.
 *
 * **Actions.** `move_forward`, `move_backward`, `move_right`, `move_left` (a step of `step_length`), `turn_right`, `turn_left` (90°),
 * `look_up`, `look_down` (30°); with `action_names: legacy`, `moveahead` and so on.
 *
 * **Observation.** The view from 1.576 m above the floor, `resolution` pixels wide and high, and the instruction.
 *
 * **Start.** A place at least 2.0 m from the target, 2.51 to 3.00 m in evaluation, looking level.
 *
 * **Transitions.** Positions are multiples of 0.1 m. The agent is 0.4 m wide and as AI2-THOR's 1.8 m high; a step that would touch a
 * wall or a thing anywhere on its way changes nothing and says what blocks it. The camera tilts from 30° up to 60° down.
 *
 * **Rewards.** `success_reward` for the action that comes within `success_threshold` of the middle of the target, horizontally; the
 * target need not be in view. 0 for all others.
 *
 * **End.** The episode terminates at success, or after `max_steps` actions.
 *
 * **Seeds.** The task is the one at the seed modulo the number of tasks of `eval_set`. Everything is deterministic.
 */
export class Navigation implements NavigationEnv {
  private episode: Episode | null = null;
  private readonly tangent: number;
  /** Length of a step in steps of the grid. */
  private readonly stride: number;

  /** @param homes imported homes to play in, in place of those of the task sets; the seed chooses one. */
  constructor(
    private readonly config: NavigationConfig,
    private readonly homes: readonly Home[] = [],
  ) {
    this.tangent = tangentOf(config.fov);
    this.stride = Math.round((config.step_length * 100) / GRID);
  }

  reset(seed: number): void {
    checkSeed(seed);
    const task = this.taskOf(seed);
    const { x, z } = task.place.home.things[task.target];
    const goal = { x, z, reach: Math.round(this.config.success_threshold * 100) };
    this.episode = { task, goal, pose: task.start, steps: 0 };
  }

  private taskOf(seed: number): Task {
    const { eval_set: set, down_sample_ratio: ratio } = this.config;
    if (this.homes.length === 0) return taskOf(set, seed, Math.round(1 / ratio));
    const task = taskIn(placeOf(this.homes[seed % this.homes.length]), set, seed);
    if (task) return task;
    throw new EnvError(
      "unsolvable_level",
      `The home ${seed % this.homes.length} has no object that can be the target of a task.`,
      "Use a home with several objects of different kinds and free floor at least 2 m from one of them.",
    );
  }

  step(action: string): StepResult {
    const episode = started(this.episode);
    checkRunning(this.isOver());
    const names = ACTION_NAMES[this.config.action_names];
    checkAction(action, names as readonly string[]);
    const { pose, note } = this.after(episode, (names as readonly string[]).indexOf(action));
    episode.pose = pose;
    episode.steps++;
    const success = this.isSolved();
    const isLast = episode.steps >= this.config.max_steps;
    return {
      reward: success ? this.config.success_reward : 0,
      terminated: success || isLast,
      success,
      effective: note === "",
      note: note || (isLast && !success ? `that was the last of ${this.config.max_steps} actions` : ""),
    };
  }

  /** The pose after an action, and why it is the same if it is. */
  private after({ task, pose }: Episode, action: number): { pose: Pose; note: string } {
    const effect = EFFECTS[action];
    if ("turn" in effect) return { pose: { ...pose, yaw: turned(pose.yaw, effect.turn) }, note: "" };
    if ("tilt" in effect) {
      const tilt = pose.tilt + effect.tilt;
      if (tilt >= TILTS.lowest && tilt <= TILTS.highest) return { pose: { ...pose, tilt }, note: "" };
      return { pose, note: `cannot look further ${effect.tilt > 0 ? "down" : "up"}` };
    }
    const [dx, dz] = AHEAD[turned(pose.yaw, effect.move)];
    const { ground, home } = task.place;
    if (isFreeMove(ground, pose.x, pose.z, dx, dz, this.stride))
      return { pose: { ...pose, x: pose.x + dx * this.stride, z: pose.z + dz * this.stride }, note: "" };
    let way = 1;
    while (isFree(ground, pose.x + dx * way, pose.z + dz * way)) way++;
    return { pose, note: `blocked by ${obstacleAt(home, pose.x + dx * way, pose.z + dz * way)}` };
  }

  /** What the agent sees, `size` pixels wide and high. */
  render(size: number): Frame {
    const { task, pose } = started(this.episode);
    if (!Number.isInteger(size) || size < 1 || size > LARGEST_PICTURE)
      throw new RangeError(`render(${size}): size must be a whole number from 1 to ${LARGEST_PICTURE}`);
    return draw(task.place.home, pose, size, this.tangent);
  }

  groundTruth(): NavigationTruth {
    const { task, pose } = started(this.episode);
    const { home } = task.place;
    const { resolution, max_objects_in_state: most } = this.config;
    const { pixels } = look(home, pose, resolution, this.tangent);
    return truthOf(home, task.target, pose, pixels, most);
  }

  /** The visible objects, a line each, nearest first; before them where the agent stands and looks. */
  text(): string {
    const { agent, visible } = this.groundTruth();
    const { x, z, yaw, horizon } = agent;
    const lines = visible.map(
      ({ kind, direction, distance }) => `${kind} ${direction} ${distance.toFixed(2)}`,
    );
    return [`agent ${x.toFixed(1)} ${z.toFixed(1)} yaw ${yaw} horizon ${horizon}`, ...lines].join("\n");
  }

  /** The instruction, which stays the same throughout the episode. */
  question(): string {
    return started(this.episode).task.instruction;
  }

  /** A shortest plan; null if none is left within `max_steps`. It steps to the side and back in place of turning. */
  oracle(): readonly string[] | null {
    return this.named(shortestPlan);
  }

  /** A shortest plan among those that only turn and step ahead; null if none is left within `max_steps`. */
  walk(): readonly string[] | null {
    return this.named(walkingPlan);
  }

  private named(planner: typeof shortestPlan): readonly string[] | null {
    const { task, pose, goal, steps } = started(this.episode);
    const plan = planner(task.place.ground, pose, goal, this.stride);
    if (!plan || plan.length > this.config.max_steps - steps) return null;
    return plan.map((action) => ACTION_NAMES[this.config.action_names][action]);
  }

  private isSolved(): boolean {
    const { goal, pose } = started(this.episode);
    return isReached(goal, pose.x, pose.z);
  }

  private isOver(): boolean {
    return this.isSolved() || started(this.episode).steps >= this.config.max_steps;
  }
}
