import type { ExecutedAction } from "./types.ts";

/**
 * What people call an action: its name, or a few words where the name is too long to be repeated. That an action had no effect, which the
 * agent's next observation mentions, is in its note.
 */
export const calledName = ({ name, mention }: Pick<ExecutedAction, "name" | "mention">): string =>
  mention === undefined || mention.startsWith(name) ? name : mention;
