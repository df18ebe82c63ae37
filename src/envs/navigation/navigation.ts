// One episode of Navigation: walk to the object that the instruction means.
import { EnvError } from "../../core/errors.ts";
import { counted } from "../../core/format.ts";
import { checkSeed } from "../../core/rng.ts";
import type { Frame } from "../../core/types.ts";
import type { Env, FloorPlan, Motion, StepResult } from "../env.ts";
import { checkAction, checkRunning, started } from "../grid.ts";
import { copyOf, PATCH, pictureSide } from "../square-picture.ts";
import { ACTIONS, EFFECTS } from "./actions.ts";
import {
  centimetres,
  clearWords,
  MOST_CLEAR,
  type NavigationTruth,
  seenThings,
  writeFurther,
} from "./claims.ts";
import type { NavigationConfig } from "./config.ts";
import { floorPlanOf } from "./floor-plan.ts";
import { isFree, isFreeMove, obstacleAt } from "./ground.ts";
import type { Home } from "./home.ts";
import { housesFor, housesOf } from "./houses.ts";
import { taskIn } from "./imported-tasks.ts";
import { motionOf } from "./motion.ts";
import { type Goal, isReached, shortestPlan, walkingPlan } from "./plan.ts";
import { AHEAD, GRID, type Pose, TILTS, tangentOf, turned } from "./pose.ts";
import { type Task, taskOf } from "./tasks.ts";
import { isShown, type State, stateOf } from "./truth.ts";
import { draw, look, type View } from "./view.ts";

export { hungAt } from "./hanging.ts";

interface Episode {
  task: Task;
  goal: Goal;
  pose: Pose;
  /** The pose before the last action; null before the first. */
  before: Pose | null;
  /** What is seen from the pose; null until it is drawn. */
  view: View | null;
  /** Whether the target has been in view. */
  known: boolean;
  /** Actions so far. */
  steps: number;
}

/** A game in the homes that a configuration chooses. @throws EnvError if it needs houses and none are loaded. */
export const createNavigation = (config: NavigationConfig): Navigation =>
  new Navigation(config, housesOf(config));

/** A walk through a home to the object that an instruction means. The rules are in `index.ts`. */
export class Navigation implements Env {
  private episode: Episode | null = null;
  private readonly tangent: number;
  /** Length of a step in steps of the grid. */
  private readonly stride: number;

  /** @param homes imported homes to play in, in place of those of the task sets. */
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
    const goal = { x, z, reach: centimetres(this.config.success_threshold) };
    this.episode = { task, goal, pose: task.start, before: null, view: null, known: false, steps: 0 };
    this.lookOut();
  }

  floorPlan(): FloorPlan {
    return floorPlanOf(started(this.episode).task.place.home);
  }

  /** The agent's picture, drawn once for each pose, because the truth is read from it as well. */
  private lookOut(): View {
    const episode = started(this.episode);
    const { place, target } = episode.task;
    episode.view ??= look(place.home, episode.pose, this.config.resolution, this.tangent);
    episode.known ||= isShown(episode.view.pixels[target], this.config.resolution);
    return episode.view;
  }

  private taskOf(seed: number): Task {
    const { eval_set: set, down_sample_ratio: ratio, training_tasks: trainingTasks, facing } = this.config;
    if (this.homes.length === 0)
      return taskOf(set, seed, { every: halfToEven(1 / ratio), trainingTasks, facing });
    const homes = housesFor(this.homes, this.config, seed);
    const task = taskIn(homes, set, seed, facing);
    if (task) return task;
    throw new EnvError(
      "unsolvable_level",
      `No object in ${counted(homes.length, "house")} can be the target of a task of ${set} at seed ${seed}.`,
      "Load houses with several objects of different kinds, and free floor 2 to 3 m from one of them.",
    );
  }

  step(action: string): StepResult {
    const episode = started(this.episode);
    checkRunning(this.isOver());
    checkAction(action, ACTIONS);
    const { pose, note } = this.after(episode, ACTIONS.indexOf(action));
    episode.before = episode.pose;
    if (pose !== episode.pose) Object.assign(episode, { pose, view: null });
    episode.steps++;
    if (!episode.known) this.lookOut();
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

  /** What the agent sees. Its picture has patches of 8 pixels; larger ones show the same view in more detail. */
  render(patchPx: number): Frame {
    const { task, pose } = started(this.episode);
    if (patchPx === PATCH) return copyOf(this.lookOut().frame);
    return draw(task.place.home, pose, pictureSide(this.config.resolution, patchPx), this.tangent);
  }

  /** The walk, turn or tilt of the last action. */
  motion(): Motion | null {
    const { task, before, pose } = started(this.episode);
    const walked = before && { home: task.place.home, from: before, to: pose };
    return walked && motionOf(walked, this.config.resolution, this.tangent);
  }

  /** What VAGEN's environment states for its judge. */
  state(): State {
    const { task, pose } = started(this.episode);
    const { resolution: side, max_objects_in_state: most } = this.config;
    return stateOf(task.place.home, task.target, pose, { pixels: this.lookOut().pixels, side }, most);
  }

  /** The visible objects, nearest first, where the target is, how the agent stands, and how far it can go. */
  groundTruth(): NavigationTruth {
    const { target, visible, further, agent } = this.state();
    const { known, pose, task } = started(this.episode);
    const [ahead, right, back, left] = [0, 1, 2, 3].map((side) => this.clearSteps(task, pose, side));
    return {
      frame: "floor",
      things: visible.map(asThing),
      facts: {
        instruction: task.instruction,
        target: target.kind,
        target_x: target.at[0],
        target_z: target.at[1],
        target_direction: target.direction,
        target_distance: target.distance,
        known,
        ...agent,
        step: this.config.step_length,
        reach: this.config.success_threshold,
        clear_ahead: ahead,
        clear_right: right,
        clear_back: back,
        clear_left: left,
        ...(further.length > 0 && { further: writeFurther(further.map(asThing)) }),
      },
    };
  }

  /** Steps that are free to a side, in quarter turns from ahead; at most as many as a turn may have actions by default. */
  private clearSteps({ place }: Task, { x, z, yaw }: Pose, side: number): number {
    const [dx, dz] = AHEAD[turned(yaw, side)].map((change) => change * this.stride) as [number, number];
    const [ux, uz] = AHEAD[turned(yaw, side)];
    let steps = 0;
    while (
      steps < MOST_CLEAR &&
      isFreeMove(place.ground, x + dx * steps, z + dz * steps, ux, uz, this.stride)
    )
      steps++;
    return steps;
  }

  /** The visible objects, nearest first, a line each, and how many steps are free ahead. */
  text(): string {
    const truth = this.groundTruth();
    return [...seenThings(truth), clearWords(truth)].join("\n");
  }

  /** The instruction, which stays the same throughout the episode. */
  question(): string {
    return started(this.episode).task.instruction;
  }

  /**
   * A shortest plan; null if none is left within `max_steps`. It steps to the side and back in place of turning, and keeps the
   * target ahead where it can.
   */
  oracle(): readonly string[] | null {
    return this.planned(shortestPlan);
  }

  /** A shortest plan among those that only turn and step ahead; null if none is left within `max_steps`. */
  walk(): readonly string[] | null {
    return this.planned(walkingPlan);
  }

  private planned(planner: typeof shortestPlan): readonly string[] | null {
    const { task, pose, goal, steps } = started(this.episode);
    const plan = planner(task.place.ground, pose, goal, this.stride);
    if (!plan || plan.length > this.config.max_steps - steps) return null;
    return plan.map((action) => ACTIONS[action]);
  }

  private isSolved(): boolean {
    const { goal, pose } = started(this.episode);
    return isReached(goal, pose.x, pose.z);
  }

  private isOver(): boolean {
    return this.isSolved() || started(this.episode).steps >= this.config.max_steps;
  }
}

const asThing = ({ kind, at }: State["visible"][number]) => ({ name: kind, at });

/** Rounded as Python rounds, which decides on VAGEN's tasks for a ratio of 0.4. */
function halfToEven(value: number): number {
  const down = Math.floor(value);
  return value - down === 0.5 ? down + (down % 2) : Math.round(value);
}
