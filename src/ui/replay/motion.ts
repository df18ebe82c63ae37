// From one picture to the next without a jump: on a board whatever changed its cell slides there, other pictures cross-fade. Only
// the two pictures and the states are known, so a figure is what differs between its tile and the same tile without it.
import { isBoard } from "../../core/scene.ts";
import type { BoardTruth, Cell, Frame, SceneTruth } from "../../core/types.ts";
import type { Film } from "../episode/replay-frames.ts";

export interface State {
  frame: Frame;
  truth: SceneTruth;
  /** The pictures that the agent is shown beside it; absent: none. */
  further?: readonly Frame[];
  /** How the state came about, where its environment shows that. */
  motion?: Film | null;
}

/** A state of a board. */
interface BoardState extends State {
  truth: BoardTruth;
}

const isOfBoard = (state: State): state is BoardState => isBoard(state.truth);

interface Move {
  from: Cell;
  to: Cell;
}

/** Figures that changed their cell, those pushed before those who push. Null when more changed than figures that moved. */
export function movesBetween(a: BoardTruth, b: BoardTruth): Move[] | null {
  const moves: Move[] = [];
  for (const name of Object.keys(a.entities)) {
    const [gone, come] = [
      lacking(a.entities[name]!, b.entities[name]),
      lacking(b.entities[name] ?? [], a.entities[name]),
    ];
    if (gone.length !== come.length || gone.length > 1) return null;
    if (gone.length === 1) moves.push({ from: gone[0]!, to: come[0]! });
  }
  if (a.player && b.player && !same(a.player, b.player)) moves.push({ from: a.player, to: b.player });
  return moves;
}

const same = (a: Cell, b: Cell) => a[0] === b[0] && a[1] === b[1];
const lacking = (cells: readonly Cell[], others: readonly Cell[] = []) =>
  cells.filter((cell) => !others.some((other) => same(cell, other)));

/** Slow at both ends. */
const ease = (t: number): number => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) ** 2);

/** Opacity of a picture that replaces another, 0 … 1: the figure has arrived when what it does there appears. */
const ARRIVED = 0.8;

/** Draws the way between two states, `t` of it done, 0 … 1. */
export type DrawBetween = (context: CanvasRenderingContext2D, t: number) => void;

/** A tile without figures, as a place in one of the episode's pictures. */
interface Tile {
  frame: Frame;
  cell: Cell;
}

/**
 * Prepares the way from one state to the next. `bare` finds the picture of a cell without figures; where there is none for a
 * cell that is needed, the pictures cross-fade.
 */
export function between(a: State, b: State, bare: (cell: Cell) => Tile | null): DrawBetween {
  const { motion } = b;
  if (motion) return (context, t) => drawFrame(context, motion.picture(t * motion.seconds));
  const sliding = isOfBoard(a) && isOfBoard(b) ? slidesBetween(a, b, bare) : null;
  // One canvas for all frames of the way.
  let end: HTMLCanvasElement | null = null;
  const fadeToEnd = (context: CanvasRenderingContext2D, opacity: number) => {
    end ??= canvasOf(b.frame);
    fadeIn(context, end, opacity);
  };
  return (context, t) => {
    if (!sliding) {
      drawFrame(context, a.frame);
      fadeToEnd(context, ease(t));
      return;
    }
    drawFrame(context, sliding.ground);
    for (const { sprite, from, to } of sliding.sprites) {
      const k = ease(Math.min(1, t / ARRIVED));
      context.drawImage(sprite, from[0] + (to[0] - from[0]) * k, from[1] + (to[1] - from[1]) * k);
    }
    if (t > ARRIVED) fadeToEnd(context, (t - ARRIVED) / (1 - ARRIVED));
  };
}

export function drawFrame(context: CanvasRenderingContext2D, frame: Frame): void {
  context.putImageData(new ImageData(frame.data, frame.width, frame.height), 0, 0);
}

function fadeIn(context: CanvasRenderingContext2D, picture: HTMLCanvasElement, opacity: number): void {
  context.globalAlpha = Math.max(0, Math.min(1, opacity));
  context.drawImage(picture, 0, 0);
  context.globalAlpha = 1;
}

/** Places in pixels. */
interface Sprite {
  sprite: HTMLCanvasElement;
  from: readonly [x: number, y: number];
  to: readonly [x: number, y: number];
}

function slidesBetween(a: BoardState, b: BoardState, bare: (cell: Cell) => Tile | null): Slides | null {
  const moves = movesBetween(a.truth, b.truth);
  return moves && moves.length > 0 ? slides(a, moves, bare) : null;
}

interface Slides {
  ground: Frame;
  sprites: Sprite[];
}

function slides(a: BoardState, moves: readonly Move[], bare: (cell: Cell) => Tile | null): Slides | null {
  const tile = a.frame.width / a.truth.cols;
  const ground: Frame = { ...a.frame, data: a.frame.data.slice() };
  const sprites: Sprite[] = [];
  for (const { from, to } of moves) {
    const left = bare(from);
    if (!left) return null;
    copyTile(left, ground, from, tile);
    const place = ([row, col]: Cell) => [col * tile, row * tile] as const;
    sprites.push({
      sprite: figure({ frame: a.frame, cell: from }, left, tile),
      from: place(from),
      to: place(to),
    });
  }
  return { ground, sprites };
}

/** Where a pixel of a tile lies in its picture. */
const pixel = ({ frame, cell: [row, col] }: Tile, tile: number, x: number, y: number) =>
  ((row * tile + y) * frame.width + col * tile + x) * 4;

function copyTile(source: Tile, target: Frame, cell: Cell, tile: number): void {
  for (let y = 0; y < tile; y++) {
    const at = pixel(source, tile, 0, y);
    target.data.set(
      source.frame.data.subarray(at, at + tile * 4),
      pixel({ frame: target, cell }, tile, 0, y),
    );
  }
}

/** How much a colour must differ from the ground to be part of a figure; less is shading. */
const DIFFERENT = 10;

function figure(whole: Tile, ground: Tile, tile: number): HTMLCanvasElement {
  const image = new ImageData(tile, tile);
  for (let y = 0; y < tile; y++)
    for (let x = 0; x < tile; x++) {
      const [at, under] = [pixel(whole, tile, x, y), pixel(ground, tile, x, y)];
      const colour = whole.frame.data.subarray(at, at + 4);
      const differs = [0, 1, 2].some((c) => Math.abs(colour[c]! - ground.frame.data[under + c]!) > DIFFERENT);
      if (differs) image.data.set(colour, (y * tile + x) * 4);
    }
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = tile;
  canvas.getContext("2d")!.putImageData(image, 0, 0);
  return canvas;
}

function canvasOf(frame: Frame): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [frame.width, frame.height];
  drawFrame(canvas.getContext("2d")!, frame);
  return canvas;
}

/** Finds a cell without figures among the states of an episode, or another cell on which the same fixed things lie. */
export function bareIn(all: readonly State[]): (cell: Cell) => Tile | null {
  const states = all.filter(isOfBoard);
  const { moving, fixed } = kindsIn(states);
  const isBare = ({ truth }: BoardState, cell: Cell) =>
    !(truth.player && same(truth.player, cell)) && !thingsAt(truth, cell, moving);
  return (cell) => {
    const known = states.find((state) => isBare(state, cell));
    if (known) return { frame: known.frame, cell };
    const [first] = states;
    if (!first) return null;
    const wanted = thingsAt(first.truth, cell, fixed);
    const alike = cellsOf(first.truth).find(
      (other) => thingsAt(first.truth, other, fixed) === wanted && isBare(first, other),
    );
    return alike ? { frame: first.frame, cell: alike } : null;
  };
}

/** Names of things that move during an episode, and of those that do not. */
function kindsIn(states: readonly BoardState[]): { moving: string[]; fixed: string[] } {
  const first = states[0]?.truth.entities ?? {};
  const moves = (name: string) =>
    states.some(({ truth }) => JSON.stringify(truth.entities[name]) !== JSON.stringify(first[name]));
  const names = Object.keys(first);
  return { moving: names.filter(moves), fixed: names.filter((name) => !moves(name)) };
}

/** Which of some things are on a cell, as a text; empty when none. */
const thingsAt = ({ entities }: BoardTruth, cell: Cell, names: readonly string[]): string =>
  names.filter((name) => entities[name]?.some((place) => same(place, cell))).join(" ");

/** Cells of the board without its edge, where the walls of a room are that no entity names. */
const cellsOf = ({ rows, cols }: BoardTruth): Cell[] =>
  Array.from({ length: (rows - 2) * (cols - 2) }, (_, i) => [
    1 + Math.floor(i / (cols - 2)),
    1 + (i % (cols - 2)),
  ]);
