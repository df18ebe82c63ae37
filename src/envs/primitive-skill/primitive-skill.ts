// One episode of PrimitiveSkill: a robot's hand carries out skills that the agent writes with their coordinates.
import { EnvError } from "../../core/errors.ts";
import type { Vec3 } from "../../core/raster/solid.ts";
import { minus } from "../../core/raster/solid.ts";
import { checkSeed, rng } from "../../core/rng.ts";
import type { Frame } from "../../core/types.ts";
import type { Env, StepResult } from "../env.ts";
import { checkRunning, started } from "../grid.ts";
import type { PrimitiveSkillConfig } from "./config.ts";
import { times } from "./geometry.ts";
import { carryOut, finish, type Outcome } from "./motion.ts";
import { type PhysicsState, Simulator, type Snapshot } from "./physics.ts";
import { draw } from "./picture.ts";
import { type PlannedSkill, planFrom } from "./plan.ts";
import { clipped, readSkill, SKILL_NAMES, type Skill, skillText } from "./skills.ts";
import { type Scene, stageValue, TASKS, type Task } from "./tasks.ts";
import { cameraOf, type PictureCamera } from "./view.ts";

interface Episode {
  state: PhysicsState;
  scene: Scene;
  /** Skills so far. */
  skills: number;
  /** The motion of the last skill. */
  motion: readonly Snapshot[];
}

/** An episode as plain data, exact to the bit. */
interface SavedEpisode {
  /** MuJoCo's numbers, which hold everything that the next skill depends on. */
  state: readonly number[];
  skills: number;
}

/** Facts about a state. Plain data. */
interface PrimitiveSkillTruth {
  /** VAGEN's `<object>_position` in whole millimetres, in the order in which the agent is given them. */
  positions: Readonly<Record<string, Vec3>>;
  /** What the fingers hold; null if nothing. */
  held: string | null;
  /** How far the drawer is open, in whole millimetres; null without a drawer. */
  drawerOpen: number | null;
  /** Which stages are reached, and whether the task is solved. */
  stages: readonly boolean[];
  success: boolean;
}

/** What `Env` promises, except that pictures are asked for by their size and that the truth is not a board's. */
type SkillEnv = Omit<Env, "render" | "groundTruth" | "question"> & { question(): string };

/** Largest side of a picture, in pixels. */
const LARGEST_PICTURE = 2048;
/** An object that moved by less than this, in metres, did not move. */
const STILL = 0.001;

/** Simulators by task: an episode keeps its own state, so all episodes of a task share one. */
const simulators = new Map<Task, Simulator>();

function simulatorOf(task: Task): Simulator {
  let simulator = simulators.get(task);
  if (!simulator) {
    simulator = new Simulator(task.objects, task.hasDrawer);
    simulators.set(task, simulator);
  }
  return simulator;
}

/**
 * Move cubes or an apple with a robot's hand: VAGEN's PrimitiveSkill, whose world is ManiSkill's, simulated by MuJoCo. The physics has to
 * be loaded with `loadPhysics` first.
 *
 * **Actions.** `pick(x,y,z)`, `place(x,y,z)` and `push(x1,y1,z1,x2,y2,z2)` in millimetres; names in any letter case. Coordinates outside
 * the workspace are clipped to it, and the note says so. The picture looks towards −x: +y is right, +z up.
 *
 * **Observation.** The picture, `resolution` pixels wide and high, the instruction, the limits of the workspace, and the positions of the
 * objects without their names.
 *
 * **Start.** Cubes lie in the task's regions with any yaw, and the fingers are open.
 *
 * **Transitions.** The hand goes through VAGEN's waypoints: 50 mm above the point, down, fingers, up, home. Objects are held by friction and
 * can slip, collide and fall. A hand that does not reach its waypoints within VAGEN's budget of control steps goes home; the note says so.
 *
 * **Rewards.** The change of R, which is 10 at success and else 2 for each stage up to the highest one reached; `success_reward` at
 * success; minus `skill_cost`. VAGEN's legacy release pays the same sum at the end of the episode.
 *
 * **End.** The episode terminates at success, or after `max_steps` skills.
 *
 * **Seeds.** Equal seeds and skills give equal bytes, in Node and in browsers.
 */
export class PrimitiveSkill implements SkillEnv {
  private readonly task: Task;
  private readonly camera: PictureCamera;
  private readonly simulator: Simulator;
  private episode: Episode | null = null;
  /** What the oracle has simulated, so that a step of its plan is not simulated again. */
  private planned: readonly PlannedSkill[] = [];

  /** @throws EnvError("not_loaded") before `loadPhysics`. */
  constructor(private readonly config: PrimitiveSkillConfig) {
    this.task = TASKS[config.env_id];
    this.camera = cameraOf(config.env_id, config.camera);
    this.simulator = simulatorOf(this.task);
  }

  reset(seed: number): void {
    checkSeed(seed);
    const { home, drawer, id } = this.task;
    const objects = this.task.place(rng(seed).fork(id));
    this.begin(this.simulator.start(home, objects, drawer), 0);
  }

  private begin(state: PhysicsState, skills: number): void {
    this.simulator.restore(state);
    const { seen, grasped } = finish(this.simulator);
    this.episode = { state, scene: { seen, grasped }, skills, motion: [] };
  }

  /** @throws EnvError("invalid_action") for a text that is no skill. */
  step(action: string): StepResult {
    const episode = started(this.episode);
    checkRunning(this.isOver(episode));
    const asked = readSkill(action);
    if (!asked) throw invalidSkill(action);
    const skill = clipped(asked, this.task.workspace);
    const outcome = this.outcomeOf(episode, skill);
    const { state, seen, grasped, frames } = outcome;
    const before = episode.scene;
    this.episode = { state, scene: { seen, grasped }, skills: episode.skills + 1, motion: frames };
    return this.resultOf(before, this.episode, notesOf(asked, skill, outcome));
  }

  private outcomeOf({ state }: Episode, skill: Skill): Outcome {
    const action = skillText(skill);
    const known = this.planned.find((planned) => planned.before === state && planned.action === action);
    return known ? known.outcome : carryOut(this.simulator, state, skill, this.task.home);
  }

  private resultOf(before: Scene, episode: Episode, notes: readonly string[]): StepResult {
    const { stage_rewards, success_reward, skill_cost, max_steps } = this.config;
    const value = (scene: Scene) => stageValue(this.task, scene, stage_rewards);
    const success = this.task.succeeds(episode.scene);
    const isLast = !success && episode.skills >= max_steps;
    return {
      reward: value(episode.scene) - value(before) + (success ? success_reward : 0) - skill_cost,
      terminated: success || isLast,
      success,
      effective: isChanged(before, episode.scene),
      note: [...notes, ...(isLast ? [`that was the last of ${max_steps} skills`] : [])].join("; "),
    };
  }

  /** The view of the current state, `size` pixels wide and high. */
  render(size: number): Frame {
    return this.renderSnapshot(this.snapshot(), size);
  }

  /** The view of any moment of a motion, `size` pixels wide and high. */
  renderSnapshot(seen: Snapshot, size: number): Frame {
    if (!Number.isInteger(size) || size < 1 || size > LARGEST_PICTURE)
      throw new RangeError(`render(${size}): size must be a whole number from 1 to ${LARGEST_PICTURE}`);
    return draw(this.task, seen, this.camera, size);
  }

  /** Where everything is: with it `draw` makes the picture of this state where no physics is loaded. */
  snapshot(): Snapshot {
    return started(this.episode).scene.seen;
  }

  /** The motion of the last skill at `FRAME_RATE`; empty before the first skill. */
  motion(): readonly Snapshot[] {
    return started(this.episode).motion;
  }

  groundTruth(): PrimitiveSkillTruth {
    const { scene } = started(this.episode);
    const { objects, hasDrawer } = this.task;
    const held = scene.grasped.indexOf(true);
    const listed = this.task
      .listed(scene)
      .map(([name, position]) => [`${name}_position`, inMillimetres(position)]);
    return {
      positions: Object.fromEntries(listed),
      held: held < 0 ? null : objects[held],
      drawerOpen: hasDrawer ? millimetres(scene.seen.drawer) : null,
      stages: [...this.task.stages(scene)],
      success: this.task.succeeds(scene),
    };
  }

  /** The objects with their names and positions, a line each. */
  text(): string {
    const { scene } = started(this.episode);
    return this.task
      .listed(scene)
      .map(([name, position]) => `${name.replace("_", " ")} ${tuple(position)}`)
      .join("\n");
  }

  /** What the agent is given besides the picture: instruction, workspace, positions without names, and what else the task needs. */
  question(): string {
    const { scene } = started(this.episode);
    const { instruction, workspace, listed, other } = this.task;
    const limits = workspace.map(([low, high], axis) => `${"xyz"[axis]} ${low} to ${high}`);
    const lines = [
      instruction,
      `Workspace in mm: ${limits.join(", ")}.`,
      `Positions in mm: ${listed(scene)
        .map(([, position]) => tuple(position))
        .join(", ")}.`,
      `Other information: ${other(scene)}.`,
    ];
    if (!this.config.mask_success) lines.push(`Stages reached: ${this.task.stages(scene).join(", ")}.`);
    return lines.join("\n");
  }

  /** Skills that solve the task from here, found and checked by simulating them; null if there are none within `max_steps`. */
  oracle(): readonly string[] | null {
    const { state, scene, skills } = started(this.episode);
    const plan = planFrom(this.simulator, this.task, state, scene, this.config.max_steps - skills);
    this.planned = plan ?? [];
    return plan?.map(({ action }) => action) ?? null;
  }

  /** The episode as plain data, for a replay. */
  save(): SavedEpisode {
    const { state, skills } = started(this.episode);
    return { state: Array.from(state), skills };
  }

  /**
   * Continues an episode of the same task exactly where it was saved.
   * @throws EnvError("invalid_config") for numbers that are no state of this task.
   */
  restore({ state, skills }: SavedEpisode): void {
    if (!this.simulator.accepts(state))
      throw new EnvError(
        "invalid_config",
        `A state of ${state.length} numbers is no state of ${this.task.id}.`,
        "Restore a state that save() returned for the same task.",
      );
    this.begin(Float64Array.from(state), skills);
  }

  private isOver({ scene, skills }: Episode): boolean {
    return skills >= this.config.max_steps || this.task.succeeds(scene);
  }
}

const invalidSkill = (action: string): EnvError =>
  new EnvError(
    "invalid_action",
    `The action "${action}" is not a skill.`,
    `Use ${SKILL_NAMES.map((name) => (name === "push" ? "push(x1,y1,z1,x2,y2,z2)" : `${name}(x,y,z)`)).join(", ")} with numbers in millimetres.`,
  );

/** What people are told about a skill. */
function notesOf(asked: Skill, done: Skill, { completed, grasped }: Outcome): string[] {
  const notes: string[] = [];
  if (skillText(asked) !== skillText(done)) notes.push(`clipped to the workspace: ${skillText(done)}`);
  if (!completed) notes.push("the hand was blocked on its way");
  else if (done.name === "pick" && !grasped.includes(true)) notes.push("the fingers hold nothing");
  return notes;
}

function isChanged(before: Scene, after: Scene): boolean {
  const moved = before.seen.objects.some(({ position }, i) =>
    minus(position, after.seen.objects[i].position).some((way) => Math.abs(way) > STILL),
  );
  const slid = Math.abs(before.seen.drawer - after.seen.drawer) > STILL;
  return moved || slid || before.grasped.some((held, i) => held !== after.grasped[i]);
}

/** Whole millimetres, without a negative zero. */
const millimetres = (metres: number): number => Math.round(metres * 1000) + 0;

function inMillimetres(position: Vec3): Vec3 {
  const [x, y, z] = times(position, 1000);
  return [Math.round(x) + 0, Math.round(y) + 0, Math.round(z) + 0];
}

const tuple = (position: Vec3): string => `(${inMillimetres(position).join(",")})`;
