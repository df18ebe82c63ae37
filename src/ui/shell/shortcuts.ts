// Single-key shortcuts. A focused field or control keeps its keys; the rest of the page listens.

/** What the help sheet lists. */
export const SHORTCUTS: readonly { group: string; items: readonly { keys: string; does: string }[] }[] = [
  {
    group: "Run",
    items: [
      { keys: "S", does: "Start with the configuration" },
      { keys: "P", does: "Pause or resume" },
      { keys: "N", does: "One update, while paused" },
      { keys: "K", does: "Download a checkpoint" },
      { keys: "Shift + S", does: "Stop (asks first)" },
    ],
  },
  {
    group: "Charts",
    items: [
      { keys: "← →", does: "Move the cursor along the focused chart" },
      { keys: "Enter", does: "Open the episodes at the cursor" },
    ],
  },
  {
    group: "Replay, while it or nothing has the focus",
    items: [
      { keys: "Space", does: "Play or pause" },
      { keys: "← →", does: "Previous or next step" },
      { keys: "[ ]", does: "Previous or next turn" },
      { keys: ", .", does: "Previous or next token" },
      { keys: "Home End", does: "To the start or the end, while the focus is in the replay" },
      { keys: "- =", does: "Slower or faster" },
    ],
  },
  {
    group: "Your own game, while it has the focus; in a replay, also while nothing has it",
    items: [
      { keys: "← ↑ → ↓", does: "Move; in homes, walk with ↑ ↓ and turn with ← →" },
      { keys: "Enter", does: "Do the action that you wrote" },
    ],
  },
  {
    group: "Trace",
    items: [
      { keys: "1 … 7", does: "Choose what token colours show" },
      { keys: "Space", does: "Play or pause, while the player or nothing has the focus" },
      { keys: "← →", does: "Previous or next step; on a token, the token before or after it" },
      { keys: "[ ]", does: "Previous or next turn" },
      { keys: ", .", does: "Previous or next token" },
      { keys: "T", does: "Table of tokens" },
      { keys: "D", does: "Agent view or debug view" },
    ],
  },
  {
    group: "Everywhere",
    items: [
      { keys: "Ctrl + Z", does: "Undo a change of the configuration" },
      { keys: "Ctrl + Shift + Z", does: "Redo it" },
      { keys: "?", does: "This sheet" },
    ],
  },
];

const KEYS = {
  s: "start",
  S: "stop",
  p: "pause",
  n: "step",
  k: "save",
  "?": "help",
} as const;

type RunShortcut = (typeof KEYS)[keyof typeof KEYS] | "undo" | "redo";
type KeyPress = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** What a key press does; null when nothing. `letters` is off when single keys are switched off. */
export function shortcutOf(press: KeyPress, letters: boolean): RunShortcut | null {
  if (press.ctrlKey || press.metaKey) {
    if (press.altKey || press.key.toLowerCase() !== "z") return null;
    return press.shiftKey ? "redo" : "undo";
  }
  if (press.altKey || !letters) return null;
  return Object.hasOwn(KEYS, press.key) ? KEYS[press.key as keyof typeof KEYS] : null;
}
