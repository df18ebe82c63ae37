// The eight actions. They have the names of VAGEN-Lite; those of the other generation are read as well. AI2-THOR calls them MoveAhead,
// MoveBack, MoveRight, MoveLeft, RotateRight, RotateLeft, LookUp and LookDown.

/** Names of VAGEN-Lite. */
export const ACTIONS = [
  "move_forward",
  "move_backward",
  "move_right",
  "move_left",
  "turn_right",
  "turn_left",
  "look_up",
  "look_down",
] as const;

/** Said after an action that changed nothing: something was in the way, or the camera tilts no further. */
export const BLOCKED = " blocked";

/** Names of VAGEN's legacy release and of its prompts of August 2026, in the same order. */
const LEGACY_ACTIONS = [
  "moveahead",
  "moveback",
  "moveright",
  "moveleft",
  "rotateright",
  "rotateleft",
  "lookup",
  "lookdown",
] as const;

/** What an action does: a step to one of four sides in quarter turns from ahead, a turn, or a tilt of the camera. */
type Effect =
  | { readonly move: 0 | 1 | 2 | 3 }
  /** Quarter turns to the right. */
  | { readonly turn: 1 | 3 }
  /** Tilts of 30° down. */
  | { readonly tilt: 1 | -1 };

/** Effects in the order of the names. */
export const EFFECTS: readonly Effect[] = [
  { move: 0 },
  { move: 2 },
  { move: 1 },
  { move: 3 },
  { turn: 1 },
  { turn: 3 },
  { tilt: -1 },
  { tilt: 1 },
];

/** The action that a text means, in any letter case as VAGEN reads it: by its name of either generation. Null for any other text. */
export function readAction(text: string): string | null {
  const wanted = text.trim().toLowerCase();
  const index = [ACTIONS, LEGACY_ACTIONS]
    .map((list) => (list as readonly string[]).indexOf(wanted))
    .find((at) => at >= 0);
  return index === undefined ? null : ACTIONS[index];
}
