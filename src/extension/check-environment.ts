// Does a user's own environment keep the contract? Each promise is one line of a report.
import { StudioError } from "../core/errors.ts";
import { counted } from "../core/format.ts";
import { rng } from "../core/rng.ts";
import type { Frame } from "../core/types.ts";
import type { Env, EnvSpec } from "../envs/env.ts";
import type { Language } from "./check-language.ts";

/** One promise of the contract. */
export interface CheckLine {
  readonly promise: string;
  readonly ok: boolean;
  /** What was found. */
  readonly found: string;
}

const LEVELS = 20;
const ACTIONS = 30;

type Check = (spec: EnvSpec) => string;

/** What a check throws to fail. */
class Broken extends Error {}

const checksOf = ({ isWorld }: EnvSpec): readonly (readonly [promise: string, check: Check])[] => [
  [`Levels begin, and their things lie on the ${isWorld ? "plane" : "board"}`, begins],
  ["The same seed and actions give the same episode", repeats],
  ["Seeds give different levels", differs],
  ["A plan solves every level, from its start and after another action", solves],
  ["Any actions may be played, and every result can be read", plays],
  ["The picture shows what changes", shows],
];

/**
 * Every promise with what was found, in order. Where no level begins, nothing else can be checked.
 * @param language what is to be read back; absent: words that follow from the board and are read rightly.
 */
export function checkEnvironment(spec: EnvSpec, language?: Language): CheckLine[] {
  const lines: CheckLine[] = [];
  const reads: ReturnType<typeof checksOf> = language
    ? [["What its words say is read as it is meant", () => readsBack(spec, language)]]
    : [];
  for (const [promise, check] of [...checksOf(spec), ...reads]) {
    lines.push(lineOf(promise, check, spec));
    if (!lines[0]!.ok) break;
  }
  return lines;
}

function lineOf(promise: string, check: Check, spec: EnvSpec): CheckLine {
  try {
    return { promise, ok: true, found: check(spec) };
  } catch (error) {
    const isKnown = error instanceof Broken || error instanceof StudioError;
    const said = error instanceof Error ? error.message : String(error);
    return { promise, ok: false, found: isKnown ? said : `This could not be checked: ${said}` };
  }
}

function begun(spec: EnvSpec, seed: number): Env {
  const env = spec.create(spec.config.parse({}), { searchBudget: 1 });
  env.reset(seed);
  return env;
}

const seeds = Array.from({ length: LEVELS }, (_, i) => i + 1);

function begins(spec: EnvSpec): string {
  for (const seed of seeds) begun(spec, seed).groundTruth();
  return counted(LEVELS, "level");
}

/** An episode of random actions, step by step: what is seen. */
function* playing(spec: EnvSpec, seed: number): Generator<unknown> {
  const env = begun(spec, seed);
  const random = rng(seed).fork("check");
  yield env.groundTruth();
  for (let i = 0; i < ACTIONS; i++) {
    const result = env.step(random.pick(spec.actions));
    yield [result, env.groundTruth()];
    if (result.terminated) return;
  }
}

/** The same while another level is played beside it, as training does. */
function* playingBeside(spec: EnvSpec, seed: number, other: number): Generator<unknown> {
  const beside = playing(spec, other);
  for (const seen of playing(spec, seed)) {
    yield seen;
    beside.next();
  }
}

function repeats(spec: EnvSpec): string {
  for (const seed of seeds) {
    const [alone, beside] = [playing(spec, seed), playingBeside(spec, seed, seed + 1)].map((seen) =>
      JSON.stringify([...seen]),
    );
    if (alone !== beside)
      throw new Broken(
        `Level ${seed} went two ways. Take all random numbers from the one that start is given, and keep everything in the state: many games are played side by side.`,
      );
  }
  return `${counted(LEVELS, "level")}, each played twice`;
}

function differs(spec: EnvSpec): string {
  const levels = new Set(seeds.map((seed) => JSON.stringify(begun(spec, seed).groundTruth())));
  if (levels.size < 2)
    throw new Broken(
      "All levels are the same. Let start draw something with the random numbers that it is given.",
    );
  return `${levels.size} of ${LEVELS} are different`;
}

function solves(spec: EnvSpec): string {
  const lengths = seeds.map((seed) => {
    const plan = followed(begun(spec, seed), `level ${seed}`);
    if (!plan) throw new Broken(`Level ${seed} has no plan.`);
    // One of the actions a level: each may need a search of its own, and a page gives the check ten seconds.
    const action = spec.actions[seed % spec.actions.length]!;
    const moved = begun(spec, seed);
    if (!moved.step(action).terminated) followed(moved, `level ${seed} after ${action}`);
    return plan.length;
  });
  return `plans have ${Math.min(...lengths)} to ${counted(Math.max(...lengths), "action")}`;
}

/** Follows the plan; null if there is none. @throws Broken if it does not solve the level. */
function followed(env: Env, where: string): readonly string[] | null {
  const plan = env.oracle();
  if (!plan) return null;
  const results = plan.map((action) => env.step(action));
  const early = results.slice(0, -1).findIndex(({ terminated }) => terminated);
  if (early >= 0)
    throw new Broken(`The plan of ${where} ended after ${counted(early + 1, "action")} of ${plan.length}.`);
  if (!results.at(-1)?.success)
    throw new Broken(`The plan of ${where} (${plan.join(", ")}) does not solve it.`);
  return plan;
}

function plays(spec: EnvSpec): string {
  const steps = seeds.reduce((sum, seed) => sum + [...playing(spec, seed)].length - 1, 0);
  return counted(steps, "action");
}

const isSame = (a: Frame, b: Frame): boolean => a === b || a.data.every((value, i) => value === b.data[i]);

/** What is seen of a state, as a picture and as text. */
interface View {
  readonly picture: Frame;
  readonly text: string;
}

/** The view of a state. @param before that of the state before it: on a plane, equal texts have equal pictures, which need not be drawn again */
function viewOf(env: Env, { isWorld }: EnvSpec, before?: View): View {
  const text = env.text();
  return isWorld && text === before?.text ? before : { picture: env.render(8), text };
}

/** Where things lie decides what is seen; a state may also hold what is not. */
const shows = (spec: EnvSpec): string =>
  `${counted(
    seeds.reduce((changes, seed) => changes + changesSeen(spec, seed), 0),
    "change",
  )} seen`;

function changesSeen(spec: EnvSpec, seed: number): number {
  const env = begun(spec, seed);
  const random = rng(seed).fork("check");
  let [changes, before] = [0, viewOf(env, spec)];
  for (let i = 0; i < ACTIONS; i++) {
    const { terminated } = env.step(random.pick(spec.actions));
    const after = viewOf(env, spec, before);
    const isUnchanged = before.text === after.text;
    if (isUnchanged !== isSame(before.picture, after.picture))
      throw new Broken(`In level ${seed} ${unseen(spec, isUnchanged)}`);
    changes += Number(!isUnchanged);
    if (terminated) break;
    before = after;
  }
  return changes;
}

/** What moved and cannot be seen. @param isOnlyInPicture whether the text shows no change */
const unseen = ({ isWorld }: EnvSpec, isOnlyInPicture: boolean): string =>
  isWorld
    ? "something moved below another thing, where it cannot be seen. List it later in things, change a size, or give it another color than what lies below."
    : `something moved that ${isOnlyInPicture ? "has no letter of its own" : "looks like what was there"}. Give every thing its own color or shape, and its own symbol.`;

/** Reads, as the rules do, what a demonstration says of the states of levels played at random. @throws Broken for what they read wrongly */
function readsBack(spec: EnvSpec, language: Language): string {
  let states = 0;
  for (const seed of seeds) {
    const env = begun(spec, seed);
    const random = rng(seed).fork("check");
    for (let i = 0; i < ACTIONS; i++) {
      const action = random.pick(spec.actions);
      const problem = language.misread(env.groundTruth(), action);
      if (problem !== null) throw new Broken(problem);
      states++;
      if (env.step(action).terminated) break;
    }
  }
  return `${counted(states, "state")} read`;
}
