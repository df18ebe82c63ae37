// Navigation in words: where the target and other objects are, in steps from the agent, and how many steps are free ahead.
import type { Rng } from "../../core/rng.ts";
import type { WorldTruth } from "../../core/types.ts";
import { ACTIONS, BLOCKED, EFFECTS } from "../../envs/navigation/actions.ts";
import {
  asNavigation,
  clearWords,
  isSolved,
  MOST_CLEAR,
  MOST_STEPS,
  type NavigationTruth,
  seenThings,
  stepsTo,
  targetAt,
  targetWords,
} from "../../envs/navigation/claims.ts";
import { instructionWords } from "../../envs/navigation/instructions.ts";
import { PHRASES } from "../../envs/navigation/phrases.ts";
import { AHEAD, TILTS, turned } from "../../envs/navigation/pose.ts";
import { COMMA } from "./grid.ts";
import type { Template } from "./template.ts";

type Facts = NavigationTruth["facts"];

/** Facts that count the free steps ahead, to the right, back and to the left. */
const CLEAR = ["clear_ahead", "clear_right", "clear_back", "clear_left"] as const;

const numbers = Array.from({ length: MOST_STEPS + 1 }, (_, n) => n);

/** The facts after a step to a side, in quarter turns from ahead; as they are if the way is blocked. */
function moved(facts: Facts, side: number): Facts {
  const free = facts[CLEAR[side]!];
  if (free === 0) return facts;
  const [dx, dz] = AHEAD[turned(facts.yaw / 90, side)]!;
  const to = (from: number, change: number) => Math.round((from + change * facts.step) * 10) / 10;
  return { ...facts, x: to(facts.x, dx), z: to(facts.z, dz), [CLEAR[side]!]: free - 1 };
}

/** The facts after a turn, in quarter turns to the right. */
function turnedFacts(facts: Facts, quarters: number): Facts {
  const clear = CLEAR.map((name, side) => [name, facts[CLEAR[turned(side, quarters)]!]]);
  const turnedTo = { ...facts, ...Object.fromEntries(clear), yaw: turned(facts.yaw / 90, quarters) * 90 };
  return { ...turnedTo, known: facts.known || showsAhead({ frame: "floor", things: [], facts: turnedTo }) };
}

/** Whether the target is where a level view of 90° shows it, if nothing hides it. */
function showsAhead(truth: NavigationTruth): boolean {
  const [ahead, right] = stepsTo(truth, targetAt(truth));
  return ahead > 0 && Math.abs(right) <= ahead;
}

function tilted(facts: Facts, tilt: number): Facts {
  const tilts = facts.horizon / 30 + tilt;
  return tilts < TILTS.lowest || tilts > TILTS.highest ? facts : { ...facts, horizon: tilts * 30 };
}

/** The state after an action, as far as the free steps around the agent tell; things in view are not known any more. */
function advance(truth: NavigationTruth, action: string): NavigationTruth {
  if (isSolved(truth)) return truth;
  const effect = EFFECTS[(ACTIONS as readonly string[]).indexOf(action)]!;
  const { facts } = truth;
  const next =
    "move" in effect
      ? moved(facts, effect.move)
      : "turn" in effect
        ? turnedFacts(facts, effect.turn)
        : tilted(facts, effect.tilt);
  return { ...truth, facts: next };
}

/** Steps that bring the target nearer along one axis and are free, the larger distance first; a turn where there is none. */
function heuristic(truth: NavigationTruth, random: Rng): string {
  if (!truth.facts.known) return "turn_right";
  const [ahead, right] = stepsTo(truth, targetAt(truth));
  const ways = [
    { distance: Math.abs(ahead), side: ahead < 0 ? 2 : 0 },
    { distance: Math.abs(right), side: right < 0 ? 3 : 1 },
  ].filter(({ distance, side }) => distance > 0 && truth.facts[CLEAR[side]!] > 0);
  const [best] = ways.sort((a, b) => b.distance - a.distance);
  return best
    ? ["move_forward", "move_right", "move_backward", "move_left"][best.side]!
    : random.pick(["turn_right", "turn_left"]);
}

/** A turn towards the target; to the right while the target has not been seen. */
function turnTo(truth: NavigationTruth): string {
  const [, right] = stepsTo(truth, targetAt(truth));
  return truth.facts.known && right < 0 ? "turn_left" : "turn_right";
}

/**
 * The oracle's steps, changed so that the next picture shows the target. If the target is not ahead now, the expert turns towards it. If it
 * would not be ahead after these steps, a turn replaces the last of them, unless that is the only one.
 */
function watched(truth: NavigationTruth, plan: readonly string[], most: number): readonly string[] {
  if (!showsAhead(truth)) return [turnTo(truth)];
  const steps = plan.slice(0, most);
  const after = steps.reduce(advance, truth);
  if (most === 1 || isSolved(after) || showsAhead(after)) return steps;
  const kept = steps.slice(0, most - 1);
  const then = kept.reduce(advance, truth);
  return showsAhead(then) ? kept : [...kept, turnTo(then)];
}

/** Steps by which a misread place is off at most, ahead and to the right. */
const MISREAD = 4;

/**
 * The same view with every object some steps from where it is, a random number of free steps ahead, and nothing in the way on the other
 * sides. As it is while the target has not been seen.
 */
function misread(truth: NavigationTruth, random: Rng): NavigationTruth {
  if (!truth.facts.known) return truth;
  const away = (): number => (random.int(2 * MISREAD + 1) - MISREAD) * truth.facts.step;
  const shifted = ([x, z]: readonly number[]): number[] => [x! + away(), z! + away()];
  const target = shifted(targetAt(truth)) as [number, number];
  const [target_x, target_z] = target;
  const things = truth.things.map(({ name, at }) => ({
    name,
    // The target is where it is said to be, also among the things in view.
    at: name === truth.facts.target ? target : shifted(at),
  }));
  const clear = Object.fromEntries(CLEAR.map((name) => [name, MOST_CLEAR]));
  const facts = { ...truth.facts, ...clear, clear_ahead: random.int(MOST_CLEAR + 1), target_x, target_z };
  return { ...truth, things, facts };
}

/** The language of Navigation. */
export const navigationTemplate: Template<WorldTruth> = {
  id: "navigation",
  own: true,
  name: "Navigation",
  actions: ACTIONS,
  predicts: ["target"],
  words: () => [
    "Navigation ",
    ...instructionWords().map((word) => ` ${word}`),
    "target ",
    "not seen",
    ...Object.keys(PHRASES).map((kind) => `${kind} `),
    ...["ahead", "back"].flatMap((way) => numbers.map((n) => `${n} ${way} `)),
    ...["right", "left"].flatMap((side) => numbers.map((n) => `${n} ${side}`)),
    ...Array.from({ length: MOST_CLEAR + 1 }, (_, n) => ` ; clear ${n}`),
    "sees ",
    " ; ",
    " ; so ",
    ...ACTIONS,
    BLOCKED,
    COMMA,
  ],
  symbols: ["\n", ...Array.from({ length: MOST_CLEAR + 1 }, (_, n) => `clear ${n}`)],
  // The target comes last: an agent that has listed what it sees can look the target up among its own words.
  describe(scene) {
    const truth = asNavigation(scene);
    const seen = seenThings(truth);
    const sees = seen.length > 0 ? `sees ${seen.join(" ; ")} ; ` : "";
    return `${sees}target ${targetWords(truth)}`;
  },
  facts: (scene) => `${targetWords(asNavigation(scene))} ; ${clearWords(asNavigation(scene))}`,
  decision: " ; so ",
  misread: (scene, random) => misread(asNavigation(scene), random),
  predict: (scene) => `target ${targetWords(asNavigation(scene))}`,
  advance: (scene, action) => advance(asNavigation(scene), action),
  ended: (scene) => isSolved(asNavigation(scene)),
  players: {
    expert: "it follows the oracle's plan, with turns that keep the target in view",
    heuristic:
      "Takes free steps that bring the target nearer, along the larger distance first. It turns while it has not seen the target, and where no such step is free.",
    blind:
      "Repeats two steps ahead and one to the left, whatever it sees, because tasks of evaluation begin facing the target.",
  },
  blind: ["move_forward", "move_forward", "move_left"],
  heuristic: (scene, random) => heuristic(asNavigation(scene), random),
  /** In the last turn only steps can still solve the task, so an agent that knows where the target is does not turn. */
  expert(scene, plan, { actions, turns }) {
    const truth = asNavigation(scene);
    return turns === 1 && truth.facts.known ? plan : watched(truth, plan, actions);
  },
  /** A plan is as good as its facts, so most of it is carried out in one turn. */
  actionsPerTurn: (random, most) => (random.float() < 0.7 ? most : 1 + random.int(most)),
};
