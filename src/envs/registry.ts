// The environments by id, and which of them have been loaded. The front page begins with an episode of FrozenLake, for which it loads no
// other environment; `index.ts` registers those.
import { StudioError } from "../core/errors.ts";
import { openRegistry } from "../core/registry.ts";
import type { EnvSpec } from "./env.ts";
import { frozenlake } from "./frozenlake/index.ts";
import type { LoadProgress } from "./loading.ts";

/** All environments, once `index.ts` has been loaded; extensions add to them. */
export const envs = openRegistry<EnvSpec>({ kind: "environment" }, frozenlake);

/** The title of an environment; its id where no such environment is registered. */
export const envTitle = (id: string): string => envs.all.find((spec) => spec.id === id)?.title ?? id;

/** How far the loading of an environment is. A state is never changed; a later one takes its place. */
export type EnvLoad =
  | { readonly state: "idle" | "ready" }
  | { readonly state: "loading"; readonly progress: LoadProgress }
  /** `problem` says why, and `remedy` what helps; it may be empty. */
  | { readonly state: "failed"; readonly problem: string; readonly remedy: string };

type Listener = (id: string, load: EnvLoad) => void;

const IDLE: EnvLoad = { state: "idle" };
const READY: EnvLoad = { state: "ready" };
const loads = new Map<string, EnvLoad>();
const listeners = new Set<Listener>();

function change(id: string, load: EnvLoad): void {
  loads.set(id, load);
  for (const listener of listeners) listener(id, load);
}

/** How far the loading of an environment is. One that needs none is ready, also if it is not known. */
export const loadOf = (id: string): EnvLoad =>
  envs.all.find((spec) => spec.id === id)?.load ? (loads.get(id) ?? IDLE) : READY;

/** Calls `listener` after every change of what `loadOf` says. Returns a function that ends this. */
export function watchLoads(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Loads what games of an environment need. @throws EnvError("not_loaded") */
export async function loadEnv(id: string): Promise<void> {
  const spec = envs.get(id);
  if (!spec.load || isLoaded(id)) return;
  const report = (progress: LoadProgress) => change(id, { state: "loading", progress });
  if (loadOf(id).state !== "loading") report({ what: spec.title, bytes: 0, of: null });
  try {
    await spec.load(report);
    if (!isLoaded(id)) change(id, READY);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    change(id, { state: "failed", problem, remedy: (error instanceof StudioError && error.hint) || "" });
    throw error;
  }
}

/** Loads what games of several environments need. @throws EnvError("not_loaded") */
export async function loadEnvs(ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map(loadEnv));
}

/** Why an environment could not be loaded; empty if it could, or has not been yet. */
export function loadFailure(id: string): string {
  const load = loadOf(id);
  return load.state === "failed" ? load.problem : "";
}

/** Whether games of an environment can be created now. */
export const isLoaded = (id: string): boolean => loadOf(id).state === "ready";
