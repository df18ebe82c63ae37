// One episode of PrimitiveSkill: a robot's hand carries out skills that the agent writes with their coordinates.
import { EnvError } from "../../core/errors.ts";
import type { Vec3 } from "../../core/raster/solid.ts";
import { minus } from "../../core/raster/solid.ts";
import { checkSeed, rng } from "../../core/rng.ts";
import type { Frame, SavedGame, WorldTruth } from "../../core/types.ts";
import type { Env, Motion, StepResult, Upcoming } from "../env.ts";
import { checkRunning, started } from "../grid.ts";
import { pictureSide } from "../square-picture.ts";
import { heldWords, keyOf, namedPlaces, questionWords } from "./claims.ts";
import type { PrimitiveSkillConfig } from "./config.ts";
import { times } from "./geometry.ts";
import { carryOut, FRAME_RATE, finish, type Outcome } from "./motion.ts";
import type { PhysicsState, Simulator, Snapshot } from "./physics.ts";
import { draw } from "./picture.ts";
import { placedNear } from "./placement.ts";
import { type PlannedSkill, planFrom } from "./plan.ts";
import { asPlanned, type PlanLength, type SimulatedSkill, type SkillJob, simulatorOf } from "./simulate.ts";
import { clipped, readAction, readSkill, type Skill, skillText, whyUnknown } from "./skills.ts";
import { EXAMPLES, INSTRUCTIONS, LISTED, TASK_IDS } from "./task-ids.ts";
import { type Scene, stageValue, TASKS, type Task } from "./tasks.ts";
import { cameraOf, type PictureCamera } from "./view.ts";

export { readAction, whyUnknown };

interface Episode {
  state: PhysicsState;
  scene: Scene;
  /** Skills so far. */
  skills: number;
  /** The motion of the last skill, at `FRAME_RATE`. */
  motion(): readonly Snapshot[];
}

/** An episode as plain data, exact to the bit. */
interface SavedEpisode extends SavedGame {
  /** MuJoCo's numbers, which hold everything that the next skill depends on. */
  state: readonly number[];
  skills: number;
  /** In which order the agent is given the positions. */
  order: readonly number[];
}

/** What VAGEN's environment states for its judge, and the rest of a state. Plain data. */
interface State {
  /** VAGEN's `<object>_position` in whole millimetres, in VAGEN's order. */
  positions: Readonly<Record<string, Vec3>>;
  /** What the fingers hold; null if nothing. */
  held: string | null;
  /** How far the drawer is open, in whole millimetres; null without a drawer. */
  drawerOpen: number | null;
  /** Which stages are reached, and whether the task is solved. */
  stages: readonly boolean[];
  success: boolean;
}

/** An object that moved by less than this, in metres, did not move. */
const STILL = 0.001;

/** A task for a robot's hand. The rules are in `index.ts`. */
export class PrimitiveSkill implements Env {
  private readonly task: Task;
  private readonly camera: PictureCamera;
  private readonly simulator: Simulator;
  private episode: Episode | null = null;
  /** In which order the agent is given the positions. */
  private order: readonly number[] = [];
  /** What has been simulated from here on, so that neither a step nor a plan simulates it again. */
  private known: readonly PlannedSkill[] = [];

  /** @throws EnvError("not_loaded") before `loadPhysics`. */
  constructor(private readonly config: PrimitiveSkillConfig) {
    this.task = TASKS[config.env_id];
    this.camera = cameraOf(config.env_id, config.camera);
    this.simulator = simulatorOf(this.task);
  }

  reset(seed: number): void {
    checkSeed(seed);
    const { home, drawer, id } = this.task;
    const random = rng(seed).fork(id);
    const objects = placedNear(() => this.task.place(random), this.config.max_depth_gap);
    this.order = this.orderOf(seed);
    this.begin(this.simulator.start(home, objects, drawer), 0);
  }

  private orderOf(seed: number): readonly number[] {
    const listed = LISTED[this.task.id].map((_, i) => i);
    return this.config.positions === "listed" ? listed : rng(seed).fork("order").shuffle(listed);
  }

  private begin(state: PhysicsState, skills: number): void {
    this.simulator.restore(state);
    const { seen, grasped } = finish(this.simulator);
    this.known = [];
    this.episode = { state, scene: { seen, grasped }, skills, motion: () => [] };
  }

  /** @throws EnvError("invalid_action") for a text that is no skill. */
  step(action: string): StepResult {
    const episode = started(this.episode);
    checkRunning(this.isOver(episode));
    const asked = readSkill(action);
    if (!asked || skillText(asked) !== action) throw invalidSkill(action);
    const skill = clipped(asked, this.task.workspace);
    const outcome = this.outcomeOf(episode.state, skill);
    const { state, seen, grasped, frames } = outcome;
    const before = episode.scene;
    this.episode = { state, scene: { seen, grasped }, skills: episode.skills + 1, motion: frames };
    return this.resultOf(before, this.episode, notesOf(asked, skill, outcome));
  }

  private outcomeOf(state: PhysicsState, skill: Skill): Outcome {
    const known = this.knownFrom(state, skillText(skill));
    return known ?? carryOut(this.simulator, state, skill, this.task.home);
  }

  private knownFrom(state: PhysicsState, action: string): Outcome | undefined {
    return this.known.find((skill) => skill.before === state && skill.action === action)?.outcome;
  }

  /** What is to be simulated before this game takes actions, or makes a plan of some; null if nothing is. */
  jobFor({ actions, plan }: Upcoming): SkillJob | null {
    const episode = started(this.episode);
    if (this.isOver(episode)) return null;
    const { state, scene } = episode;
    const from = { task: this.task.id, state, scene };
    const most = this.config.max_steps - episode.skills;
    return plan === undefined
      ? this.unknownOf(from, readable(actions ?? []).slice(0, most))
      : this.unplannedOf(from, { most, needed: plan });
  }

  /** The part of a plan that has not been simulated yet; null if all of it has. */
  private unplannedOf(from: Omit<SkillJob, "wanted">, { most, needed }: PlanLength): SkillJob | null {
    let [here, known, isUnknown] = [from, 0, false];
    const simulate = (before: PhysicsState, skill: Skill): Outcome | null => {
      const outcome = this.knownFrom(before, skillText(skill));
      isUnknown = outcome === undefined;
      if (!outcome) return null;
      here = { ...here, state: outcome.state, scene: sceneOf(outcome) };
      known++;
      return outcome;
    };
    planFrom(this.task, { ...from, most, needed, simulate });
    return isUnknown ? { ...here, wanted: { most: most - known, needed: needed - known } } : null;
  }

  /** The part of a sequence of skills that has not been simulated yet; null if all of it has, as far as it is played. */
  private unknownOf(from: Omit<SkillJob, "wanted">, asked: readonly Skill[]): SkillJob | null {
    const skills = asked.map((skill) => clipped(skill, this.task.workspace));
    let { state, scene } = from;
    for (const [i, skill] of skills.entries()) {
      if (this.task.succeeds(scene)) return null;
      const known = this.knownFrom(state, skillText(skill));
      if (!known) return { ...from, state, scene, wanted: skills.slice(i) };
      state = known.state;
      scene = sceneOf(known);
    }
    return null;
  }

  /** Keeps what a job of `jobFor` has simulated. */
  remember(job: SkillJob, simulated: readonly SimulatedSkill[]): void {
    this.known = [...this.known, ...asPlanned(job, simulated)];
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

  /** What the agent sees. Its picture has patches of 8 pixels; larger ones show the same view in more detail. */
  render(patchPx: number): Frame {
    return this.renderSnapshot(this.snapshot(), patchPx);
  }

  /** Every moment of the last skill, `FRAME_RATE` of them a second; none before the first skill. */
  moments(): readonly Snapshot[] {
    return started(this.episode).motion();
  }

  /** The hand on its way through the waypoints of the last skill. */
  motion(): Motion | null {
    const motion = this.moments();
    if (motion.length === 0) return null;
    const at = (second: number) =>
      motion[Math.max(0, Math.min(motion.length - 1, Math.floor(second * FRAME_RATE)))];
    return {
      seconds: motion.length / FRAME_RATE,
      picture: (second, patchPx) => this.renderSnapshot(at(second), patchPx),
    };
  }

  private renderSnapshot(seen: Snapshot, patchPx: number): Frame {
    return draw(this.task, seen, this.camera, pictureSide(this.config.resolution, patchPx));
  }

  /** Where everything is: with it `draw` makes the picture of this state where no physics is loaded. */
  snapshot(): Snapshot {
    return started(this.episode).scene.seen;
  }

  state(): State {
    const { scene } = started(this.episode);
    const { objects, hasDrawer } = this.task;
    const held = scene.grasped.indexOf(true);
    return {
      positions: Object.fromEntries(this.listed().map(({ name, at }) => [keyOf(name), at])),
      held: held < 0 ? null : objects[held],
      drawerOpen: hasDrawer ? millimetres(scene.seen.drawer) : null,
      stages: [...this.task.stages(scene)],
      success: this.task.succeeds(scene),
    };
  }

  /** The objects and points whose positions the agent is given, in VAGEN's order; positions are in whole millimetres. */
  private listed(): { name: string; at: Vec3 }[] {
    const positions = this.task.positions(started(this.episode).scene);
    return LISTED[this.task.id].map((name, i) => ({ name, at: inMillimetres(positions[i]) }));
  }

  /** The objects and points in the order in which the agent is given them, and what the fingers hold. */
  groundTruth(): WorldTruth {
    const { held, drawerOpen, success } = this.state();
    const listed = this.listed();
    return {
      frame: "workspace",
      things: this.order.map((i) => listed[i]),
      facts: {
        instruction: INSTRUCTIONS[this.task.id],
        task: this.task.id,
        held: held ?? "",
        home_z: millimetres(this.task.home[2]),
        success,
        ...(drawerOpen !== null && { drawer_open: drawerOpen }),
      },
    };
  }

  /** The objects with their names and positions, a line each, and what the fingers hold. */
  text(): string {
    const truth = this.groundTruth();
    return [...namedPlaces(truth), heldWords(truth)].join("\n");
  }

  /** The instruction, the positions without their names unless they are hidden, and how far a drawer is open. */
  question(): string {
    return questionWords(this.told());
  }

  /** The instruction of another task, with what `question` says besides. */
  otherQuestion(draw: number): string {
    const others = TASK_IDS.filter((id) => id !== this.task.id);
    const told = this.told();
    const instruction = INSTRUCTIONS[others[draw % others.length]];
    return questionWords({ ...told, facts: { ...told.facts, instruction } });
  }

  /** The part of the truth that the question may give. */
  private told(): WorldTruth {
    const truth = this.groundTruth();
    return this.config.positions === "hidden" ? { ...truth, things: [] } : truth;
  }

  /**
   * Skills that solve the task from here, found and checked by simulating them; null if there are none within `max_steps`.
   * @param needed the plan ends after this many, which saves the simulation of the others.
   */
  oracle(needed = Number.POSITIVE_INFINITY): readonly string[] | null {
    const { state, scene, skills } = started(this.episode);
    const plan = planFrom(this.task, {
      state,
      scene,
      most: this.config.max_steps - skills,
      needed,
      simulate: (before, skill) => this.outcomeOf(before, skill),
    });
    this.known = plan ?? this.known;
    return plan?.map(({ action }) => action) ?? null;
  }

  /** The episode as plain data, for a replay. */
  save(): SavedEpisode {
    const { state, skills } = started(this.episode);
    return { state: Array.from(state), skills, order: this.order };
  }

  /**
   * Continues an episode of the same task exactly where it was saved.
   * @throws EnvError("invalid_config") for data that is no episode of this task.
   */
  restore(saved: SavedGame): void {
    if (!this.isEpisode(saved))
      throw new EnvError(
        "invalid_config",
        `The stored state is no state of ${this.task.id}.`,
        "Restore a state that save() returned for the same task.",
      );
    this.order = saved.order;
    this.begin(Float64Array.from(saved.state), saved.skills);
  }

  private isEpisode(saved: SavedGame): saved is SavedEpisode {
    const { state, skills, order } = saved;
    const places = LISTED[this.task.id].map((_, i) => i);
    return (
      Array.isArray(state) &&
      this.simulator.accepts(state) &&
      Array.isArray(order) &&
      order.length === places.length &&
      places.every((place) => order.includes(place)) &&
      Number.isInteger(skills) &&
      Number(skills) >= 0 &&
      Number(skills) <= this.config.max_steps
    );
  }

  private isOver({ scene, skills }: Episode): boolean {
    return skills >= this.config.max_steps || this.task.succeeds(scene);
  }
}

/** What a task is judged by, without the rest of an outcome. */
const sceneOf = ({ seen, grasped }: Outcome): Scene => ({ seen, grasped });

/** The skills that texts mean, up to the first text that is none. */
function readable(texts: readonly string[]): Skill[] {
  const skills: Skill[] = [];
  for (const text of texts) {
    const skill = readSkill(text);
    if (!skill) break;
    skills.push(skill);
  }
  return skills;
}

const invalidSkill = (action: string): EnvError =>
  new EnvError(
    "invalid_action",
    `The action "${action}" is not a skill.`,
    `Use pick(x,y,z), place(x,y,z) or push(x1,y1,z1,x2,y2,z2) with numbers in millimetres, such as ${EXAMPLES.join(", ")}.`,
  );

/** For people: what became of a skill. */
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
