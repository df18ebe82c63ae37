// The page's end of the worker that plays a user's own environment.
import type { SceneTruth } from "../core/types.ts";
import { envs } from "../envs/registry.ts";
import {
  type ActionsFrom,
  type FromOwnEnv,
  type OwnEnv,
  type PlayedAction,
  readAnswer,
  type ToOwnEnv,
} from "./own-env-protocol.ts";
import workerUrl from "./own-env-worker.ts?worker&url";
import { SealedWorker, startSealed } from "./sealed-client.ts";

/** How long an answer may take, in milliseconds. */
const LIMIT_MS = 10_000;

/** A user's own environment, played in a worker. `end` it after use; a later question starts it again. */
export class OwnEnvPlayer {
  private readonly worker: SealedWorker<ToOwnEnv, FromOwnEnv>;

  constructor(
    private readonly own: OwnEnv,
    start = () => startSealed(workerUrl, "own-env"),
    limitMs = LIMIT_MS,
  ) {
    this.worker = new SealedWorker(start, {
      limitMs,
      code: "failed",
      say: (what) => ({
        message: `The environment "${own.envId}": ${what}`,
        hint: "Correct it and add it again.",
      }),
      read: (answer) => readAnswer(envs.get(own.envId), answer),
    });
  }

  /**
   * The state in which a level begins. @param searchBudget see `CreateOptions`
   * @throws ExtensionError("failed") when the environment fails, or does not end in time.
   */
  async begin(seed: number, searchBudget: number): Promise<SceneTruth> {
    const answer = await this.worker.ask({ ...this.own, kind: "begin", seed, searchBudget });
    return (answer as Extract<FromOwnEnv, { kind: "begun" }>).truth;
  }

  /** What each action of each turn leads to. @throws as `begin` does */
  async play(turns: readonly ActionsFrom[]): Promise<readonly (readonly PlayedAction[])[]> {
    const answer = await this.worker.ask({ ...this.own, kind: "play", turns });
    return (answer as Extract<FromOwnEnv, { kind: "played" }>).turns;
  }

  end(): void {
    this.worker.end();
  }
}
