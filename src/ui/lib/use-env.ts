// Environments that load a module before their first game.
import { useEffect, useState } from "react";
import { envs, isLoaded, loadEnv } from "../../envs/registry.ts";

/**
 * Whether games of an environment can be created; until then it is loaded, and the component renders again when it is there. Null loads
 * none and is never ready.
 */
export function useEnvLoaded(id: string | null): boolean {
  const [, setAttempt] = useState(0);
  const isReady = id !== null && isLoaded(id);
  useEffect(() => {
    if (id === null || isReady || !envs.ids.includes(id)) return;
    let isCurrent = true;
    const renderAgain = () => isCurrent && setAttempt((attempt) => attempt + 1);
    // `loadFailure` says why it failed; the next visit tries again.
    loadEnv(id).then(renderAgain, renderAgain);
    return () => {
      isCurrent = false;
    };
  }, [id, isReady]);
  return isReady;
}
