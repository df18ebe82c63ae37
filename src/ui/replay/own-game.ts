// A visitor's own game: a level from its beginning, or from a state of a recorded episode on.
import type { SavedGame, Trajectory } from "../../core/types.ts";
import type { Env, EnvSpec } from "../../envs/env.ts";
import { furtherPictures } from "../../envs/pictures.ts";
import { peoplePatchPx } from "../../envs/preview.ts";
import { envs } from "../../envs/registry.ts";
import { playedIn } from "../episode/own-steps.ts";
import { enterTurn } from "../episode/recorded-game.ts";
import { filmOf } from "../episode/replay-frames.ts";
import type { State } from "./motion.ts";

interface OwnMove {
  name: string;
  /** Why it had no effect, or how it ended the task. */
  note: string;
  reward: number;
}

/** The current state of a game. */
export interface OwnPosition {
  state: State;
  /** What the agent is asked; empty if it is asked nothing. */
  question: string;
  moves: readonly OwnMove[];
  /** Sum of the rewards of the moves. */
  reward: number;
  ended: "" | "success" | "failure";
  /** Where the game can be stored. */
  saved: SavedGame | undefined;
}

/** What a visitor plays. Every move gives a new position; it is there at once, or when the promise resolves. */
export interface Game {
  /** The environment. */
  readonly spec: EnvSpec;
  readonly position: OwnPosition;
  /** Most actions of a turn. */
  readonly perTurn: number;
  /** Whether chance decides, too. */
  readonly hasChance: boolean;
  /** Plays an action; nothing happens after the end. @throws what the environment throws; then nothing has happened. */
  play(name: string): void | Promise<void>;
  /** Takes the last action back. */
  undo(): void | Promise<void>;
  /** Goes back to the beginning. */
  reset(): void | Promise<void>;
  /** Releases what the game holds; a later move takes it again. */
  end?(): void;
}

/** Most actions of a turn; 1 where the environment has no such option. */
export const perTurnOf = (spec: EnvSpec, envConfig: unknown): number =>
  (spec.config.parse(envConfig ?? {}) as { max_actions_per_step?: number }).max_actions_per_step ?? 1;

/** Whether chance decides in an environment with these options. */
export const chanceIn = (spec: EnvSpec, envConfig: unknown): boolean =>
  spec.hasChance?.(spec.config.parse(envConfig ?? {})) ?? false;

/** The environment's game from the state before a turn of an episode, in this thread. */
export class OwnGame implements Game {
  private env: Env;
  private history: OwnPosition[];

  /**
   * @param searchBudget see `CreateOptions`; absent: that of recordings.
   * @throws EnvError when the recording does not fit the environment, or when there is no such level.
   */
  constructor(
    private readonly trajectory: Pick<Trajectory, "envId" | "seed" | "turns">,
    private readonly envConfig: unknown,
    private readonly turn: number,
    private readonly searchBudget?: number,
  ) {
    this.env = this.begin();
    this.history = [{ ...stateIn(this.env, this.patchPx), moves: [], reward: 0, ended: "" }];
  }

  get spec(): EnvSpec {
    return envs.get(this.trajectory.envId);
  }

  get perTurn(): number {
    return perTurnOf(this.spec, this.envConfig);
  }

  get hasChance(): boolean {
    return chanceIn(this.spec, this.envConfig);
  }

  private get patchPx(): number {
    return peoplePatchPx(this.spec, this.spec.config.parse(this.envConfig ?? {}));
  }

  get position(): OwnPosition {
    return this.history.at(-1)!;
  }

  play(name: string): void {
    const { moves, ended, reward: before } = this.position;
    if (ended) return;
    try {
      const { reward, terminated, success, note } = this.env.step(name);
      this.history.push({
        ...stateIn(this.env, this.patchPx),
        moves: [...moves, { name, note, reward }],
        reward: before + reward,
        ended: success && terminated ? "success" : terminated ? "failure" : "",
      });
    } catch (error) {
      this.env = this.atPosition();
      throw error;
    }
  }

  undo(): void {
    if (this.history.length === 1) return;
    this.history.pop();
    this.env = this.atPosition();
  }

  reset(): void {
    this.history.length = 1;
    this.env = this.begin();
  }

  /** A new game that has come to the current position. */
  private atPosition(): Env {
    const env = this.begin();
    const { saved, moves } = this.position;
    if (saved && env.restore) env.restore(saved);
    else for (const { name } of moves) env.step(name);
    return env;
  }

  private begin(): Env {
    const { envId, seed, turns } = this.trajectory;
    const spec = envs.get(envId);
    const { searchBudget } = this;
    const env = spec.create(spec.config.parse(this.envConfig ?? {}), searchBudget ? { searchBudget } : {});
    env.reset(seed);
    const turn = turns[this.turn] ?? {};
    // From a stored state, no earlier turn has to be played.
    const earlier = turn.saved && env.restore ? [] : turns.slice(0, this.turn);
    let hasEnded = false;
    for (const played of earlier) {
      enterTurn(env, seed, played, hasEnded);
      hasEnded = false;
      for (const name of playedIn(played)) hasEnded = env.step(name).terminated;
    }
    enterTurn(env, seed, turn, hasEnded);
    return env;
  }
}

const stateIn = (env: Env, patchPx: number): Pick<OwnPosition, "state" | "question" | "saved"> => ({
  state: {
    frame: env.render(patchPx),
    further: furtherPictures(env).map((draw) => draw(patchPx)),
    truth: env.groundTruth(),
    motion: filmOf(env, patchPx),
  },
  question: (env.question?.() ?? "").trim(),
  saved: env.save?.(),
});
