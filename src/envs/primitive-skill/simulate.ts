// The simulators of all games, and what threads simulate with them for games that wait.
import { carryOut, type Outcome } from "./motion.ts";
import { type PhysicsState, Simulator } from "./physics.ts";
import { type PlannedSkill, planFrom } from "./plan.ts";
import { readSkill, type Skill, skillText } from "./skills.ts";
import type { TaskId } from "./task-ids.ts";
import { type Scene, TASKS, type Task } from "./tasks.ts";

/** Simulators by task: an episode keeps its own state, so all episodes of a task share one. */
const simulators = new Map<Task, Simulator>();

export function simulatorOf(task: Task): Simulator {
  let simulator = simulators.get(task);
  if (!simulator) {
    simulator = new Simulator(task.objects, task.hasDrawer);
    simulators.set(task, simulator);
  }
  return simulator;
}

/** How long a plan may become; see `planFrom`. */
export interface PlanLength {
  most: number;
  needed: number;
}

/** What a game needs simulated from a state on. Plain data, which a thread can be sent. */
export interface SkillJob {
  task: TaskId;
  state: PhysicsState;
  scene: Scene;
  /** Skills within the workspace, carried out until the task is solved; or else a plan. */
  wanted: readonly Skill[] | Readonly<PlanLength>;
}

/** A simulated skill without its motion, which is long and which only people look at. */
export interface SimulatedSkill {
  action: string;
  outcome: Omit<Outcome, "frames">;
}

/** Every skill that a job simulates, in order. */
export function simulate({ task: id, state, scene, wanted }: SkillJob): SimulatedSkill[] {
  const task = TASKS[id];
  const done: SimulatedSkill[] = [];
  const run = (before: PhysicsState, skill: Skill): Outcome => {
    const outcome = carryOut(simulatorOf(task), before, skill, task.home);
    const { frames: _, ...rest } = outcome;
    done.push({ action: skillText(skill), outcome: rest });
    return outcome;
  };
  if ("most" in wanted) planFrom(task, { state, scene, ...wanted, simulate: run });
  else carryOutAll(task, { state, scene, skills: wanted, run });
  return done;
}

interface Sequence {
  state: PhysicsState;
  scene: Scene;
  skills: readonly Skill[];
  run(before: PhysicsState, skill: Skill): Outcome;
}

function carryOutAll(task: Task, { state, scene, skills, run }: Sequence): void {
  let [before, now] = [state, scene];
  for (const skill of skills) {
    if (task.succeeds(now)) return;
    const outcome = run(before, skill);
    [before, now] = [outcome.state, outcome];
  }
}

/** The same skills as steps from one state to the next. Where a motion is asked for, it is simulated once more. */
export function asPlanned(job: SkillJob, simulated: readonly SimulatedSkill[]): PlannedSkill[] {
  const task = TASKS[job.task];
  let before = job.state;
  return simulated.map(({ action, outcome }) => {
    const from = before;
    before = outcome.state;
    const frames = () => carryOut(simulatorOf(task), from, readSkill(action)!, task.home).frames();
    return { action, before: from, outcome: { ...outcome, frames } };
  });
}
