// The states between the actions of a turn in a user's own environment, for a component that shows them.
import { useEffect, useSyncExternalStore } from "react";
import {
  environmentOf,
  type OwnSteps,
  ownSteps,
  type Recorded,
  setOwnSteps,
  watchOwnSteps,
} from "./own-steps.ts";

/** Asks for the states between the actions of an episode, if its environment is a user's own and a turn has several actions. */
export function useOwnSteps(trajectory: Recorded): OwnSteps {
  const now = () => ownSteps(trajectory);
  const spec = environmentOf(trajectory);
  useEffect(() => {
    if (!spec?.recorded || ownSteps(trajectory).state !== "unknown") return;
    // Not in the page's first script: few visitors have an environment of their own.
    import("./find-own-steps.ts").then(
      ({ findOwnSteps }) => findOwnSteps(trajectory),
      () => setOwnSteps(trajectory, spec, { state: "failed", problem: NOT_LOADED }),
    );
  }, [trajectory, spec]);
  return useSyncExternalStore(watchOwnSteps, now, now);
}

const NOT_LOADED =
  "The part of the page that computes them could not be loaded. Check the connection and reload the page.";
