// What the agent is told. Two forms of the same conversation: a compact one for small policies trained from scratch, for
// whom every token costs, and a long one in plain sentences for pretrained models and people.
import type { ExecutedAction, ToolUse } from "../core/types.ts";
import type { Env, EnvSpec, Tool } from "../envs/env.ts";
import { claimsOf } from "./claims.ts";
import { writeReply } from "./demonstrate.ts";
import { type FormatId, formats, type Part, writeFormat } from "./formats.ts";
import { phraseBooks } from "./phrases/index.ts";
import { type StateFormatId, stateFormats } from "./states.ts";
import { toolInstruction, toolNews } from "./tools.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** One observation: which turn, what the actions before it were, and the board as `<image>` or as text. */
interface ObservationPrompt {
  /** From 0. */
  turn: number;
  /** The previous turn's actions; empty on the first turn. */
  executed: readonly ExecutedAction[];
  /** The previous turn's tool call. */
  tool?: ToolUse | undefined;
  board: string;
  /** Bounds what a tool's answer may cost; without it the answer is told in full. */
  vocabulary?: Vocabulary;
}

/** The compact observation: "turn 2 after Right, Down<image>". */
export function compactObservation({ turn, executed, tool, board, vocabulary }: ObservationPrompt): string {
  const name = `turn ${turn + 1}`;
  if (tool) return `${name} tool ${toolNews(tool, vocabulary)}${board}`;
  return turn === 0 ? name + board : `${name} after ${executedNames(executed)}${board}`;
}

const executedNames = (executed: readonly ExecutedAction[]) => {
  const ran = executed.filter(({ valid }) => valid).map(({ name }) => name);
  return ran.length ? ran.join(", ") : "nothing";
};

/** What the agent looks at: the question, if there is one, and the picture or the board as text. */
export function compactView(env: Env, isText: boolean): string {
  const question = env.question?.();
  return (question ? ` ${question}` : "") + (isText ? compactBoard(env.text()) : "<image>");
}

/** A text board without the spaces between its cells, each of which would be a token. */
export const compactBoard = (text: string): string => `\n${text.replaceAll(" ", "")}`;

/** The opening words of a conversation: which game, and how to reply. */
export function openingIds(
  vocabulary: Vocabulary,
  { envId, format }: { envId: string; format: FormatId },
): Int32Array {
  return vocabulary.encode(`<bos>${phraseBooks.get(envId).name} ${format}`);
}

/** The tokens of one observation, ready for a reply. Every `<image>` becomes `imageTokens` placeholders. */
export function observationIds(
  vocabulary: Vocabulary,
  { observation, imageTokens }: { observation: string; imageTokens: number },
): Int32Array {
  const ids = vocabulary.encode(`<user>${observation}<assistant>`);
  return Int32Array.from(
    Array.from(ids).flatMap((id) =>
      id === vocabulary.image ? new Array<number>(imageTokens).fill(id) : [id],
    ),
  );
}

/** The tokens that stand before a reply: the opening words of the conversation on the first turn, then the observation. */
export function promptIds(
  vocabulary: Vocabulary,
  {
    turn,
    ...ask
  }: {
    envId: string;
    format: FormatId;
    turn: number;
    /** Compact observation text. */
    observation: string;
    imageTokens: number;
  },
): Int32Array {
  const opening = turn === 0 ? openingIds(vocabulary, ask) : [];
  return Int32Array.of(...opening, ...observationIds(vocabulary, ask));
}

/** What the long prompt depends on. */
interface PromptOptions {
  format: FormatId;
  /** How states are written down. Default natural. */
  stateFormat?: StateFormatId;
  maxActions: number;
  /** Default `,`. */
  separator?: string;
  /** The environment's options, for an example of the right size. Default: its own defaults. */
  envConfig?: unknown;
  /** Tools that may be called. */
  tools?: readonly Tool[];
}

/** The long system prompt: role, rules, actions, then how to reply, with one worked example. */
export function systemPrompt(spec: EnvSpec, options: PromptOptions): string {
  return [
    `You are playing ${spec.title}.`,
    spec.rules,
    `The available actions are ${spec.actionsInWords ?? spec.actions.join(", ")}.`,
    "",
    formatInstruction(spec, options),
    ...(options.tools?.length ? [toolInstruction(options.tools)] : []),
    `For example: ${example(spec, options)}`,
  ].join("\n");
}

/** The long observation. It ends with the request for a reply and the format, which is repeated on every turn. */
export function observationPrompt(
  spec: EnvSpec,
  options: PromptOptions,
  { turn, executed, tool, board }: ObservationPrompt,
): string {
  const news =
    turn === 0
      ? ["This is the initial state:"]
      : tool
        ? [
            `The tool ${tool.ok ? `${tool.name} answered: ${tool.result}` : `call failed: ${tool.result}. ${tool.detail}`}`,
            "The state is still:",
          ]
        : [`Actions executed: ${executedNames(executed)}.`, ...feedback(executed), "The state is now:"];
  return [...news, board, "Decide what to do next.", formatInstruction(spec, options)].join("\n");
}

/** A sentence for every action that did nothing. */
function feedback(executed: readonly ExecutedAction[]): string[] {
  return executed.filter(({ note }) => note !== "").map(({ name, note }) => `${name}: ${note}.`);
}

/**
 * How to reply: the limit of actions and their separator, the parts to write, how to describe the state, and the literal
 * skeleton, in this order.
 */
export function formatInstruction(
  spec: EnvSpec,
  { format, stateFormat = "natural", maxActions, separator = "," }: PromptOptions,
): string {
  const parts = [...new Set(formats.get(format).parts)];
  return [
    `Give at most ${maxActions} action${maxActions === 1 ? "" : "s"} per turn${maxActions === 1 ? "" : `, separated by "${separator}"`}.`,
    `Write ${listed(parts.map((part) => descriptions[part]))}.`,
    ...stateRules(spec, format, stateFormat),
    `Reply in exactly this form: ${writeFormat(formats.get(format), placeholders)}`,
  ].join("\n");
}

const descriptions: Readonly<Record<Part, string>> = {
  observation: "what state you see",
  reasoning: "how you decide",
  prediction: "what the state will be after your actions",
  answer: "your actions",
};

const placeholders: Readonly<Record<Part, string>> = {
  observation: "…",
  reasoning: "…",
  prediction: "…",
  answer: "…",
};

/** How a state has to be given: the judge compares cells, whichever way they are written. */
function stateRules(spec: EnvSpec, format: FormatId, stateFormat: StateFormatId): string[] {
  const { observation, prediction } = claimsOf(spec, format, stateFormat);
  const rule = (tag: string, names: readonly string[]) => {
    const how =
      stateFormats.get(stateFormat).rule(listed(names)) ??
      `give the cell of ${listed(names)}, for instance "player at row 0 col 2"`;
    return names.length ? [`Inside <${tag}> ${how}.`] : [];
  };
  const rules = [...rule("observation", observation), ...rule("prediction", prediction)];
  return rules.length ? [...rules, "Rows and columns count from 0, starting at the top left."] : [];
}

/** One reply that fits the format. */
function example(spec: EnvSpec, options: PromptOptions): string {
  const { format, stateFormat = "natural" } = options;
  return stateFormat === "natural" ? exampleInWords(spec, format) : exampleOfLevel(spec, options);
}

/** With made-up places. */
function exampleInWords(spec: EnvSpec, format: FormatId): string {
  const { observation, prediction } = claimsOf(spec, format);
  const [action] = spec.actions;
  return writeFormat(formats.get(format), {
    observation: observation.map((name, i) => `${name} at row ${i} col 2`).join(" ; "),
    reasoning: `The way ${action.toLowerCase()} is free and leads on, so I move ${action}.`,
    prediction: prediction.map((name, i) => `${name} at row ${i} col ${i === 0 ? 1 : 2}`).join(" ; "),
    answer: action,
  });
}

/** A level that no run plays: seeds of training and validation begin at 1. */
const EXAMPLE_SEED = 0;

/** A board cannot be made up from names alone: a real one, and the first step of its solution. */
function exampleOfLevel(spec: EnvSpec, { format, stateFormat, envConfig }: PromptOptions): string {
  const env = spec.create(envConfig ?? spec.config.parse({}));
  env.reset(EXAMPLE_SEED);
  const [action = spec.actions[0]] = env.oracle() ?? [];
  return writeReply(spec.id, env.groundTruth(), [action], format, stateFormat);
}

const listed = (items: readonly string[]) =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
