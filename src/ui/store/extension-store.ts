// Extensions that somebody has added to the page: kept on this device, registered in this thread. The worker is told by the
// session.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { serializeError } from "../../core/errors.ts";
import type { ExtensionSource } from "../../rl/extension/api.ts";
import { type Registered, replaceExtensions } from "../../rl/extension/index.ts";
import { loadExtension } from "../../run/snippet.ts";

/** A text that is kept but not registered, and why. */
interface IdleExtension extends ExtensionSource {
  readonly problem: string;
}

interface ExtensionState {
  /** Registered, in order. */
  readonly active: readonly ExtensionSource[];
  readonly idle: readonly IdleExtension[];
  /** What the active ones add, in their order. */
  readonly registered: readonly Registered[];
  /** One more with every change of what is registered. */
  readonly revision: number;
}

const initial: ExtensionState = { active: [], idle: [], registered: [], revision: 0 };

export const useExtensions = create<ExtensionState>()(
  persist(() => initial, {
    name: "vagen-extensions",
    version: 1,
    // What is registered is true of one page only.
    partialize: ({ active, idle }) => ({ active, idle }),
  }),
);

/** What the worker should have too. Nothing counts before it is registered here. */
export const activeExtensions = (): readonly ExtensionSource[] => {
  const { active, registered } = useExtensions.getState();
  return registered.length === active.length ? active : [];
};

/** Reads and registers these in place of the active ones. @throws what is wrong with one of them; then nothing changes. */
export async function registerInPage(next: readonly ExtensionSource[]): Promise<void> {
  const registered = replaceExtensions(await Promise.all(next.map(loadExtension)));
  useExtensions.setState(({ idle, revision }) => ({
    active: next,
    // A text that works now needs no second place.
    idle: idle.filter(({ name }) => !next.some((own) => own.name === name)),
    registered,
    revision: revision + 1,
  }));
}

/** Keeps a text that is not to be registered, under a name that no other has. */
export function putAside({ name, source }: ExtensionSource, problem: string): void {
  useExtensions.setState(({ active, idle }) => {
    const taken = new Set([...active, ...idle].map((own) => own.name));
    let free = name;
    for (let n = 2; taken.has(free); n++) free = `${name} (${n})`;
    return { idle: [...idle, { name: free, source, problem }] };
  });
}

export function dropIdle(name: string): void {
  useExtensions.setState(({ idle }) => ({ idle: idle.filter((own) => own.name !== name) }));
}

/** What is said of a text that has begun to be read and never ended, in the next visit. */
const UNFINISHED = "The page was closed or hung while it was being read. Edit it, and add it again.";

/**
 * After a reload: registers what was kept, one by one, so that a text which fails now does not take the others along. Until
 * it is registered each counts as one that failed: a text that hangs the page hangs it once.
 */
export async function restoreExtensions(): Promise<void> {
  const { active: kept } = useExtensions.getState();
  if (kept.length === 0) return;
  useExtensions.setState(({ idle }) => ({
    active: [],
    idle: [...idle, ...kept.map((own) => ({ ...own, problem: UNFINISHED }))],
  }));
  for (const own of kept)
    await registerInPage([...activeExtensions(), own]).catch((error) => blame(own, error));
}

function blame({ name }: ExtensionSource, error: unknown): void {
  const problem = serializeError(error).message;
  useExtensions.setState(({ idle }) => ({
    idle: idle.map((own) => (own.name === name ? { ...own, problem } : own)),
  }));
}
