// Options that every environment may have, read from its configuration.
import type { TextCells } from "../envs/options.ts";

/** Most actions of a turn, from an environment's configuration; 1 by default. */
export function maxActionsOf(envConfig: unknown): number {
  return (envConfig as { max_actions_per_step?: number }).max_actions_per_step ?? 1;
}

/** Most actions of an episode, from an environment's configuration; no limit by default. */
export function maxStepsOf(envConfig: unknown): number {
  return (envConfig as { max_steps?: number }).max_steps ?? Number.POSITIVE_INFINITY;
}

/** Most tool calls of an episode, from an environment's configuration; no limit by default. */
export function maxToolCallsOf(envConfig: unknown): number {
  return (envConfig as { max_tool_calls?: number }).max_tool_calls ?? Number.POSITIVE_INFINITY;
}

/** Whether a malformed reply executes nothing where its format would salvage actions; off by default. */
export const isStrictOf = (envConfig: unknown): boolean =>
  (envConfig as { strict_format?: boolean }).strict_format === true;

/** How boards are written as text; the studio's way by default. */
export const textCellsOf = (envConfig: unknown): TextCells =>
  (envConfig as { text_cells?: TextCells }).text_cells ?? "studio";

/** Whether the agent is shown the board as text rather than as a picture. */
export function isTextBoard(envConfig: unknown): boolean {
  return (envConfig as { render_mode?: string }).render_mode === "text";
}
