// A game that follows a recording, and goes back to any state that it has been in.
import type { SavedGame, Turn } from "../../core/types.ts";
import type { Env } from "../../envs/env.ts";

/**
 * Puts a game into the state that a recorded turn starts from, after the turn before it was played.
 * @param seed of the level
 * @param previousEnded whether the turn before ended the game; false for the first one
 * @throws what the environment throws when the stored state does not fit it.
 */
export function enterTurn(
  env: Env,
  seed: number,
  { saved }: Pick<Turn, "saved">,
  previousEnded: boolean,
): void {
  // In AReaL's workflow a right answer in the wrong form ends the game, but not the episode.
  if (previousEnded) env.reset(seed);
  if (saved) env.restore?.(saved);
}

interface Station {
  /** Leads here from the state before. */
  enter: (env: Env) => unknown;
  /** Where a state of this environment can be stored. */
  saved: SavedGame | undefined;
}

export class RecordedGame {
  private readonly stations: Station[] = [];
  /** Number of the state that the game is in; −1 at the start of the level. */
  private at = -1;

  /** The game at the start of the level. @throws EnvError when there is no such level. */
  constructor(
    private readonly env: Env,
    private readonly seed: number,
  ) {
    env.reset(seed);
  }

  /** Goes on to a new state. Returns its number, and what leads there. */
  enter<T>(enter: (env: Env) => T): { state: number; result: T } {
    const state = this.stations.length;
    const result = enter(this.returnTo(state - 1));
    this.stations.push({ enter, saved: this.env.save?.() });
    this.at = state;
    return { state, result };
  }

  /** The game in one of its states. A simulation is restored; any other game is played again, which is quick beside drawing it. */
  returnTo(state: number): Env {
    const saved = this.stations[state]?.saved;
    if (this.at !== state && saved && this.env.restore) {
      this.env.restore(saved);
      this.at = state;
    }
    if (this.at > state) {
      this.env.reset(this.seed);
      this.at = -1;
    }
    while (this.at < state) this.stations[++this.at]!.enter(this.env);
    return this.env;
  }
}
