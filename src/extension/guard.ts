// Code of an extension runs in the middle of an update: what it returns is checked before it is used.
import { ExtensionError } from "../core/errors.ts";
import { failureText } from "../core/failure.ts";
import { withinSteps } from "../core/step-limit.ts";
import { returned } from "../envs/own/fault.ts";
import type { AdvantageEstimator, Advantages, AdvantageTokens } from "../rl/advantage/estimator.ts";
import type { BatchFilter, Filtered } from "../rl/filter/index.ts";
import type { BatchMetric } from "../rl/metric/index.ts";
import type { RewardTerm } from "../rl/reward/index.ts";
import type { OwnEstimator, OwnFilter, OwnMetric, OwnRewardTerm } from "./api.ts";
import { shown } from "./shape.ts";

const STOPPED =
  "Correct the extension and start a new run. If this one has saved a checkpoint, the new one can begin with its weights.";
const failed = (message: string, cause?: unknown) =>
  new ExtensionError("failed", message, STOPPED, { cause });

/** What `call` returns. @throws ExtensionError("failed") that names `who` when it throws, or returns a promise. */
function attempted<T>(who: string, call: () => T): T {
  const result = withinAttempt(who, call);
  if (!(result instanceof Promise)) return result;
  throw failed(`${who} is async; it must return its result at once, so leave out async and await.`);
}

function withinAttempt<T>(who: string, call: () => T): T {
  try {
    return withinSteps(call);
  } catch (error) {
    throw failed(`${who} ${failureText(error)}.`, error);
  }
}

/** The parts of an object that `call` returns; none of anything else. @throws as `attempted` */
const partsFrom = <T extends object>(who: string, call: () => T): T => {
  const result = attempted(who, call);
  return withinAttempt(who, () => ({ ...result }));
};

/** A number that stays finite in single precision, which is what it is trained with. */
const isUsable = (value: unknown): boolean =>
  typeof value === "number" && Number.isFinite(Math.fround(value));

/** `length` finite numbers. @throws ExtensionError("failed") that names the first that is none, and its place. */
function numbers(who: string, what: string, given: unknown, length: number): Float64Array {
  const list = given as ArrayLike<unknown> | null | undefined;
  if (typeof list !== "object" || list === null || typeof list.length !== "number")
    throw failed(`${who} returned ${returned(given)} as ${what}; it must be an array of ${length} numbers.`);
  if (list.length !== length)
    throw failed(`${who} returned ${list.length} ${what} for ${length} tokens; there must be one for each.`);
  for (let i = 0; i < length; i++)
    if (!isUsable(list[i]))
      throw failed(`${who} returned ${shown(list[i])} as ${what}[${i}]; it must be a finite number.`);
  return Float64Array.from(list as ArrayLike<number>);
}

/** Extensions may still read two arrays by their former names. */
const withOldNames = (tokens: AdvantageTokens) => ({
  ...tokens,
  lossMask: tokens.gaeMask,
  behaviourLogprobs: tokens.rolloutLogprobs,
});

/** The estimator with its result checked: finite numbers, one for each token. */
export function guardedEstimator(own: Required<OwnEstimator>): AdvantageEstimator {
  const who = `The estimator "${own.id}"`;
  return {
    ...own,
    estimate(tokens, params): Advantages {
      const n = tokens.rewards.length;
      const out = partsFrom(who, () => own.estimate(withOldNames(tokens), params));
      const advantages = numbers(who, "advantages", out.advantages, n);
      const returns = numbers(who, "returns", out.returns, n);
      if (out.valueMask === undefined) return { advantages, returns };
      const mask = numbers(who, "valueMask", out.valueMask, n);
      return { advantages, returns, valueMask: Uint8Array.from(mask, (x) => (x ? 1 : 0)) };
    },
  };
}

/** The term with its score checked: a finite number for every turn. */
export function guardedTerm(own: Required<OwnRewardTerm>): RewardTerm {
  const who = `The reward term "${own.id}"`;
  return {
    ...own,
    score(turn) {
      const score = attempted(who, () => own.score(turn));
      if (isUsable(score)) return score;
      throw failed(
        `${who} returned ${returned(score)} for turn ${turn.index + 1} of an episode; it must be a finite number.`,
      );
    },
  };
}

/** The filter with its choice checked: one answer for each episode, one episode kept at least. */
export function guardedFilter(own: Required<OwnFilter>): BatchFilter {
  const who = `The filter "${own.id}"`;
  return {
    ...own,
    apply(episodes, options): Filtered {
      const filtered = partsFrom(who, () => own.apply(episodes, options));
      const { keep } = filtered;
      if (!Array.isArray(keep) || keep.length !== episodes.length || keep.some((k) => typeof k !== "boolean"))
        throw failed(
          `${who} returned ${returned(keep)} as keep; it must be ${episodes.length} times true or false.`,
        );
      if (!keep.includes(true))
        throw failed(`${who} kept none of ${episodes.length} episodes; it must keep one at least.`);
      const { scale = 1, metrics = {} } = filtered;
      if (!(Number.isFinite(scale) && scale > 0))
        throw failed(`${who} returned the scale ${shown(scale)}; it must be above 0.`);
      for (const [name, value] of Object.entries(metrics)) assertNumber(`${who}: its metric ${name}`, value);
      return { keep, scale, metrics };
    },
  };
}

/** The metric with its number checked. What is not finite is logged as it is, and its chart has a gap there. */
export function guardedMetric(own: Required<OwnMetric>): BatchMetric {
  const who = `The metric "${own.id}"`;
  return {
    ...own,
    measure(trajectories, split) {
      const value = attempted(who, () => own.measure(trajectories, split));
      if (value !== undefined) assertNumber(who, value);
      return value;
    },
  };
}

function assertNumber(who: string, value: unknown): void {
  if (typeof value !== "number") throw failed(`${who} is ${returned(value)}; it must be a number.`);
}
