// A visitor's game of a user's own environment, whose code a worker runs.
import { createMutex } from "../../core/mutex.ts";
import type { SceneTruth, Trajectory } from "../../core/types.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { peoplePatchPx } from "../../envs/preview.ts";
import { envs } from "../../envs/registry.ts";
import { OwnEnvPlayer } from "../../worker/own-env-client.ts";
import type { PlayedAction } from "../../worker/own-env-protocol.ts";
import { extensionOf } from "../store/extension-store.ts";
import { chanceIn, type Game, type OwnPosition, perTurnOf } from "./own-game.ts";

/** A state holds all that later steps depend on, so the worker is asked for one step at a time, and undoing needs no worker. */
export class OwnEnvGame implements Game {
  private history: OwnPosition[];
  /** Each move waits for those that a visitor made earlier. */
  private readonly moves = createMutex();
  /** Counts what drops the moves that wait: one of them failed, or the game was left. */
  private drops = 0;

  private constructor(
    readonly spec: EnvSpec,
    private readonly envConfig: unknown,
    private readonly player: OwnEnvPlayer,
    first: SceneTruth,
  ) {
    this.history = [{ ...this.stateIn(first), moves: [], reward: 0, ended: "" }];
  }

  /**
   * A level from its beginning. @param searchBudget see `CreateOptions` @param player is ended with the game, or if there is none
   * @throws ExtensionError when there is no such level.
   */
  static async ofLevel(
    envId: string,
    envConfig: unknown,
    seed: number,
    searchBudget: number,
    player: OwnEnvPlayer,
  ): Promise<OwnEnvGame> {
    try {
      const first = await player.begin(seed, searchBudget);
      return new OwnEnvGame(envs.get(envId), envConfig, player, first);
    } catch (error) {
      player.end();
      throw error;
    }
  }

  /** The game from the recorded state before a turn of an episode. @throws ExtensionError when its extension is missing. */
  static fromTurn({ envId, turns }: Pick<Trajectory, "envId" | "turns">, envConfig: unknown, turn: number) {
    const before = turns[turn]!.before;
    return new OwnEnvGame(envs.get(envId), envConfig, playerOf(envId, envConfig), before);
  }

  get position(): OwnPosition {
    return this.history.at(-1)!;
  }

  get perTurn(): number {
    return perTurnOf(this.spec, this.envConfig);
  }

  get hasChance(): boolean {
    return chanceIn(this.spec, this.envConfig);
  }

  play = (name: string): Promise<void> => this.inOrder(() => this.playNow(name));

  undo = (): Promise<void> => this.inOrder(() => this.goBackTo(Math.max(1, this.history.length - 1)));

  reset = (): Promise<void> => this.inOrder(() => this.goBackTo(1));

  end(): void {
    this.drops++;
    this.player.end();
  }

  private goBackTo(length: number): void {
    this.history.length = length;
  }

  private inOrder(move: () => void | Promise<void>): Promise<void> {
    const { drops } = this;
    return this.moves.run(async () => {
      if (drops !== this.drops) return;
      try {
        await move();
      } catch (error) {
        this.drops++;
        throw error;
      }
    });
  }

  private async playNow(name: string): Promise<void> {
    const { position } = this;
    if (position.ended) return;
    const before = position.state.truth;
    const [[step]] = (await this.player.play([{ before, actions: [name] }])) as [[PlayedAction]];
    const { truth, reward, terminated, success, note } = step;
    this.history.push({
      ...this.stateIn(truth),
      moves: [...position.moves, { name, note, reward }],
      reward: position.reward + reward,
      ended: success && terminated ? "success" : terminated ? "failure" : "",
    });
  }

  private stateIn(truth: SceneTruth): Pick<OwnPosition, "state" | "question" | "saved"> {
    const patchPx = peoplePatchPx(this.spec, this.spec.config.parse(this.envConfig ?? {}));
    const frame = this.spec.recorded!.draw(truth, patchPx);
    return { state: { frame, truth }, question: "", saved: undefined };
  }
}

/** What plays a registered environment. @throws ExtensionError when its extension is missing. */
export const playerOf = (envId: string, envConfig: unknown): OwnEnvPlayer =>
  new OwnEnvPlayer({ extension: extensionOf(envId), envId, envConfig });
