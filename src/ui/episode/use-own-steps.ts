// The states between the actions of a turn in a user's own environment, for a component that shows them.
import { useEffect, useSyncExternalStore } from "react";
import { envs } from "../../envs/registry.ts";
import { type OwnSteps, ownSteps, type Recorded, watchOwnSteps } from "./own-steps.ts";

/** Asks for the states between the actions of an episode, if its environment is a user's own and a turn has several actions. */
export function useOwnSteps(trajectory: Recorded): OwnSteps {
  const now = () => ownSteps(trajectory);
  useEffect(() => {
    if (!isOwn(trajectory.envId) || ownSteps(trajectory).state !== "unknown") return;
    // Not in the page's first script: few visitors have an environment of their own.
    import("./find-own-steps.ts").then(
      ({ findOwnSteps }) => findOwnSteps(trajectory),
      () => undefined,
    );
  }, [trajectory]);
  return useSyncExternalStore(watchOwnSteps, now, now);
}

const isOwn = (envId: string): boolean => envs.all.some((spec) => spec.id === envId && spec.recorded);
