// When a replay was lost, as the environment's exact solver says.
import { useEffect, useState } from "react";
import type { LostMoment } from "../../envs/lost.ts";
import type { PlayedReplay } from "./playback.ts";

/**
 * When the task was lost; null where it was not, where no solver knows, and before the search has ended. The search and its code
 * come after the first picture.
 */
export function useLost({ trajectory, envConfig, maxTurns }: PlayedReplay): LostMoment | null {
  const [lost, setLost] = useState<LostMoment | null>(null);
  useEffect(() => {
    let isCurrent = true;
    search(trajectory, envConfig, maxTurns).then((found) => isCurrent && setLost(found));
    return () => {
      isCurrent = false;
    };
  }, [trajectory, envConfig, maxTurns]);
  return lost;
}

async function search(
  trajectory: PlayedReplay["trajectory"],
  envConfig: unknown,
  maxTurns: number,
): Promise<LostMoment | null> {
  try {
    const { lostMoment } = await import("../../envs/lost.ts");
    return lostMoment(trajectory, envConfig, { maxTurns });
  } catch {
    // The recording does not fit this build's environment, which the picture reports; or the code could not be loaded.
    return null;
  }
}
