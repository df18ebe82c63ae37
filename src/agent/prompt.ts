// The prompt in the compact form of small policies trained from scratch, for which every token costs.

import type { FormatId } from "../core/formats.ts";
import { isBoard } from "../core/scene.ts";
import type { ExecutedAction, ToolUse } from "../core/types.ts";
import type { Env } from "../envs/env.ts";
import type { TextCells } from "../envs/options.ts";
import { furtherPictures } from "../envs/pictures.ts";
import { isTextBoard, textCellsOf } from "./env-options.ts";
import { templates } from "./templates/index.ts";
import { toolNews } from "./tools.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** One observation: which turn, what the actions before it were, and the board as `<image>` or as text. */
interface ObservationPrompt {
  /** From 0. */
  turn: number;
  /** The previous turn's actions; empty on the first turn. */
  executed: readonly ExecutedAction[];
  /** Their names, cut to what there is room for; absent: in full. */
  names?: string;
  /** The previous turn's tool call. */
  tool?: ToolUse | undefined;
  board: string;
  /** Limits the tokens of a tool's answer; without it the answer is given in full. */
  vocabulary?: Vocabulary;
}

/** The compact observation: "turn 2 after Right, Down<image>". */
export function compactObservation({
  turn,
  executed,
  names = executedNames(executed),
  tool,
  board,
  vocabulary,
}: ObservationPrompt): string {
  const name = `turn ${turn + 1}`;
  if (tool) return `${name} tool ${toolNews(tool, vocabulary)}${board}`;
  return turn === 0 ? name + board : `${name} after ${names}${board}`;
}

/** Names of the actions that ran; "nothing" if none did. */
export const executedNames = (executed: readonly ExecutedAction[]): string => {
  const ran = executed.filter(({ valid }) => valid).map(({ name, mention }) => mention ?? name);
  return ran.length ? ran.join(", ") : "nothing";
};

/** What the agent looks at: the question, if there is one, and the picture or the board as text. */
export function compactView(env: Env, envConfig: unknown): string {
  const question = env.question?.();
  const board = isTextBoard(envConfig) ? textView(env, envConfig) : markers(env);
  return (question ? ` ${question}` : "") + board;
}

/** The first observation as text, for a policy without pictures; empty for a policy that sees pictures. */
export const firstText = (env: Env, envConfig: unknown): string =>
  isTextBoard(envConfig)
    ? compactObservation({ turn: 0, executed: [], board: compactView(env, envConfig) })
    : "";

/** The state as text: the lines of a world as they are, a board with its cells as the agent reads them. */
const textView = (env: Env, envConfig: unknown): string =>
  isBoard(env.groundTruth()) ? observedBoard(env.text(), textCellsOf(envConfig)) : `\n${env.text()}`;

/** A marker for each picture. */
const markers = (env: Env): string => "<image>".repeat(1 + furtherPictures(env).length);

/**
 * A text board as the agent reads it: as VAGEN prints it, where a cell is a token, or the studio's without the spaces between
 * its cells, each of which would be a token.
 */
export const observedBoard = (text: string, style: TextCells): string =>
  `\n${style === "studio" ? text.replaceAll(" ", "") : text}`;

/** The opening words of a conversation: which game, and how to reply. */
export function openingIds(
  vocabulary: Vocabulary,
  { envId, format }: { envId: string; format: FormatId },
): Int32Array {
  return vocabulary.encode(`<bos>${templates.get(envId).name} ${format}`);
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
