// Where a replay was lost, as the environment's exact solver says.
import { useEffect, useState } from "react";
import { lostTurn } from "../../envs/lost.ts";
import type { PlayedReplay } from "./playback.ts";

/**
 * Index of the turn after which the task was lost; null where it was not, where no solver knows, and before the search has
 * ended. The search takes place after the first picture is on the page.
 */
export function useLost({ trajectory, envConfig, maxTurns }: PlayedReplay): number | null {
  const [lost, setLost] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setLost(search(trajectory, envConfig, maxTurns)));
    return () => clearTimeout(timer);
  }, [trajectory, envConfig, maxTurns]);
  return lost;
}

function search(trajectory: PlayedReplay["trajectory"], envConfig: unknown, maxTurns: number): number | null {
  try {
    return lostTurn(trajectory, envConfig, { maxTurns });
  } catch {
    // The recording does not fit this build's environment, which the picture reports.
    return null;
  }
}
