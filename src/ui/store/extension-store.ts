// Extensions added to the page: stored on this device and registered in this thread. The session registers them in the worker.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { ExtensionError, serializeError } from "../../core/errors.ts";
import { counted } from "../../core/format.ts";
import { isHousesFile } from "../../envs/navigation/houses.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { type Registered, replaceExtensions } from "../../extension/index.ts";
import { loadExtensions } from "../../run/snippet.ts";
import { tryExtension } from "../../worker/extension-check-client.ts";
import type { EnvironmentReport } from "../../worker/extension-check-protocol.ts";

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
  /** What was found about the environments of a text, by the text; of those that were tried in this visit. */
  readonly reports: Readonly<Record<string, readonly EnvironmentReport[]>>;
  /** The version of the studio that tried the active ones; another one may promise more, or find more. */
  readonly triedBy: string;
}

const initial: ExtensionState = { active: [], idle: [], registered: [], reports: {}, triedBy: "" };

/**
 * In a built page the name of this code's own file, which changes with this code and with all that it imports: the contract, and what an
 * environment is made of. In development the name stays, so each visit counts as another version.
 */
const VERSION = import.meta.env.PROD ? import.meta.url.split("/").at(-1)! : `visit ${Date.now()}`;

export const useExtensions = create<ExtensionState>()(
  persist(() => initial, {
    name: "vagen-extensions",
    version: 1,
    // What is registered is true of one page only.
    partialize: ({ active, idle, triedBy }) => ({ active, idle, triedBy }),
  }),
);

/**
 * Tries a text in a worker of its own, so that code that never ends costs a message and not the page, and keeps what was found about its
 * environments. Houses run no code. @throws what is wrong with it
 */
export async function tryText(extension: ExtensionSource, tryOne = tryExtension): Promise<void> {
  const { name, source } = extension;
  if (isHousesFile(name)) return;
  const found = await tryOne({ name, source });
  useExtensions.setState(({ reports }) => ({ reports: { ...reports, [source]: found } }));
  const broken = found.flatMap(({ lines }) => lines.filter(({ ok }) => !ok));
  if (broken.length > 0)
    throw new ExtensionError(
      "invalid",
      `${name}: an environment does not keep ${counted(broken.length, "promise")} of the contract.`,
      "The list says what was found.",
    );
}

/** What the worker should have too. Nothing counts before it is registered here. */
export const activeExtensions = (): readonly ExtensionSource[] => {
  const { active, registered } = useExtensions.getState();
  return registered.length === active.length ? active : [];
};

/**
 * Loads and registers these in place of the active ones. Each must have been tried (`tryText`), because here nothing is checked: a check
 * takes seconds, in which the page would stand still. @throws what is wrong with one of them; then nothing changes.
 */
export async function registerInPage(tried: readonly ExtensionSource[]): Promise<void> {
  const next = tried.map(({ name, source }) => ({ name, source, checked: true as const }));
  const registered = replaceExtensions(await loadExtensions(next));
  useExtensions.setState(({ idle }) => ({
    active: next,
    triedBy: VERSION,
    // An extension that works now is no longer idle.
    idle: idle.filter(({ name }) => !next.some((own) => own.name === name)),
    registered,
  }));
}

/** Keeps an extension without registering it, under a free name. */
export function putAside({ name, source }: ExtensionSource, problem: string): void {
  useExtensions.setState(({ active, idle }) => {
    const taken = new Set([...active, ...idle].map((own) => own.name));
    let free = name;
    // In front of its ending, which says what a file is.
    for (let n = 2; taken.has(free); n++) free = name.replace(/(\.\w+)?$/, ` (${n})$1`);
    return { idle: [...idle, { name: free, source, problem }] };
  });
}

/**
 * Keeps houses without loading them. Browsers store some megabytes only, so one file at most is kept: while there is one, the loaded
 * houses are those of a run, which keeps its own.
 */
export function putHousesAside(own: ExtensionSource, problem: string): void {
  if (!idleHouses()) putAside(own, problem);
}

/** The houses that were put aside. */
const idleHouses = () => useExtensions.getState().idle.find(({ name }) => isHousesFile(name));

/** The loaded houses; undefined if there are none. */
export const activeHouses = (): ExtensionSource | undefined =>
  activeExtensions().find(({ name }) => isHousesFile(name));

export function dropIdle(name: string): void {
  useExtensions.setState(({ idle }) => ({ idle: idle.filter((own) => own.name !== name) }));
}

/** The problem of an extension whose loading did not end in the last visit. */
const UNFINISHED =
  "The page closed or stopped responding while it loaded this extension. Edit it, and add it again.";

/**
 * Registers the stored extensions after a reload, one by one, so that one that fails does not disable the others. Until it
 * is registered each counts as failed, so an extension that hangs the page does so once. All are tried again after an update of the studio.
 */
export async function restoreExtensions(tryOne = tryExtension): Promise<void> {
  const { active: kept, triedBy } = useExtensions.getState();
  if (kept.length === 0) return;
  useExtensions.setState(({ idle }) => ({
    active: [],
    idle: [...idle, ...kept.map((own) => ({ ...own, problem: UNFINISHED }))],
  }));
  for (const own of kept)
    try {
      if (triedBy !== VERSION) await tryText(own, tryOne);
      await registerInPage([...activeExtensions(), own]);
    } catch (error) {
      blame(own, error);
    }
}

function blame({ name }: ExtensionSource, error: unknown): void {
  const problem = serializeError(error).message;
  useExtensions.setState(({ idle }) => ({
    idle: idle.map((own) => (own.name === name ? { ...own, problem } : own)),
  }));
}
