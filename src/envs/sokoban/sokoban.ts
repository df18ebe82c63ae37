// One game of Sokoban: push every box onto a target.
import { checkSeed } from "../../core/rng.ts";
import type { Frame, GroundTruth } from "../../core/types.ts";
import type { Env, StepResult } from "../env.ts";
import { boardText, checkAction, checkRunning, ImpossibleConfig, onBoard, started } from "../grid.ts";
import type { SokobanConfig } from "./config.ts";
import { readRoom } from "./fixed-room.ts";
import { impossible } from "./generator.ts";
import { levelOf } from "./level-source.ts";
import { cellOf, directions, isSolved, type Level, offsets } from "./room.ts";
import { move, solve } from "./solver.ts";
import { drawRoom } from "./sprites.ts";

export class Sokoban implements Env {
  private level: Level | null = null;
  private readonly fixed: Level | null;

  constructor(
    private readonly config: SokobanConfig,
    private readonly searchBudget: number,
  ) {
    this.fixed = config.desc && readRoom(config.desc);
    const problem = this.fixed ? null : impossible(config);
    if (problem) throw new ImpossibleConfig(problem);
  }

  reset(seed: number): void {
    checkSeed(seed);
    this.level = this.fixed ?? levelOf(this.config, seed, this.searchBudget).level;
  }

  step(action: string): StepResult {
    const before = started(this.level);
    checkRunning(isSolved(before, before.boxes));
    checkAction(action, directions);
    const step = offsets(before.cols)[directions.indexOf(action)];
    const moved = move(before, before.player, before.boxes, step);
    const after = moved ? { ...before, ...moved } : before;
    this.level = after;
    const success = isSolved(after, after.boxes);
    return {
      reward: this.reward(before, after, success),
      terminated: success,
      success,
      effective: moved !== null,
      note: moved ? "" : whyBlocked(before, step),
    };
  }

  render(patchPx: number): Frame {
    return drawRoom(started(this.level), patchPx);
  }

  text(): string {
    const { rows, cols, wall, targets, boxes, player } = started(this.level);
    const symbol = (cell: number) => {
      if (wall[cell]) return "#";
      const onTarget = targets.includes(cell);
      if (cell === player) return onTarget ? "S" : "P";
      if (boxes.includes(cell)) return onTarget ? "√" : "X";
      return onTarget ? "O" : "_";
    };
    const line = (row: number) => Array.from({ length: cols }, (_, col) => symbol(row * cols + col));
    return boardText(
      Array.from({ length: rows }, (_, row) => line(row)),
      this.config.text_cells,
    );
  }

  groundTruth(): GroundTruth {
    const level = started(this.level);
    const { rows, cols, wall, targets, boxes, player } = level;
    const cells = (indices: readonly number[]) =>
      [...indices].sort((a, b) => a - b).map((i) => cellOf(i, cols));
    const inner = Array.from(wall.keys()).filter((i) => wall[i] && onBoard(cellOf(i, cols), level, 1));
    return {
      rows,
      cols,
      player: cellOf(player, cols),
      entities: { box: cells(boxes), target: cells(targets), wall: cells(inner) },
    };
  }

  /** Null also in the rare state with several boxes where the search gives up. */
  oracle(): readonly string[] | null {
    return solve(started(this.level)).plan;
  }

  private reward(before: Level, after: Level, success: boolean): number {
    const { penalty_for_step, reward_box_on_target, penalty_box_off_target, success_reward } = this.config;
    const gained = covered(after) - covered(before);
    const moved = gained > 0 ? gained * reward_box_on_target : -gained * penalty_box_off_target;
    return penalty_for_step + moved + (success ? success_reward : 0);
  }
}

const covered = ({ targets, boxes }: Level) => targets.filter((cell) => boxes.includes(cell)).length;

function whyBlocked({ player, wall, boxes }: Level, step: number): string {
  if (wall[player + step]) return "blocked by a wall";
  return `the box is blocked by ${boxes.includes(player + 2 * step) ? "another box" : "a wall"}`;
}
