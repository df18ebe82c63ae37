// What an embedded player and the page around it say to each other (docs/embedding.md).

/** What the page around the player may ask for. */
export type EmbedCommand =
  | { type: "vagen:play" }
  | { type: "vagen:pause" }
  /** One step on or back. */
  | { type: "vagen:step"; unit: "turn" | "phase" | "token"; by: 1 | -1 }
  /** Go to a turn, from 1, or to a token, from 0. */
  | { type: "vagen:seek"; turn: number; token: number | null }
  /** Times real time, 0.25 … 4. */
  | { type: "vagen:speed"; speed: number };

/** What the player reports whenever it changes. `turn` counts from 1. */
export interface EmbedReport {
  type: "vagen:place";
  turn: number;
  turns: number;
  playing: boolean;
  speed: number;
}

const UNITS = ["turn", "phase", "token"] as const;

/** The command in the data of a message; null for anything else, which is ignored. */
export function readCommand(data: unknown): EmbedCommand | null {
  if (typeof data !== "object" || data === null) return null;
  const { type, unit = "phase", by = 1, turn, token = null, speed } = data as Record<string, unknown>;
  switch (type) {
    case "vagen:play":
    case "vagen:pause":
      return { type };
    case "vagen:step": {
      const known = UNITS.find((one) => one === unit);
      return known && (by === 1 || by === -1) ? { type, unit: known, by } : null;
    }
    case "vagen:seek": {
      const isPlace = isCount(turn, 1) && (token === null || isCount(token, 0));
      return isPlace ? { type, turn: turn as number, token: token as number | null } : null;
    }
    case "vagen:speed":
      return typeof speed === "number" && speed >= 0.25 && speed <= 4 ? { type, speed } : null;
    default:
      return null;
  }
}

const isCount = (value: unknown, least: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least;
