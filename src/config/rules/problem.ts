// What the checks of a configuration report.
import { type Message, message, plainText, setting, value as valuePart } from "../../core/message.ts";

/** What is wrong with one value. */
export interface ConfigProblem {
  /** Dotted path of the value. */
  path: string;
  value: unknown;
  /** Why the value is refused; it ends the sentence "… is 5; expected." */
  expected: Message;
  /** What to do about it. */
  hint: Message;
  /** What the setting accepts, where `expected` and `hint` say no more than that: forms say it once. */
  accepted?: Message;
  /** The smallest change that solves it, where there is one: not always of this value. */
  fix?: ConfigFix;
  /** The entry of `envs` that causes the problem: without it the value is valid. */
  entry?: string;
  /** Settings that the check compares and that no text names. */
  reads?: readonly string[];
}

/** A value for one setting that solves a problem. */
export interface ConfigFix {
  path: string;
  value: unknown;
}

/** The problem as a sentence: setting, value and why the value is refused. */
export const sentenceOf = ({ path, value, expected }: ConfigProblem): Message =>
  message`${path ? setting(path) : "The configuration"} is ${valuePart(path, value)}; ${expected}.`;

/** Sentence and hint as the command line writes them. */
export const problemText = (problem: ConfigProblem): { message: string; hint: string } => ({
  message: plainText(sentenceOf(problem)),
  hint: plainText(problem.hint),
});
