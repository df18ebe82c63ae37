// Calls the functions of a user's own environment. What they return is checked before it is used, and what they were given is
// never shared with them, so that a mistake costs a message and nothing else.
import { failureText } from "../../core/failure.ts";
import { listed } from "../../core/format.ts";
import { short } from "../../core/short.ts";
import { withinSteps } from "../../core/step-limit.ts";
import { type OwnActions, ownActions } from "./actions.ts";
import { faulty, type OwnFunction, returned } from "./fault.ts";
import { afterAction, drawsOf, type Luck, NO_LUCK } from "./luck.ts";
import type { OwnEnvironment, OwnRandom } from "./own.ts";
import { checkedPlaces, type Places } from "./places.ts";
import { isResult, RESULT_FORM } from "./result.ts";

/** A state as text, with chance also what the next action draws from: the only form in which it is kept. */
export type StateText = string;

/** A checked result of `step`. */
export interface CheckedStep {
  state: StateText;
  /** Whether the state is another one than before. */
  changed: boolean;
  reward: number;
  done: boolean;
  success: boolean;
  note: string;
  /** Of an end without success that is no failure. */
  result?: string | undefined;
}

/** The environment's functions, on states as text, with checked results. */
export interface Calls {
  /** @param seed of the level */
  start(random: OwnRandom, seed: number): StateText;
  step(state: StateText, action: string): CheckedStep;
  where(state: StateText): Places;
  /** Null where levels give no instructions. */
  instruction: ((state: StateText) => string) | null;
  plan: ((state: StateText) => readonly string[] | null) | null;
}

const WITHOUT_CHANCE: Luck = [0, 0];

/** Most characters of a note: it stands beside every action of a recorded episode. */
const LONGEST_NOTE = 200;
/** Most characters of a state as text: a search keeps thousands of states. A full board of 12 × 12 has a few thousand. */
const LONGEST_STATE = 10_000;
/** Most entries of a list of places or actions. A board has at most 144 cells. */
const LONGEST_LIST = 1000;

export function callsOf(own: OwnEnvironment): Calls {
  const actions = ownActions(own.actions);
  const kept = (state: string, luck: Luck): StateText =>
    own.chance ? `{"luck":${JSON.stringify(luck)},"state":${state}}` : state;
  const read = (text: StateText) => (own.chance ? split(text) : { state: text, luck: WITHOUT_CHANCE });
  const attempt = <T>(name: OwnFunction, call: () => T, given?: Given): T => {
    try {
      return withinSteps(call);
    } catch (error) {
      const isResult = error instanceof Unusable;
      const what = `${name} ${isResult ? error.message : failureText(error)}`;
      throw faulty(own.id, name, what + toldOf(given), isResult ? undefined : error);
    }
  };
  const failIn = (name: OwnFunction, given?: Given) => (what: string) =>
    faulty(own.id, name, what + toldOf(given));
  const textOf = (name: OwnFunction, state: unknown, given?: Given): string => {
    return attempt(
      name,
      () => {
        if (state === undefined)
          throw new Unusable(
            `returned nothing as the state; it must be plain data${name === "step" ? ", in an object: { state }" : ""}`,
          );
        checkPlain(state, new Walk());
        const text = JSON.stringify(state);
        if (text.length > LONGEST_STATE) throw tooLong(String(text.length));
        return text;
      },
      given,
    );
  };
  return {
    start: (random, seed) =>
      kept(
        textOf(
          "start",
          attempt("start", () => atOnce(own.start(random))),
        ),
        [seed, 0],
      ),
    step(text, action) {
      const { state: before, luck } = read(text);
      const given = { state: before, action };
      const fail = failIn("step", given);
      // Parts are read inside, where a getter that throws is an error of the environment.
      const result = attempt(
        "step",
        () => {
          const { name, values } = actions.parse(action);
          const random = own.chance ? drawsOf(luck) : NO_LUCK;
          const next = atOnce(own.step(JSON.parse(before), name, values, random));
          return isObject(next) ? partsOf({ ...next }) : { whole: next };
        },
        given,
      );
      if ("whole" in result)
        throw fail(
          `step returned ${returned(result.whole)}; it must be an object with the next state: { state }`,
        );
      const [unknown] = result.unknown;
      if (unknown !== undefined)
        throw fail(
          `step returned ${short(unknown, 40)}, which is no part of a result; the parts are ${listed(PARTS)}`,
        );
      const { reward, done, success, note } = result;
      // Rewards are trained with in single precision.
      if (typeof reward !== "number" || !Number.isFinite(Math.fround(reward)))
        throw fail(`step returned ${returned(reward)} as reward; it must be a finite number`);
      for (const [name, value] of Object.entries({ done, success }))
        if (typeof value !== "boolean")
          throw fail(`step returned ${returned(value)} as ${name}; it must be true or false`);
      if (typeof note !== "string" || note.length > LONGEST_NOTE)
        throw fail(
          `step returned ${returned(note)} as note; it must be a text of at most ${LONGEST_NOTE} characters`,
        );
      const after = textOf("step", result.state, given);
      return {
        state: kept(after, afterAction(luck)),
        changed: after !== before,
        reward,
        done: done === true || success === true,
        success: success === true,
        note,
        result: checkedResult(result, fail),
      };
    },
    where(text) {
      const given = read(text);
      const found = attempt(
        "where",
        () => {
          const places = atOnce(own.where(JSON.parse(given.state)));
          return isObject(places)
            ? Object.entries(places).map(([name, list]) => [name, dense(list)])
            : places;
        },
        given,
      );
      return checkedPlaces(own, found, failIn("where", given));
    },
    instruction: own.instruction
      ? (text) => {
          const given = read(text);
          const said = attempt("instruction", () => atOnce(own.instruction!(JSON.parse(given.state))), given);
          if (own.instructions?.includes(said)) return said;
          throw failIn(
            "instruction",
            given,
          )(
            `instruction returned ${returned(said)}; it must return a sentence of the list instructions, so correct it or add the sentence`,
          );
        }
      : null,
    plan: own.plan
      ? (text) => {
          const given = read(text);
          const plan = attempt("plan", () => dense(atOnce(own.plan!(JSON.parse(given.state)))), given);
          if (plan === null) return null;
          return readPlan(plan, actions, failIn("plan", given));
        }
      : null,
  };
}

/** What a function was called with: the state as JSON. */
interface Given {
  readonly state: string;
  readonly action?: string;
}

/** The state and the luck that a text has. Without chance, or if it was recorded without, the text is the state. */
function split(text: StateText): { state: string; luck: Luck } {
  const [, luck, state] = /^\{"luck":(\[\d+,\d+\]),"state":(.*)\}$/s.exec(text) ?? [];
  return luck === undefined ? { state: text, luck: [0, 0] } : { state: state!, luck: JSON.parse(luck) };
}

/** What a function was called with, to follow what it did. A long state is cut. */
const toldOf = (given: Given | undefined): string =>
  given === undefined
    ? ""
    : `. It was called with ${given.action === undefined ? "" : `the action ${given.action} in `}the state ${short(given.state, LONGEST_QUOTE)}`;
const LONGEST_QUOTE = 120;

/** A plan in the spelling of its actions. @throws what `fail` makes of anything else */
function readPlan(plan: unknown, actions: OwnActions, fail: (what: string) => Error): readonly string[] {
  const wrong = (why = "") =>
    fail(`plan returned ${returned(plan)}; it must be a list of actions, or null${why && `. ${why}`}`);
  if (!Array.isArray(plan)) throw wrong();
  return plan.map((action: unknown) => {
    if (typeof action !== "string") throw wrong();
    const read = actions.read(action);
    if (read === null) throw wrong(actions.whyUnknown(action).replace(/\.$/, ""));
    return read;
  });
}

/** What is wrong with a result, to follow the name of the function. */
class Unusable extends Error {}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A result that is there at once. @throws Unusable for a promise */
function atOnce<T>(result: T): T {
  if (isObject(result) && "then" in result && typeof result.then === "function")
    throw new Unusable("is async; it must return its result at once, so leave out async and await");
  return result;
}

const PARTS: readonly string[] = ["state", "reward", "done", "success", "note", "result"];

const partsOf = ({
  state,
  reward = 0,
  done = false,
  success = false,
  note = "",
  result,
  ...others
}: Record<string, unknown>) => ({
  ...{ state, reward, done, success, note, result },
  unknown: Object.keys(others),
});

/** @throws what `fail` makes of a result that cannot be shown, or of one that does not go with the other parts */
function checkedResult(
  { result, done, success }: ReturnType<typeof partsOf>,
  fail: (what: string) => Error,
): string | undefined {
  if (result === undefined) return undefined;
  const said = `step returned ${returned(result)} as result`;
  if (!isResult(result)) throw fail(`${said}; it must be ${RESULT_FORM}`);
  if (success === true)
    throw fail(`${said} with success: true; leave result out, because it names an end without success`);
  if (done !== true) throw fail(`${said} without done: true; add done, or leave result out`);
  return result;
}

/** Lists without gaps: what was left out is undefined, and not passed over by `every`. @throws Unusable for a list that is too long */
function dense(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length > LONGEST_LIST)
    throw new Unusable(`returned a list of ${value.length} entries; it must have at most ${LONGEST_LIST}`);
  return Array.from(value, dense);
}

/** Where a check is within a state, and how many characters the state may still have. */
class Walk {
  /** Keys from the state to the value. As text they would take most of the time, because a search for a plan checks thousands of states. */
  private readonly keys: (string | number)[] = [];
  private left = LONGEST_STATE;

  /** The place of the value: "the state.walls[2]". */
  get at(): string {
    return `the state${this.keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("")}`;
  }

  get depth(): number {
    return this.keys.length;
  }

  /** Counts characters before the state is written, because a large state would be written to a larger text. @throws Unusable when there are too many */
  take(count: number): void {
    this.left -= count;
    if (this.left < 0) throw tooLong(`more than ${LONGEST_STATE}`, ` (up to ${this.at})`);
  }

  enter(key: string | number): void {
    this.keys.push(key);
  }

  leave(): void {
    this.keys.pop();
  }
}

const tooLong = (length: string, upTo = ""): Unusable =>
  new Unusable(
    `returned a state of ${length} characters as JSON${upTo}; it must have at most ${LONGEST_STATE}, so keep in it only what later steps need`,
  );

/** Levels of objects in a state; one that refers to itself has no end. */
const MOST_LEVELS = 50;

/** @throws Unusable for what JSON would change without a word: the state is kept as JSON. */
function checkPlain(value: unknown, walk: Walk): void {
  if (!isObject(value)) {
    checkSimple(value, walk);
    return;
  }
  walk.take(1);
  if (walk.depth > MOST_LEVELS)
    throw new Unusable(`returned a state that refers to itself, or is too deep, at ${walk.at}`);
  if (Array.isArray(value)) {
    checkList(value, walk);
    return;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw special(value, walk);
  for (const key of Object.keys(value)) {
    walk.take(key.length);
    walk.enter(key);
    checkPlain((value as Record<string, unknown>)[key], walk);
    walk.leave();
  }
}

function checkList(list: readonly unknown[], walk: Walk): void {
  if (Object.getPrototypeOf(list) !== Array.prototype) throw special(list, walk);
  for (let i = 0; i < list.length; i++) {
    if (list[i] === undefined) throw new Unusable(`returned ${walk.at} with a gap at [${i}]; use null`);
    walk.enter(i);
    checkPlain(list[i], walk);
    walk.leave();
  }
}

const special = (value: object, { at }: Walk): Unusable =>
  new Unusable(`returned a ${value.constructor?.name ?? "special object"} as ${at}; it must be plain data`);

/** Checks a value that is not an object. */
function checkSimple(value: unknown, walk: Walk): void {
  if (typeof value === "number" && !Number.isFinite(value)) throw notTaken(value, walk, "a finite number");
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol")
    throw notTaken(value, walk, "plain data");
  walk.take(typeof value === "string" ? value.length : 1);
}

const notTaken = (value: unknown, { at }: Walk, instead: string): Unusable =>
  new Unusable(`returned ${returned(value)} as ${at}; it must be ${instead}`);
