// Skills as motions of the hand, through VAGEN's waypoints and within its budgets.
import { minus, type Vec3 } from "../../core/raster/solid.ts";
import { plus, times } from "./geometry.ts";
import { STEP_RATE } from "./mjcf.ts";
import type { PhysicsState, Simulator, Snapshot } from "./physics.ts";
import type { Skill } from "./skills.ts";

/** Pictures per second of a motion. */
export const FRAME_RATE = 30;
const STEPS_PER_FRAME = STEP_RATE / FRAME_RATE;
/** ManiSkill controls the arm 20 times a second; VAGEN counts its budgets in these steps. */
const CONTROL_RATE = 20;
const STEPS_PER_CONTROL = STEP_RATE / CONTROL_RATE;

/** How far above a point the hand comes and goes, in metres. */
const CLEARANCE = 0.05;
/** Distance along each axis at which a waypoint is reached, in metres; for the end of a push it is larger. */
const TOLERANCE = 0.005;
const PUSH_TOLERANCE = 0.03;
/** Control steps that closing and opening take. */
const GRIP_STEPS = 10;
/** Control steps of a skill before the way home. VAGEN counts each step of the way home twice, which leaves 75 of 150. */
const BUDGET = { pick: 150, place: 150, push: 200, home: 75 } as const;
/** VAGEN's speed factors .5 and .15, as metres per second; the lower one within 20 mm of a waypoint. */
const SPEED = 0.5;
const SLOW_SPEED = 0.15;
const SLOW_WITHIN = 0.02;

/** One part of a skill: the hand goes to a point, or the fingers move where they are. */
type Phase =
  | { readonly to: Vec3; readonly tolerance: number; readonly closed: boolean }
  | { readonly closed: boolean };

/** What carrying out a skill led to. */
export interface Outcome {
  state: PhysicsState;
  seen: Snapshot;
  /** For each object whether the fingers hold it. */
  grasped: readonly boolean[];
  /** Every waypoint was reached within the budget. */
  completed: boolean;
  /** The motion at `FRAME_RATE`, from the first step to the end, which comes last. */
  frames(): readonly Snapshot[];
}

/**
 * Carries out a skill from a state.
 * @param skill its points in millimetres, within the workspace.
 * @param home where the hand goes afterwards, in metres.
 */
export function carryOut(simulator: Simulator, state: PhysicsState, skill: Skill, home: Vec3): Outcome {
  simulator.restore(state);
  const motion = new Motion(simulator);
  const completed = motion.run(phasesOf(skill), BUDGET[skill.name]);
  // VAGEN closes the hand on the way home, except that place leaves it open, and that a failed pick opens it.
  const closed = skill.name === "pick" ? completed : skill.name === "push";
  motion.run([{ to: home, tolerance: TOLERANCE, closed }], BUDGET.home);
  const end = finish(simulator);
  return { ...end, completed, frames: () => [...motion.frames, end.seen] };
}

/** The state of a simulator and what it shows. */
export function finish(simulator: Simulator): Omit<Outcome, "completed" | "frames"> {
  const state = simulator.save();
  return { state, seen: simulator.snapshot(), grasped: simulator.grasped() };
}

const phasesOf = ({ name, points }: Skill): Phase[] => {
  const [start, end = start] = points.map((point) => times(point, 0.001));
  const above: Vec3 = [0, 0, CLEARANCE];
  const go = (to: Vec3, closed: boolean, tolerance = TOLERANCE): Phase => ({ to, closed, tolerance });
  if (name === "push") {
    // VAGEN leaves a push at the height of its start, with the small tolerance. The wide one is part of what published results were made with.
    const leave: Vec3 = [end[0], end[1], start[2] + CLEARANCE];
    return [
      go(plus(start, above), false),
      go(start, false),
      go(end, false, PUSH_TOLERANCE),
      go(leave, false, PUSH_TOLERANCE),
    ];
  }
  const before = name === "place";
  const after = !before;
  return [
    go(plus(start, above), before),
    go(start, before),
    { closed: after },
    go(plus(start, above), after),
  ];
};

/** The hand on its way. */
class Motion {
  readonly frames: Snapshot[] = [];
  private steps = 0;

  constructor(private readonly simulator: Simulator) {}

  /** Goes through the phases; returns whether it came to their end within a number of control steps. */
  run(phases: readonly Phase[], budget: number): boolean {
    let left = budget;
    for (const phase of phases) {
      const used =
        "to" in phase ? this.go(phase.to, phase.tolerance, phase.closed, left) : this.hold(phase.closed);
      if (used > left) return false;
      left -= used;
    }
    return true;
  }

  /** Keeps the hand where it is while the fingers move; returns the control steps. */
  private hold(closed: boolean): number {
    this.simulator.grip(closed);
    for (let i = 0; i < GRIP_STEPS * STEPS_PER_CONTROL; i++) this.step();
    return GRIP_STEPS;
  }

  /** Moves the hand to a point; returns the control steps, more than `most` if it was not reached. */
  private go(to: Vec3, tolerance: number, closed: boolean, most: number): number {
    this.simulator.grip(closed);
    let aim = this.simulator.aimed();
    for (let used = 1; used <= most; used++) {
      for (let i = 0; i < STEPS_PER_CONTROL; i++) {
        aim = towards(aim, to);
        this.simulator.aim(aim);
        this.step();
      }
      if (isWithin(this.simulator.hand(), to, tolerance)) return used;
    }
    return most + 1;
  }

  private step(): void {
    this.simulator.step();
    if (this.steps % STEPS_PER_FRAME === 0) this.frames.push(this.simulator.snapshot());
    this.steps++;
  }
}

/** The next point on the way, one step of the simulation further. */
function towards(from: Vec3, to: Vec3): Vec3 {
  const way = minus(to, from);
  const distance = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  const stride = (distance < SLOW_WITHIN ? SLOW_SPEED : SPEED) / STEP_RATE;
  return distance <= stride ? to : plus(from, times(way, stride / distance));
}

const isWithin = (a: Vec3, b: Vec3, tolerance: number): boolean =>
  Math.abs(a[0] - b[0]) <= tolerance &&
  Math.abs(a[1] - b[1]) <= tolerance &&
  Math.abs(a[2] - b[2]) <= tolerance;
