// Finds out the states between the actions of a turn in a user's own environment.
import { serializeError } from "../../core/errors.ts";
import type { GroundTruth } from "../../core/types.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { playRecorded } from "../../worker/own-replay-client.ts";
import { useExtensions } from "../store/extension-store.ts";
import { type OwnSteps, ownSteps, playedIn, type Recorded, setOwnSteps } from "./own-steps.ts";

const ASKED: OwnSteps = { state: "asked" };

/** Plays the turns of several actions in a worker, once for each episode. @param play asks the worker */
export async function findOwnSteps(trajectory: Recorded, play = playRecorded): Promise<void> {
  const { envId, turns } = trajectory;
  const several = turns.filter((turn) => playedIn(turn).length > 1);
  const extension = extensionOf(envId);
  if (!extension || several.length === 0 || ownSteps(trajectory).state !== "unknown") return;
  setOwnSteps(trajectory, ASKED);
  const asked = several.map((turn) => ({ before: turn.before as GroundTruth, actions: playedIn(turn) }));
  const found = await play({ extension, envId, turns: asked }).then(
    (played): OwnSteps => ({
      state: "known",
      turns: new Map(several.map((turn, i) => [turn.index, played[i]!])),
    }),
    (error): OwnSteps => ({ state: "failed", problem: serializeError(error).message }),
  );
  setOwnSteps(trajectory, found);
}

/** The active extension that has an environment. */
function extensionOf(envId: string): ExtensionSource | undefined {
  const { active, registered } = useExtensions.getState();
  const own = registered.find(({ provides }) => provides.includes(`environment ${envId}`));
  const found = active.find(({ name }) => name === own?.name);
  return found && { name: found.name, source: found.source };
}
