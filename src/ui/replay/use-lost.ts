// Where a replay was lost, as the environment's exact solver says.
import { useEffect, useState } from "react";
import { type LostMoment, lostMoment } from "../../envs/lost.ts";
import type { PlayedReplay } from "./playback.ts";

/**
 * When the task was lost; null where it was not, where no solver knows, and before the search has
 * ended. The search takes place after the first picture is on the page.
 */
export function useLost({ trajectory, envConfig, maxTurns }: PlayedReplay): LostMoment | null {
  const [lost, setLost] = useState<LostMoment | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setLost(search(trajectory, envConfig, maxTurns)));
    return () => clearTimeout(timer);
  }, [trajectory, envConfig, maxTurns]);
  return lost;
}

function search(
  trajectory: PlayedReplay["trajectory"],
  envConfig: unknown,
  maxTurns: number,
): LostMoment | null {
  try {
    return lostMoment(trajectory, envConfig, { maxTurns });
  } catch {
    // The recording does not fit this build's environment, which the picture reports.
    return null;
  }
}
