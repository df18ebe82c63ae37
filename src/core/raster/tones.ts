// The colours that a pattern can show, worked out once per scene: mixing two colours for every sample took longer than all the rest.

/** Parts of the second colour that patterns use: quarters, 0 … 4. */
const QUARTERS = 4;
/** Steps between the farthest light and the full one. */
export const LEVELS = 64;
/** Colours in the table of one pair: for each number of quarters the `LEVELS`. */
const PAIR = (QUARTERS + 1) * LEVELS;
/** Light that is left far away, as a part of the full light. */
const FAR_LIGHT = 0.72;

/** Tables of pairs of colours (0xrrggbb), one after another. */
export class Tones {
  private readonly starts = new Map<string, number>();
  private readonly colors: number[] = [];

  /** Where the table of a pair begins: `quarters · LEVELS + level` behind it is a colour. */
  startOf(base: number, second: number): number {
    const key = `${base} ${second}`;
    const known = this.starts.get(key);
    if (known !== undefined) return known;
    const start = this.colors.length;
    this.starts.set(key, start);
    for (let i = 0; i < PAIR; i++)
      this.colors.push(tone(base, second, Math.floor(i / LEVELS) / QUARTERS, (i % LEVELS) / (LEVELS - 1)));
    return start;
  }

  table(): Uint32Array {
    return Uint32Array.from(this.colors);
  }
}

/** @param level 0 far away, where patterns fade, to 1. */
function tone(base: number, second: number, part: number, level: number): number {
  const light = FAR_LIGHT + (1 - FAR_LIGHT) * level;
  const channel = (shift: number) => {
    const [from, to] = [(base >> shift) & 255, (second >> shift) & 255];
    return Math.floor((from + (to - from) * part * level) * light) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}
