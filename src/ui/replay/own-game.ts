// A visitor's own game, from a state of a recorded episode on.
import type { Trajectory } from "../../core/types.ts";
import type { Env } from "../../envs/env.ts";
import { PEOPLE_PATCH_PX } from "../../envs/preview.ts";
import { envs } from "../../envs/registry.ts";
import type { State } from "./motion.ts";

interface OwnMove {
  name: string;
  /** Why it had no effect, or how it ended the task. */
  note: string;
}

/** The current state of a game. */
export interface OwnPosition {
  state: State;
  moves: readonly OwnMove[];
  ended: "" | "success" | "failure";
}

/** The environment's game from the state before a turn of an episode. Every move gives a new position. */
export class OwnGame {
  private env: Env;
  private history: OwnPosition[];

  /** @throws EnvError when the recording does not fit the environment. */
  constructor(
    private readonly trajectory: Pick<Trajectory, "envId" | "seed" | "turns">,
    private readonly envConfig: unknown,
    private readonly turn: number,
  ) {
    this.env = this.begin();
    this.history = [{ state: stateOf(this.env), moves: [], ended: "" }];
  }

  /** Names of the environment's actions. */
  get actions(): readonly string[] {
    return envs.get(this.trajectory.envId).actions;
  }

  get position(): OwnPosition {
    return this.history.at(-1)!;
  }

  /** Plays an action; nothing happens after the end. */
  play(name: string): void {
    const { moves, ended } = this.position;
    if (ended) return;
    const { terminated, success, note } = this.env.step(name);
    this.history.push({
      state: stateOf(this.env),
      moves: [...moves, { name, note }],
      ended: success && terminated ? "success" : terminated ? "failure" : "",
    });
  }

  /** Takes the last action back. */
  undo(): void {
    if (this.history.length === 1) return;
    this.history.pop();
    this.env = this.begin();
    for (const { name } of this.position.moves) this.env.step(name);
  }

  reset(): void {
    this.history.length = 1;
    this.env = this.begin();
  }

  private begin(): Env {
    const { envId, seed, turns } = this.trajectory;
    const spec = envs.get(envId);
    const env = spec.create(spec.config.parse(this.envConfig ?? {}));
    env.reset(seed);
    const saved = turns[this.turn]?.saved;
    if (saved && env.restore) {
      env.restore(saved);
      return env;
    }
    let isOver = false;
    for (const { executed } of turns.slice(0, this.turn)) {
      // In AReaL's workflow a right answer in the wrong form ends the game, but not the episode.
      if (isOver) env.reset(seed);
      isOver = false;
      for (const { name, valid } of executed) if (valid) isOver = env.step(name).terminated;
    }
    if (isOver) env.reset(seed);
    return env;
  }
}

const stateOf = (env: Env): State => ({ frame: env.render(PEOPLE_PATCH_PX), truth: env.groundTruth() });
