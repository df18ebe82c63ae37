// What is wrong with a user's own environment, by the function that did it.
import { EnvError } from "../../core/errors.ts";
import { shown } from "../../core/short.ts";

/** A value that a function returned, in a message. */
export const returned = (value: unknown): string => (value === undefined ? "nothing" : shown(value, 60));

/** A function of an environment. */
export type OwnFunction = "start" | "step" | "where" | "instruction" | "plan";

/** What to do about an environment that has no remedy of its own. */
export const CORRECT_IT = "Correct the environment and add it again, then start again.";

/** A function of an environment failed, or returned what cannot be used. */
export class OwnFault extends EnvError {
  constructor(
    /** The function. `plan` also stands for the search that takes its place. */
    readonly of: OwnFunction,
    message: string,
    hint = CORRECT_IT,
    options?: ErrorOptions,
  ) {
    super("own_failed", message, hint, options);
  }
}

/** An action that had several results in one state. */
export class UnrepeatedStep extends OwnFault {
  constructor(action: string) {
    super(
      "step",
      `The action ${action} gave two different results in the same state.`,
      "Let step use its arguments only: keep everything in the state, and with chance: true take random numbers from random, its last argument.",
    );
  }
}

/** The fault of a function of the environment `id`. @param what the function did, to follow the name of the environment */
export const faulty = (id: string, of: OwnFunction, what: string, cause?: unknown): OwnFault =>
  new OwnFault(of, `The environment "${id}": ${what}.`, CORRECT_IT, { cause });
