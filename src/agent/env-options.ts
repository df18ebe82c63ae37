// Options that every environment may have, read from its configuration.

/** Actions that one turn may hold, from an environment's configuration; one if it does not say. */
export function maxActionsOf(envConfig: unknown): number {
  return (envConfig as { max_actions_per_step?: number }).max_actions_per_step ?? 1;
}

/** Tool calls that an episode may make, from an environment's configuration; any number if it does not say. */
export function maxToolCallsOf(envConfig: unknown): number {
  return (envConfig as { max_tool_calls?: number }).max_tool_calls ?? Number.POSITIVE_INFINITY;
}

/** Whether the agent is shown the board as text rather than as a picture. */
export function isTextBoard(envConfig: unknown): boolean {
  return (envConfig as { render_mode?: string }).render_mode === "text";
}
