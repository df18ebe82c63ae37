// Single-key shortcuts. A focused field or control keeps its keys; the rest of the page listens.

interface Shortcut {
  keys: string;
  does: string;
}

/** What the help sheet lists. */
export const SHORTCUTS: readonly { group: string; items: readonly Shortcut[] }[] = [
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
    group: "Trace",
    items: [
      { keys: "1 … 7", does: "Choose what token colours show" },
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

type RunShortcut = "start" | "pause" | "step" | "stop" | "save" | "help" | "undo" | "redo";

interface KeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** What a key press asks for; null when nothing. `letters` is off when the person switched single keys off. */
export function shortcutOf(press: KeyPress, letters: boolean): RunShortcut | null {
  if (press.ctrlKey || press.metaKey) {
    if (press.altKey || press.key.toLowerCase() !== "z") return null;
    return press.shiftKey ? "redo" : "undo";
  }
  if (press.altKey || !letters) return null;
  switch (press.key) {
    case "s":
      return "start";
    case "S":
      return "stop";
    case "p":
      return "pause";
    case "n":
      return "step";
    case "k":
      return "save";
    case "?":
      return "help";
    default:
      return null;
  }
}
