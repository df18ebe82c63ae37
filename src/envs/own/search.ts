// Shortest plans by breadth-first search, for environments that have no solver of their own.
import { platformClock } from "../../core/clock.ts";
import type { CheckedStep, StateText } from "./call.ts";
import { OwnFault, UnrepeatedStep } from "./fault.ts";

/** What a search needs of an environment. */
type Step = (state: StateText, action: string) => Pick<CheckedStep, "state" | "done" | "success">;

/** States that a search may visit. */
const MOST_STATES = 20_000;

/** Characters of all states that a search may keep: some 100 MB. */
export const MOST_CHARACTERS = 50_000_000;

/** Milliseconds that a search may take: each of its thousands of steps may itself be slow. */
const LONGEST_MS = 60_000;

/** States whose steps are repeated when no plan is found, and how often each step is. */
const REPEATED_STATES = 20;
const REPEATS = 8;

/**
 * A shortest sequence of actions to success; null where there is none among the states that a search may visit.
 * @throws OwnFault where the search takes too much, or fails because a step has several results
 */
export function shortestPlan(
  { step }: { step: Step },
  actions: readonly string[],
  from: StateText,
): readonly string[] | null {
  const cameFrom = new Map<StateText, { before: StateText; action: string } | null>([[from, null]]);
  const queue = [from];
  const began = platformClock.now();
  let characters = from.length;
  for (let i = 0; i < queue.length && cameFrom.size < MOST_STATES; i++) {
    if (platformClock.now() - began > LONGEST_MS)
      throw new OwnFault(
        "plan",
        `A search for a plan found none within ${LONGEST_MS / 1000} seconds (${cameFrom.size} states).`,
        "Give the environment a plan(state), or make step faster.",
      );
    for (const action of actions) {
      const before = queue[i]!;
      const { state, done, success } = step(before, action);
      if (success) return [...pathTo(cameFrom, before), action];
      if (done || cameFrom.has(state)) continue;
      characters += state.length;
      if (characters > MOST_CHARACTERS) throw tooLarge(cameFrom.size);
      cameFrom.set(state, { before, action });
      queue.push(state);
    }
  }
  // Chance may have hidden the way. The search is not made longer for that.
  for (const state of queue.slice(0, REPEATED_STATES))
    for (const action of actions)
      if (platformClock.now() - began <= LONGEST_MS) assertRepeats(step, state, action);
  return null;
}

/** @throws UnrepeatedStep when an action has several results in one state */
function assertRepeats(step: Step, state: StateText, action: string): void {
  const results = Array.from({ length: REPEATS }, () => JSON.stringify(step(state, action)));
  if (new Set(results).size > 1) throw new UnrepeatedStep(action);
}

const tooLarge = (states: number): OwnFault =>
  new OwnFault(
    "plan",
    `A search for a plan keeps more than ${MOST_CHARACTERS / 1e6} million characters of states (${states} states).`,
    "Give the environment a plan(state), or keep less in its states.",
  );

function pathTo(
  cameFrom: ReadonlyMap<StateText, { before: StateText; action: string } | null>,
  state: StateText,
): string[] {
  const path: string[] = [];
  for (let way = cameFrom.get(state); way; way = cameFrom.get(way.before)) path.unshift(way.action);
  return path;
}
