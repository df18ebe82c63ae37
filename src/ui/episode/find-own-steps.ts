// Finds out the states between the actions of a turn in a user's own environment.
import { ExtensionError, serializeError } from "../../core/errors.ts";
import type { GroundTruth, Turn } from "../../core/types.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { playRecorded } from "../../worker/own-replay-client.ts";
import { wholeText } from "../settings/words.ts";
import { useExtensions } from "../store/extension-store.ts";
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

/** Plays the turns of several actions in a worker, once for each episode and registered environment. @param play asks the worker */
export async function findOwnSteps(trajectory: Recorded, play = playRecorded): Promise<void> {
  const { envId, turns } = trajectory;
  const several = turns.filter((turn) => playedIn(turn).length > 1);
  if (several.length === 0 || ownSteps(trajectory).state !== "unknown") return;
  const spec = environmentOf(trajectory);
  const say = (steps: OwnSteps) => setOwnSteps(trajectory, spec, steps);
  say({ state: "asked" });
  try {
    const asked = several.map((turn) => ({ before: turn.before as GroundTruth, actions: playedIn(turn) }));
    const played = await play({ extension: extensionOf(envId), envId, turns: asked });
    assertFits(played, several);
    say({ state: "known", turns: new Map(several.map(({ index }, i) => [index, played[i]!])) });
  } catch (error) {
    say({ state: "failed", problem: wholeText(serializeError(error)) });
  }
}

/** @throws ExtensionError unless there is a state for each action of each turn. */
function assertFits(played: readonly (readonly GroundTruth[])[], turns: readonly Turn[]): void {
  const fits = (turn: Turn, i: number) => played[i]!.length === playedIn(turn).length;
  if (played.length !== turns.length || !turns.every(fits))
    throw new ExtensionError("failed", "The worker's answer does not have a state for each action.");
}

/** The active extension that has an environment. @throws ExtensionError when there is none. */
function extensionOf(envId: string): ExtensionSource {
  const { active, registered } = useExtensions.getState();
  const own = registered.find(({ provides }) => provides.includes(`environment ${envId}`));
  const found = active.find(({ name }) => name === own?.name);
  if (!found) throw new ExtensionError("missing", `No extension has the environment "${envId}".`);
  return { name: found.name, source: found.source };
}
