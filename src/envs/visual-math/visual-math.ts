// One question about one picture. A wrong answer changes nothing: the agent may try again while it has turns.
import { checkSeed, rng } from "../../core/rng.ts";
import type { BoardTruth, Cell, Frame } from "../../core/types.ts";
import type { Env, StepResult, Tool } from "../env.ts";
import { checkAction, checkRunning, started } from "../grid.ts";
import { readAnswer } from "./answer.ts";
import type { VisualMathConfig } from "./config.ts";
import { isSameAnswer } from "./grade.ts";
import { ANSWERS, questionText } from "./question.ts";
import { drawScene, lineCells, type Scene } from "./scene.ts";
import { drawPicture } from "./sprites.ts";
import { visualTools } from "./tools.ts";

export { readAnswer };

export class VisualMath implements Env {
  private episode: { scene: Scene; solved: boolean } | null = null;

  constructor(private readonly config: VisualMathConfig) {}

  reset(seed: number): void {
    checkSeed(seed);
    this.episode = { scene: drawScene(this.config, rng(seed).fork("scene")), solved: false };
  }

  step(action: string): StepResult {
    const episode = started(this.episode);
    checkRunning(episode.solved);
    if (readAnswer(action) !== action) checkAction(action, ANSWERS);
    const success = isSameAnswer(action, String(episode.scene.answer));
    episode.solved = success;
    return {
      reward: success ? this.config.success_reward : 0,
      terminated: success,
      success,
      effective: success,
      note: success ? "" : "a wrong answer",
    };
  }

  render(patchPx: number): Frame {
    const { scene, solved } = started(this.episode);
    return drawPicture(scene, solved, patchPx);
  }

  /** Two letters for a shape (`rc` red circle), `#` for a line, a point's letter, `_` for paper, `√` once it is solved. */
  text(): string {
    const { scene, solved } = started(this.episode);
    const paper = solved ? "√" : "_";
    const grid = Array.from({ length: scene.side }, () => new Array<string>(scene.side).fill(paper));
    const put = ([row, col]: Cell, symbol: string) => {
      grid[row][col] = symbol;
    };
    for (const { cell, item } of scene.items) put(cell, item.color[0] + item.shape[0]);
    for (const { cell } of lineCells(scene)) put(cell, "#");
    for (const [name, cell] of Object.entries(scene.points)) put(cell, name);
    return grid.map((row) => row.join(" ")).join("\n");
  }

  groundTruth(): BoardTruth {
    const { scene, solved } = started(this.episode);
    const entities: Record<string, Cell[]> = {};
    for (const { cell, item } of scene.items) {
      const name = `${item.color} ${item.shape}`;
      entities[name] = [...(entities[name] ?? []), cell];
    }
    for (const [name, cell] of Object.entries(scene.points)) entities[name] = [cell];
    const { kind, wanted, unit, answer, side } = scene;
    const facts = { question: questionText(scene), kind, ...wanted, unit, answer, solved };
    return { rows: side, cols: side, entities, facts };
  }

  question(): string {
    return questionText(started(this.episode).scene);
  }

  tools(): readonly Tool[] {
    return this.config.tools ? visualTools(() => started(this.episode).scene) : [];
  }

  oracle(): readonly string[] {
    const { scene, solved } = started(this.episode);
    return solved ? [] : [String(scene.answer)];
  }
}
