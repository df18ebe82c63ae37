// One game of FrozenLake: cross the ice to the gift without falling into a hole.
import { checkSeed, type Rng, rng } from "../../core/rng.ts";
import type { Cell, Frame, GroundTruth } from "../../core/types.ts";
import type { Env, StepResult } from "../env.ts";
import {
  boardText,
  checkAction,
  checkRunning,
  type Direction,
  ImpossibleConfig,
  neighbour,
  onBoard,
  sameCell,
  started,
} from "../grid.ts";
import type { FrozenLakeConfig } from "./config.ts";
import { directions, generateLevel, type Level, readLevel, shortestPath } from "./level.ts";
import { drawLake } from "./sprites.ts";

interface Episode {
  level: Level;
  player: Cell;
  slip: Rng;
}

export class FrozenLake implements Env {
  private readonly fixedLevel: Level | null;
  private episode: Episode | null = null;

  constructor(private readonly config: FrozenLakeConfig) {
    this.fixedLevel = config.desc && solvable(config.desc);
  }

  reset(seed: number): void {
    checkSeed(seed);
    const level = this.fixedLevel ?? generateLevel(this.config.size, this.config.p, seed);
    this.episode = { level, player: level.start, slip: rng(seed).fork("slip") };
  }

  step(action: string): StepResult {
    const episode = started(this.episode);
    checkRunning(this.place() !== "ice");
    checkAction(action, directions);
    const direction = slip(action, this.config, episode.slip);
    const next = neighbour(episode.player, direction);
    const effective = onBoard(next, episode.level);
    if (effective) episode.player = next;
    const place = this.place();
    return {
      reward: place === "goal" ? this.config.success_reward : 0,
      terminated: place !== "ice",
      success: place === "goal",
      effective,
      note: !effective ? "blocked by the edge of the lake" : place === "hole" ? "fell into a hole" : "",
    };
  }

  render(patchPx: number): Frame {
    const { level, player } = started(this.episode);
    return drawLake(level, player, patchPx);
  }

  text(): string {
    const { level, player } = started(this.episode);
    const grid = Array.from({ length: level.rows }, () => new Array<string>(level.cols).fill("_"));
    for (const [row, col] of level.holes) grid[row][col] = "O";
    grid[level.goal[0]][level.goal[1]] = "G";
    const { text_cells: style } = this.config;
    grid[player[0]][player[1]] = { ice: "P", hole: "X", goal: style === "lite" ? "V" : "√" }[this.place()];
    return boardText(grid, style);
  }

  groundTruth(): GroundTruth {
    const { level, player } = started(this.episode);
    return {
      rows: level.rows,
      cols: level.cols,
      player,
      entities: { goal: [level.goal], hole: level.holes },
    };
  }

  /** On slippery ice: the plan that works if every move goes in its own direction. */
  oracle(): readonly string[] | null {
    const { level, player } = started(this.episode);
    return shortestPath(level, player);
  }

  private place(): "ice" | "hole" | "goal" {
    const { level, player } = started(this.episode);
    if (sameCell(player, level.goal)) return "goal";
    return level.holes.some((hole) => sameCell(hole, player)) ? "hole" : "ice";
  }
}

/**
 * The direction of a move on the ice. First `slip_prob`: with that probability one of the two perpendicular directions.
 * Then `is_slippery`: the direction or one of its two perpendicular ones, a third each.
 */
function slip(action: Direction, config: FrozenLakeConfig, random: Rng): Direction {
  let code = directions.indexOf(action);
  if (config.slip_prob > 0 && random.float() < config.slip_prob) code += random.pick([1, 3]);
  if (config.is_slippery) code += random.pick([0, 1, 3]);
  return directions[code % 4];
}

/** The level of a fixed map, provided that the goal can be reached. */
function solvable(desc: readonly string[]): Level {
  const level = readLevel(desc);
  if (shortestPath(level, level.start)) return level;
  throw new ImpossibleConfig({
    field: "desc",
    value: desc,
    why: "no path leads from S to G without a hole (H)",
    remedy: "Change an H on the way to F, or move S or G.",
  });
}
