// The table: the dealer's cards in the upper rows, the agent's in the lower ones, a card a tile.
import { hex, points, roundRect, stroke } from "../../core/image.ts";
import type { BoardTruth, Cell, Frame } from "../../core/types.ts";
import { drawTiles, type Sprite, spriteSheet } from "../sprites.ts";
import { RANKS, type Rank } from "./cards.ts";
import { PLAYER_ROW, TABLE } from "./config.ts";

/** What lies on the table. */
export interface Table {
  player: readonly Rank[];
  /** One card while the other lies face down. */
  dealer: readonly Rank[];
}

const BACK = "#";
const CLOTH = "_";
type TileSymbol = Rank | typeof BACK | typeof CLOTH;

/** What lies on the tiles, row by row. */
function symbolsOn({ player, dealer }: Table): readonly (readonly TileSymbol[])[] {
  const shown: readonly TileSymbol[] = dealer.length === 1 ? [...dealer, BACK] : dealer;
  const row = (cards: readonly TileSymbol[], r: number) =>
    Array.from({ length: TABLE.cols }, (_, col) => cards[r * TABLE.cols + col] ?? CLOTH);
  return Array.from({ length: TABLE.rows }, (_, r) =>
    r < PLAYER_ROW ? row(shown, r) : row(player, r - PLAYER_ROW),
  );
}

export const tableText = (table: Table): string =>
  symbolsOn(table)
    .map((row) => row.join(" "))
    .join("\n");

/** The cards by rank, those face down as "back". */
export function placesOn(table: Table): BoardTruth {
  const entities: Record<string, Cell[]> = {};
  for (const [row, symbols] of symbolsOn(table).entries())
    for (const [col, symbol] of symbols.entries()) {
      if (symbol === CLOTH) continue;
      const name = symbol === BACK ? "back" : symbol;
      entities[name] = [...(entities[name] ?? []), [row, col]];
    }
  return { ...TABLE, entities };
}

const palette = {
  c: "#1f6b4a", // the cloth
  d: "#1b5f42", // the edges of cards on it
  w: "#fbfaf5", // cards
  k: "#1d2430", // their ink
  r: "#c5283d", // that of jacks, queens and kings
  b: "#2f5aa8", // backs
  l: "#7fa0dc", // their pattern
};

/** Ranks as 5×5 pixels, and as lines in the 64-unit square of a tile. */
const GLYPHS: Readonly<Record<Rank, { art: string; lines: readonly string[] }>> = {
  A: { art: ".xxx. x...x xxxxx x...x x...x", lines: ["20,48 32,16 44,48", "25,37 39,37"] },
  2: { art: "xxxx. ....x .xxx. x.... xxxxx", lines: ["20,23 24,17 32,15 40,18 43,25 40,32 20,48 44,48"] },
  3: {
    art: "xxxx. ....x .xxx. ....x xxxx.",
    lines: ["20,16 43,16 31,28 39,30 44,38 40,45 32,49 23,47 19,42"],
  },
  4: { art: "x..x. x..x. xxxxx ...x. ...x.", lines: ["38,49 38,15 19,39 45,39"] },
  5: {
    art: "xxxxx x.... xxxx. ....x xxxx.",
    lines: ["42,16 23,16 21,30 32,28 41,32 44,39 40,46 31,49 20,45"],
  },
  6: {
    art: ".xxx. x.... xxxx. x...x .xxx.",
    lines: ["41,18 33,15 25,20 20,32 21,42 27,48 36,48 43,42 43,35 37,30 28,30 21,36"],
  },
  7: { art: "xxxxx ....x ...x. ..x.. ..x..", lines: ["20,16 44,16 29,49"] },
  8: {
    art: ".xxx. x...x .xxx. x...x .xxx.",
    lines: ["32,31 24,27 23,20 28,15 36,15 41,20 40,27 32,31 23,36 21,43 26,48 38,48 43,43 41,36 32,31"],
  },
  9: {
    art: ".xxx. x...x .xxxx ....x .xxx.",
    lines: ["23,46 31,49 39,44 44,32 43,22 37,16 28,16 21,22 21,29 27,34 36,34 43,28"],
  },
  10: {
    art: "x.xxx x.x.x x.x.x x.x.x x.xxx",
    lines: ["17,21 23,16 23,49", "38,15 32,20 31,32 32,44 38,49 44,44 45,32 44,20 38,15"],
  },
  J: { art: "..xxx ...x. ...x. x..x. .xx..", lines: ["40,15 40,41 36,48 28,49 22,43"] },
  Q: {
    art: ".xxx. x...x x.x.x x..x. .xx.x",
    lines: ["32,15 23,20 20,32 23,44 32,49 41,44 44,32 41,20 32,15", "35,40 45,51"],
  },
  K: { art: "x..x. x.x.. xx... x.x.. x..x.", lines: ["21,15 21,49", "43,15 21,35", "28,29 44,49"] },
};

const cloth: Sprite = {
  art: Array.from({ length: 8 }, () => "cccccccc"),
  paint(draw) {
    draw(roundRect(0, 0, 64, 64, 0), hex(palette.c));
  },
};

const back: Sprite = {
  art: ["blblblb.", "lblblbl.", "blblblb.", "lblblbl.", "blblblb.", "lblblbl.", "blblblb.", "........"],
  paint(draw) {
    draw(roundRect(7, 2, 50, 60, 6), hex(palette.w));
    draw(roundRect(11, 6, 42, 52, 4), hex(palette.b));
    for (let y = 14; y < 58; y += 12)
      draw(stroke(points(`14,${y} 23,${y - 5} 32,${y} 41,${y - 5} 50,${y}`), 2.4), hex(palette.l));
  },
};

/** A light card with its rank, in red for jacks, queens and kings. */
function card(rank: Rank): Sprite {
  const ink = "JQK".includes(rank) ? "r" : "k";
  const { art, lines } = GLYPHS[rank];
  return {
    art: [
      "wwwwwww.",
      ...art.split(" ").map((row) => `w${row.replaceAll(".", "w").replaceAll("x", ink)}w.`),
      "wwwwwww.",
      "........",
    ],
    paint(draw) {
      draw(roundRect(7, 2, 50, 60, 6), hex(palette.d));
      draw(roundRect(8, 2, 48, 58, 6), hex(palette.w));
      for (const line of lines) draw(stroke(points(line), 5), hex(palette[ink]));
    },
  };
}

const cards = Object.fromEntries(RANKS.map((rank) => [rank, card(rank)])) as Record<Rank, Sprite>;
const sprite = spriteSheet<TileSymbol>(palette, { ...cards, [BACK]: back, [CLOTH]: cloth });

export function drawTable(table: Table, patchPx: number): Frame {
  const symbols = symbolsOn(table);
  return drawTiles(TABLE.rows, TABLE.cols, patchPx, (row, col) => {
    const symbol = symbols[row]![col]!;
    const pile = [sprite(CLOTH, patchPx)];
    return symbol === CLOTH ? pile : [...pile, sprite(symbol, patchPx)];
  });
}
