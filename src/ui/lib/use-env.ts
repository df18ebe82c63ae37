// Environments that load a module before their first game.
import { useEffect, useSyncExternalStore } from "react";
import { type EnvLoad, envs, loadEnv, loadOf, watchLoads } from "../../envs/registry.ts";

const NONE: EnvLoad = { state: "idle" };

/** How far the loading of an environment is, in this thread. Loads nothing. */
export function useLoadOf(id: string | null): EnvLoad {
  const now = () => (id === null ? NONE : loadOf(id));
  return useSyncExternalStore(watchLoads, now, now);
}

/** Loads an environment, and says how far that is. Null loads none and is never ready. */
export function useEnvLoad(id: string | null): EnvLoad {
  const load = useLoadOf(id);
  const isReady = load.state === "ready";
  useEffect(() => {
    if (id !== null && !isReady && envs.ids.includes(id)) retryLoad(id);
  }, [id, isReady]);
  return load;
}

/** Loads an environment, again after a failure. What comes of it is in its `EnvLoad`. */
export const retryLoad = (id: string): void => void loadEnv(id).catch(() => undefined);

/** Whether games of an environment can be created; until then it is loaded, and the component renders again when it is there. */
export const useEnvLoaded = (id: string | null): boolean => useEnvLoad(id).state === "ready";
