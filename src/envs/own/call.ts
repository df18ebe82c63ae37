// Calls the functions of a user's own environment. What they return is checked before it is used, and what they were given is
// never shared with them, so that a mistake costs a message and nothing else.
import { EnvError } from "../../core/errors.ts";
import { shown } from "../../core/short.ts";
import { withinSteps } from "../../core/step-limit.ts";
import type { Cell } from "../../core/types.ts";
import type { OwnEnvironment, OwnRandom } from "./own.ts";

/** A state as text: the only form in which it is kept. */
export type StateText = string;

/** A checked result of `step`. */
interface CheckedStep {
  state: StateText;
  reward: number;
  done: boolean;
  success: boolean;
  note: string;
}

/** The environment's functions, on states as text, with checked results. */
export interface Calls {
  start(random: OwnRandom): StateText;
  step(state: StateText, action: string): CheckedStep;
  where(state: StateText): Readonly<Record<string, readonly Cell[]>>;
  plan: ((state: StateText) => readonly string[] | null) | null;
}

/** Most characters of a state as text: a search keeps thousands of states. A full board of 12 × 12 has a few thousand. */
const LONGEST_STATE = 10_000;

const HINT = "Correct the environment, add it again and start a new run.";

/** An error about what a function of the environment did. */
const faulty = (id: string, what: string, cause?: unknown): EnvError =>
  new EnvError("own_failed", `The environment "${id}": ${what}.`, HINT, { cause });

export function callsOf(own: OwnEnvironment): Calls {
  const fail = (what: string, cause?: unknown) => faulty(own.id, what, cause);
  const attempt = <T>(name: string, call: () => T): T => {
    try {
      return withinSteps(call);
    } catch (error) {
      const said = error instanceof Error ? `${error.name}: ${error.message}` : shown(error, 80);
      throw fail(`${name} failed with ${said}`, error);
    }
  };
  const textOf = (name: string, state: unknown): StateText => {
    const text = attempt(name, () => JSON.stringify(state));
    if (text === undefined)
      throw fail(`${name} returned ${shown(state, 60)} as the state; it must be plain data`);
    if (text.length > LONGEST_STATE)
      throw fail(
        `${name} returned a state of ${text.length} characters as JSON; it must have at most ${LONGEST_STATE}`,
      );
    return text;
  };
  return {
    start: (random) =>
      textOf(
        "start",
        attempt("start", () => own.start(random)),
      ),
    step(text, action) {
      const result = attempt("step", () => own.step(JSON.parse(text), action));
      if (typeof result !== "object" || result === null)
        throw fail(`step returned ${shown(result, 60)}; it must be an object with the next state`);
      const { reward = 0, done = false, success = false, note = "" } = result;
      if (typeof reward !== "number" || !Number.isFinite(reward))
        throw fail(`step returned ${shown(reward, 60)} as reward; it must be a finite number`);
      for (const [name, value] of Object.entries({ done, success }))
        if (typeof value !== "boolean")
          throw fail(`step returned ${shown(value, 60)} as ${name}; it must be true or false`);
      if (typeof note !== "string") throw fail(`step returned ${shown(note, 60)} as note; it must be a text`);
      return { state: textOf("step", result.state), reward, done: done || success, success, note };
    },
    where: (text) =>
      checkedPlaces(
        own,
        attempt("where", () => own.where(JSON.parse(text))),
        fail,
      ),
    plan: own.plan
      ? (text) => {
          const plan = attempt("plan", () => own.plan!(JSON.parse(text)));
          if (plan === null) return null;
          const isPlan = Array.isArray(plan) && plan.every((action) => own.actions.includes(action));
          if (!isPlan) throw fail(`plan returned ${shown(plan, 60)}; it must be a list of actions, or null`);
          return plan;
        }
      : null,
  };
}

type Fail = (what: string) => EnvError;

/** Cells by thing, each checked. */
function checkedPlaces(own: OwnEnvironment, given: unknown, fail: Fail): Record<string, Cell[]> {
  if (typeof given !== "object" || given === null)
    throw fail(`where returned ${shown(given, 60)}; it must be an object with the cells of each thing`);
  const places: Record<string, Cell[]> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(own.things, name))
      throw fail(`where names "${name}", which is not among things (${Object.keys(own.things).join(", ")})`);
    const cells = isCell(value) ? [value] : value;
    if (!Array.isArray(cells) || !cells.every(isCell))
      throw fail(
        `where returned ${shown(value, 60)} for ${name}; it must be [row, col], or a list of such cells`,
      );
    const outside = cells.find(([row, col]) => row < 0 || col < 0 || row >= own.rows || col >= own.cols);
    if (outside)
      throw fail(`${name} is at [${outside.join(", ")}], outside the board of ${own.rows} × ${own.cols}`);
    places[name] = cells.map(([row, col]) => [row, col]);
  }
  for (const name of ["player", ...own.claims])
    if (places[name]?.length !== 1)
      throw fail(
        `${name} has ${places[name]?.length ?? 0} cells; it must always have one, because the agent states it`,
      );
  return places;
}

const isCell = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isInteger);
