// The asymmetric critic: values from the simulator's state in place of the picture. It acts nowhere, so the policy still sees
// pictures only; as a baseline it is unbiased, because a token's value uses nothing that was sampled at or after that token:
// tokens of a reply have the value of the state before it, and its last token that of the state that its decision leads to.
// Values of an update come from earlier updates only. After Pinto et al. 2017, "Asymmetric Actor Critic".
import type { Task } from "../agent/task.ts";
import type { GroundTruth, SceneTruth, Trajectory } from "../core/types.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import { turnSpans } from "../rl/advantage/turns.ts";
import { ValueTable, type ValueTableState } from "../rl/value-table.ts";
import { type PackedTrajectory, tokenCount } from "./batch.ts";
import { turnValues } from "./turn-values.ts";

/** How much an update's returns still count in the next one: about ten updates are remembered. */
const MEMORY = 0.9;
/** Solved scenes that are kept. */
const MOST_SCENES = 50_000;

export class StateCritic {
  private readonly table: ValueTable;
  private readonly moves = new Map<string, number | null>();

  constructor(
    private readonly task: Pick<Task, "spec" | "maxTurns">,
    stored?: ValueTableState,
  ) {
    this.table = new ValueTable(stored);
  }

  /** What it has learned, for a checkpoint. */
  toJSON(): ValueTableState {
    return this.table.toJSON();
  }

  /** Values of every token of the batch. Tokens outside of replies have the value of the state that the next reply begins in. */
  values(packed: readonly PackedTrajectory[]): Float32Array<ArrayBuffer> {
    const values = new Float32Array(tokenCount(packed));
    for (const { trajectory, start } of packed) {
      let from = 0;
      for (const { end } of spansOf(trajectory)) {
        const turn = turnAt(trajectory, end);
        // A summary comes after its turn's decision.
        const isSummary = from > 0 && turn === turnAt(trajectory, from - 1);
        const before = isSummary ? this.keysAfter(trajectory, turn) : this.keysBefore(trajectory, turn);
        values.fill(this.table.value(before), start + from, start + end);
        values[start + end] = this.table.value(this.keysAfter(trajectory, turn));
        from = end + 1;
      }
    }
    return values;
  }

  /** Learns the returns of a batch, once `fillTrajectories` has run. */
  learn(packed: readonly PackedTrajectory[]): void {
    this.table.fade(MEMORY);
    for (const one of packed) {
      const { trajectory } = one;
      for (const { turn, returnAtStart, returnAtEnd } of turnValues(one)) {
        this.table.learn(this.keysBefore(trajectory, turn), returnAtStart);
        this.table.learn(this.keysAfter(trajectory, turn), returnAtEnd);
      }
    }
  }

  private keysBefore({ turns }: Trajectory, turn: number): string[] {
    return keysOf("start", this.distance(turns[turn]!.before), this.task.maxTurns - turn);
  }

  private keysAfter({ turns, terminated, success }: Trajectory, turn: number): string[] {
    const isOver = terminated && turn === turns.length - 1;
    if (isOver) return keysOf("end", success ? "success" : "failure", 0);
    return keysOf("end", this.distance(turns[turn]!.after), this.task.maxTurns - turn - 1);
  }

  /** Moves of a shortest plan; `none` when there is none or the environment has no solver. */
  private distance(scene: SceneTruth): string {
    const key = JSON.stringify(scene);
    let moves = this.moves.get(key);
    if (moves === undefined) {
      moves = this.task.spec.movesLeft?.(scene as GroundTruth) ?? null;
      if (this.moves.size >= MOST_SCENES) this.moves.clear();
      this.moves.set(key, moves);
    }
    return moves === null ? "none" : `${moves}`;
  }
}

const keysOf = (end: "start" | "end", state: string, turnsLeft: number): string[] => [
  end,
  `${end} ${state}`,
  `${end} ${state} ${turnsLeft}`,
];

const spansOf = ({ tokens: { responseMask, turnEndMask } }: Trajectory) =>
  turnSpans({ gaeMask: responseMask, turnEndMask }, 0, responseMask.length);

const turnAt = ({ tokens }: Trajectory, token: number): number => tokens.turnIndex[token] as number;

/** Replaces the values of a scored batch by those of the asymmetric critic. */
export function writeStateValues(
  engine: Engine,
  critic: StateCritic,
  packed: readonly PackedTrajectory[],
): void {
  engine.write(engine.buffers.batch.values, critic.values(packed));
}
