// Options that every environment may have, read from its configuration.

/** Most actions of a turn, from an environment's configuration; 1 by default. */
export function maxActionsOf(envConfig: unknown): number {
  return (envConfig as { max_actions_per_step?: number }).max_actions_per_step ?? 1;
}

/** Most tool calls of an episode, from an environment's configuration; no limit by default. */
export function maxToolCallsOf(envConfig: unknown): number {
  return (envConfig as { max_tool_calls?: number }).max_tool_calls ?? Number.POSITIVE_INFINITY;
}

/** Whether the agent is shown the board as text rather than as a picture. */
export function isTextBoard(envConfig: unknown): boolean {
  return (envConfig as { render_mode?: string }).render_mode === "text";
}
