// Does a user's own environment keep the contract? Each check of it is one line of a report.
import { StudioError } from "../core/errors.ts";
import { counted } from "../core/format.ts";
import { type Rng, rng } from "../core/rng.ts";
import type { Frame } from "../core/types.ts";
import type { Env, EnvSpec } from "../envs/env.ts";
import { CORRECT_IT, OwnFault, UnrepeatedStep } from "../envs/own/fault.ts";
import type { Language } from "./check-language.ts";

/** One check of the contract. */
export interface CheckLine {
  /** What is checked, as a statement. */
  readonly check: string;
  readonly outcome: "passed" | "failed" | "not run";
  /** What was found; empty where the check was not run. */
  readonly found: string;
}

const LEVELS = 20;
const ACTIONS = 30;

/** An environment, and any action of it. */
interface Game {
  readonly spec: EnvSpec;
  anyAction(random: Rng): string;
}

type Id = "begins" | "repeats" | "differs" | "instructs" | "solves" | "plays" | "shows" | "reads";

interface Check {
  readonly id: Id;
  readonly says: string;
  /** What was found. @throws Broken if the statement is false; what the environment throws */
  run(game: Game): string;
}

/** What a check throws to fail. */
class Broken extends Error {}

const checksOf = (spec: EnvSpec, language?: Language): readonly Check[] => [
  {
    id: "begins",
    says: `Levels begin, and their things lie on the ${spec.isWorld ? "plane" : "board"}`,
    run: begins,
  },
  { id: "repeats", says: "The same seed and actions give the same episode", run: repeats },
  { id: "differs", says: "Seeds give different levels", run: differs },
  ...(givesInstructions(spec)
    ? [
        {
          id: "instructs" as const,
          says: "Instructions are in the list, stay the same within a level and differ between levels",
          run: instructs,
        },
      ]
    : []),
  hasChance(spec)
    ? {
        id: "solves",
        says: "A plan that is made again after every action solves at least half of the levels",
        run: solvesMost,
      }
    : {
        id: "solves",
        says: "A plan solves every level, from its start and after another action",
        run: solves,
      },
  { id: "plays", says: "Any actions may be played, and every result can be read", run: plays },
  { id: "shows", says: "The picture shows what changes", run: shows },
  ...(language
    ? [
        {
          id: "reads" as const,
          says: "What its words say is read as it is meant",
          run: (game: Game) => readsBack(game, language),
        },
      ]
    : []),
];

/** How a check ended. */
interface Finding extends Omit<CheckLine, "check"> {
  readonly of: Id;
  /** Whether no game can be played, so that no other check can be run. */
  readonly endsAll?: boolean;
}

/**
 * Every check with what was found, in order. After a function of the environment has failed, no other check is run.
 * @param language what is to be read back; absent: words that follow from the board and are read rightly.
 * @param anyAction any action, where the listed ones are examples
 */
export function checkEnvironment(
  spec: EnvSpec,
  language?: Language,
  anyAction: Game["anyAction"] = (random) => random.pick(spec.actions),
): CheckLine[] {
  const checks = checksOf(spec, language);
  const findings = new Map<Id, Finding>();
  for (const check of checks) {
    const finding = findingOf(check, { spec, anyAction });
    findings.set(finding.of, finding);
    if (finding.endsAll) break;
  }
  return checks.map(({ id, says }) => {
    const { outcome, found } = findings.get(id) ?? { outcome: "not run", found: "" };
    return { check: says, outcome, found };
  });
}

function findingOf({ id, run }: Check, game: Game): Finding {
  try {
    return { of: id, outcome: "passed", found: run(game) };
  } catch (error) {
    if (error instanceof Broken) return { of: id, outcome: "failed", found: error.message };
    return { of: brokenBy(error, id), outcome: "failed", found: saidOf(error), endsAll: true };
  }
}

/** The check that an error is about, which need not be the one that it ended: every check plays games. */
function brokenBy(error: unknown, running: Id): Id {
  if (error instanceof StudioError && error.code === "unsolvable_level") return "solves";
  if (!(error instanceof OwnFault)) return running;
  if (error instanceof UnrepeatedStep) return "repeats";
  if (error.of === "plan") return "solves";
  if (error.of === "instruction") return "instructs";
  const isStart = error.of === "start" || (error.of === "where" && running === "begins");
  return isStart ? "begins" : "plays";
}

function saidOf(error: unknown): string {
  if (!(error instanceof StudioError))
    return `This could not be checked: ${error instanceof Error ? error.message : String(error)}`;
  const { message, hint } = error;
  return hint === undefined || hint === CORRECT_IT ? message : `${message} ${hint}`;
}

/** "6 of 6 checks passed", or "1 of 6 checks failed, and 4 were not run". */
export function checksText(lines: readonly Pick<CheckLine, "outcome">[]): string {
  const count = (of: CheckLine["outcome"]) => lines.filter(({ outcome }) => outcome === of).length;
  const all = counted(lines.length, "check");
  const [failed, left] = [count("failed"), count("not run")];
  if (failed === 0) return `${count("passed")} of ${all} passed`;
  return `${failed} of ${all} failed${left > 0 ? `, and ${left} ${left === 1 ? "was" : "were"} not run` : ""}`;
}

function begun(spec: EnvSpec, seed: number): Env {
  const env = spec.create(spec.config.parse({}), { searchBudget: 1 });
  env.reset(seed);
  return env;
}

const hasChance = (spec: EnvSpec): boolean => spec.hasChance?.(spec.config.parse({})) ?? false;

const givesInstructions = (spec: EnvSpec): boolean =>
  spec.create(spec.config.parse({})).question !== undefined;

const seeds = Array.from({ length: LEVELS }, (_, i) => i + 1);

function begins({ spec }: Game): string {
  for (const seed of seeds) begun(spec, seed).groundTruth();
  return counted(LEVELS, "level");
}

/** An episode of random actions, step by step: what is seen. */
function* playing({ spec, anyAction }: Game, seed: number): Generator<unknown> {
  const env = begun(spec, seed);
  const random = rng(seed).fork("check");
  yield env.groundTruth();
  for (let i = 0; i < ACTIONS; i++) {
    const result = env.step(anyAction(random));
    yield [result, env.groundTruth()];
    if (result.terminated) return;
  }
}

/** The same while another level is played beside it, as training does. */
function* playingBeside(game: Game, seed: number, other: number): Generator<unknown> {
  const beside = playing(game, other);
  for (const seen of playing(game, seed)) {
    yield seen;
    beside.next();
  }
}

function repeats(game: Game): string {
  for (const seed of seeds) {
    const [alone, beside] = [playing(game, seed), playingBeside(game, seed, seed + 1)].map((seen) =>
      JSON.stringify([...seen]),
    );
    if (alone !== beside)
      throw new Broken(
        `Level ${seed} went two ways. Take all random numbers from random, an argument of start and with chance: true of step, and keep everything in the state: many games are played side by side.`,
      );
  }
  return `${counted(LEVELS, "level")}, each played twice`;
}

function differs({ spec }: Game): string {
  const levels = new Set(seeds.map((seed) => JSON.stringify(begun(spec, seed).groundTruth())));
  if (levels.size < 2)
    throw new Broken("All levels are the same. Let start draw something from random, its argument.");
  return `${levels.size} of ${LEVELS} are different`;
}

function instructs({ spec }: Game): string {
  const given = new Set(seeds.map((seed) => begun(spec, seed).question!()));
  if (given.size < 2)
    throw new Broken(
      `All levels give the instruction "${[...given][0]}". Let start draw what the agent is to do, and instruction say it.`,
    );
  return `${given.size} different ones in ${counted(LEVELS, "level")}`;
}

function solves({ spec, anyAction }: Game): string {
  const lengths = seeds.map((seed) => {
    const plan = followed(begun(spec, seed), `level ${seed}`);
    if (!plan) throw new Broken(`Level ${seed} has no plan.`);
    // One of the actions a level: each may need a search of its own, and a page gives the check ten seconds.
    const action = anyAction(rng(seed).fork("another action"));
    const moved = begun(spec, seed);
    if (!moved.step(action).terminated) followed(moved, `level ${seed} after ${action}`);
    return plan.length;
  });
  return `plans have ${Math.min(...lengths)} to ${counted(Math.max(...lengths), "action")}`;
}

/** Most actions of a level in which chance decides, too. */
const MOST_TRIES = 200;

function solvesMost({ spec }: Game): string {
  const solved = seeds.filter((seed) => isSolved(begun(spec, seed))).length;
  const found = `${solved} of ${counted(LEVELS, "level")} solved within ${MOST_TRIES} actions`;
  if (solved * 2 >= LEVELS) return found;
  throw new Broken(
    `${found}. Let plan return what to do next in every state from which success is possible, or make chance kinder: demonstrations would mostly show failures.`,
  );
}

/** Whether the first action of each plan leads to success. */
function isSolved(env: Env): boolean {
  for (let i = 0; i < MOST_TRIES; i++) {
    const next = env.oracle()?.[0];
    if (next === undefined) return false;
    const { terminated, success } = env.step(next);
    if (terminated) return success;
  }
  return false;
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

function plays(game: Game): string {
  const steps = seeds.reduce((sum, seed) => sum + [...playing(game, seed)].length - 1, 0);
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
const shows = (game: Game): string =>
  `${counted(
    seeds.reduce((changes, seed) => changes + changesSeen(game, seed), 0),
    "change",
  )} seen`;

function changesSeen({ spec, anyAction }: Game, seed: number): number {
  const env = begun(spec, seed);
  const random = rng(seed).fork("check");
  let [changes, before] = [0, viewOf(env, spec)];
  for (let i = 0; i < ACTIONS; i++) {
    const { terminated } = env.step(anyAction(random));
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
function readsBack({ spec, anyAction }: Game, language: Language): string {
  let states = 0;
  for (const seed of seeds) {
    const env = begun(spec, seed);
    const random = rng(seed).fork("check");
    for (let i = 0; i < ACTIONS; i++) {
      const action = anyAction(random);
      const problem = language.misread(env.groundTruth(), action);
      if (problem !== null) throw new Broken(problem);
      states++;
      if (env.step(action).terminated) break;
    }
  }
  return `${counted(states, "state")} read`;
}
