// Instructions in the style of each task set, from a small grammar. A fixed part of all its sentences is kept for evaluation, so an
// agent is evaluated on sentences that no training task can have.
import type { Rng } from "../../core/rng.ts";
import type { Kind } from "./kinds.ts";
import { COLORS, type ColorName } from "./models/part.ts";
import { PHRASES } from "./phrases.ts";
import type { Split, Style } from "./task-sets.ts";

/** One in this many sentences is kept for evaluation. */
const KEPT = 4;

const OPENERS = ["", "please", "now", "robot", "hello robot please", "could you"];
const VERBS = ["go to", "walk to", "move to", "find", "get close to", "head to"];
const CLOSERS = [
  "",
  "and stop beside it",
  "and stay near it",
  "in this home",
  "and wait there",
  "and be as close as possible",
];

const WISHES = [
  "i want to",
  "i would like to",
  "i need to",
  "where can i",
  "show me where to",
  "help me i must",
  "take me where i can",
];
const REASONS = [
  "",
  "before we leave",
  "right now",
  "after this long day",
  "if you can",
  "in the next minutes",
];

const CHATTER = [
  "my friends are coming at six and i have not finished anything",
  "the weather is so nice today that i forgot the time",
  "i had a long day at work and my feet hurt",
  "the neighbours were loud again last night",
  "we talked about the holiday for an hour",
  "my brother called and told me a funny story",
  "it has been raining since the morning",
];
const REQUESTS = [
  "so * would you",
  "anyway * please",
  "what i really need is that you *",
  "so could you *",
  "but first *",
];
const AFTERTHOUGHTS = [
  "",
  "and then we can talk about the holiday",
  "because i am too tired to do it",
  "while i call my brother",
  "and do not worry about the weather",
];

const joined = (...parts: readonly string[]): string => parts.filter(Boolean).join(" ");

/** One random sentence of a style about a target. */
function sentence(style: Style, kind: Kind, color: ColorName, random: Rng): string {
  const { names, purposes, looks } = PHRASES[kind];
  const name = `the ${random.pick(names)}`;
  switch (style) {
    case "base":
    case "long_horizon":
      return joined(random.pick(OPENERS), random.pick(VERBS), name, random.pick(CLOSERS));
    case "common_sense":
      return joined(random.pick(WISHES), random.pick(purposes), random.pick(REASONS));
    case "complex_instruction":
      return joined(
        random.pick(CHATTER),
        random.pick(REQUESTS).replace("*", `${random.pick(VERBS)} ${name}`),
        random.pick(AFTERTHOUGHTS),
      );
    case "visual_appearance": {
      const look = `the ${random.pick(looks).replaceAll("*", color)}`;
      return joined(random.pick(OPENERS), random.pick(VERBS), look, random.pick(CLOSERS));
    }
  }
}

/**
 * The instruction of a task: drawn until it belongs to the split.
 * @param color of the target, which `visual_appearance` names.
 */
export function instruct(style: Style, kind: Kind, color: ColorName, split: Split, random: Rng): string {
  for (;;) {
    const text = sentence(style, kind, color, random);
    if (isKept(text) === (split === "eval")) return text;
  }
}

/** Whether a sentence is kept for evaluation: by its hash (FNV-1a), so the answer never depends on what was drawn. */
export function isKept(text: string): boolean {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) % KEPT === 0;
}

/** An instruction with the most words of its style. */
export function longestInstruction(style: Style): string {
  const most = (texts: readonly string[]) => texts.reduce((a, b) => (wordCount(b) > wordCount(a) ? b : a));
  const all = Object.values(PHRASES);
  const name = `the ${most(all.flatMap(({ names }) => names))}`;
  const order = (what: string) => joined(most(OPENERS), most(VERBS), what, most(CLOSERS));
  switch (style) {
    case "base":
    case "long_horizon":
      return order(name);
    case "common_sense":
      return joined(most(WISHES), most(all.flatMap(({ purposes }) => purposes)), most(REASONS));
    case "complex_instruction":
      return joined(
        most(CHATTER),
        most(REQUESTS).replace("*", `${most(VERBS)} ${name}`),
        most(AFTERTHOUGHTS),
      );
    case "visual_appearance":
      return order(`the ${most(all.flatMap(({ looks }) => looks))}`);
  }
}

const wordCount = (text: string): number => text.split(" ").length;

/** Every word that an instruction can have, in alphabetical order: what a policy's vocabulary needs. */
export function instructionWords(): string[] {
  const phrases = Object.values(PHRASES).flatMap(({ names, purposes, looks }) => [
    ...names,
    ...purposes,
    ...looks,
  ]);
  const templates = [OPENERS, VERBS, CLOSERS, WISHES, REASONS, CHATTER, REQUESTS, AFTERTHOUGHTS].flat();
  const words = [...phrases, ...templates, ...Object.keys(COLORS), "the"].flatMap((text) => text.split(" "));
  return [...new Set(words)].filter((word) => word !== "" && word !== "*").sort();
}
