// Finds out the states between the actions of a turn in a user's own environment.
import { ExtensionError, serializeError } from "../../core/errors.ts";
import type { SceneTruth, Turn } from "../../core/types.ts";
import { OwnEnvPlayer } from "../../worker/own-env-client.ts";
import type { ActionsFrom, OwnEnv } from "../../worker/own-env-protocol.ts";
import { wholeText } from "../settings/words.ts";
import { extensionOf, useExtensions } from "../store/extension-store.ts";
import {
  environmentOf,
  type OwnSteps,
  ownSteps,
  ownStepsChanged,
  playedIn,
  type Recorded,
  setOwnSteps,
} from "./own-steps.ts";

// A corrected extension may lead to other states.
useExtensions.subscribe(ownStepsChanged);

/** The states after each of the actions of each turn. @throws ExtensionError("failed") */
async function statesAfter(own: OwnEnv, turns: readonly ActionsFrom[]): Promise<SceneTruth[][]> {
  const player = new OwnEnvPlayer(own);
  try {
    return (await player.play(turns)).map((actions) => actions.map(({ truth }) => truth));
  } finally {
    player.end();
  }
}

/** Plays the turns of several actions in a worker, once for each episode and registered environment. @param play asks the worker */
export async function findOwnSteps(trajectory: Recorded, play = statesAfter): Promise<void> {
  const { envId, turns } = trajectory;
  const several = turns.filter((turn) => playedIn(turn).length > 1);
  if (several.length === 0 || ownSteps(trajectory).state !== "unknown") return;
  const spec = environmentOf(trajectory);
  const say = (steps: OwnSteps) => setOwnSteps(trajectory, spec, steps);
  say({ state: "asked" });
  try {
    const asked = several.map((turn) => ({ before: turn.before, actions: playedIn(turn) }));
    // The options change what an action pays, and not where it leads.
    const played = await play({ extension: extensionOf(envId), envId, envConfig: {} }, asked);
    assertFits(played, several);
    say({ state: "known", turns: new Map(several.map(({ index }, i) => [index, played[i]!])) });
  } catch (error) {
    say({ state: "failed", problem: wholeText(serializeError(error)) });
  }
}

/** @throws ExtensionError unless there is a state for each action of each turn. */
function assertFits(played: readonly (readonly SceneTruth[])[], turns: readonly Turn[]): void {
  const fits = (turn: Turn, i: number) => played[i]!.length === playedIn(turn).length;
  if (played.length !== turns.length || !turns.every(fits))
    throw new ExtensionError("failed", "The worker's answer does not have a state for each action.");
}
