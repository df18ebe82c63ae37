// Extensions added to the page: stored on this device and named in this thread, which runs none of their code. The session registers them
// in the worker.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { ExtensionError, serializeError } from "../../core/errors.ts";
import { createMutex } from "../../core/mutex.ts";
import { isHousesFile } from "../../envs/navigation/houses.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { checksText } from "../../extension/check-environment.ts";
import type { DescribedExtension } from "../../extension/described.ts";
import { type Registered, replaceExtensions, type Tried } from "../../extension/index.ts";
import { loadDescribed } from "../../run/snippet.ts";
import { tryExtension } from "../../worker/extension-check-client.ts";
import { endedWith, useExtensionDraft, whileTrying } from "./extension-draft.ts";

/** A text that is kept but not registered, and why. */
interface IdleExtension extends ExtensionSource {
  readonly problem: string;
}

/** A text that has been tried. */
interface TriedExtension extends DescribedExtension {
  /** The version of the studio that tried it; another one may check more, or find more. */
  readonly triedBy?: string;
}

interface ExtensionState {
  /** Registered, in order. */
  readonly active: readonly TriedExtension[];
  readonly idle: readonly IdleExtension[];
  /** What the active ones add, in their order. */
  readonly registered: readonly Registered[];
  /** What was found about the environments of a text, by the text; of those that were tried in this visit. */
  readonly reports: Readonly<Record<string, Tried["reports"]>>;
}

const initial: ExtensionState = { active: [], idle: [], registered: [], reports: {} };

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
    partialize: ({ active, idle }) => ({ active, idle }),
  }),
);

/**
 * Tries a text in a worker of its own, so that code that never ends costs a message and not the page, and keeps what was found about its
 * environments. Houses run no code. @throws what is wrong with it
 */
async function tryText(
  { name, source }: ExtensionSource,
  tryOne: typeof tryExtension,
): Promise<TriedExtension> {
  if (isHousesFile(name)) return { name, source };
  const { members, reports } = await whileTrying({ name, source }, () => tryOne({ name, source }));
  useExtensions.setState((state) => ({ reports: { ...state.reports, [source]: reports } }));
  const lines = reports.flatMap((report) => report.lines);
  if (lines.some(({ outcome }) => outcome === "failed"))
    throw new ExtensionError(
      "invalid",
      `${name}: ${checksText(lines)}.`,
      "The failed check below says what to correct.",
    );
  return { name, source, members, triedBy: VERSION };
}

/** What is registered, in order. Nothing counts before it is registered here. */
export const activeExtensions = (): readonly TriedExtension[] => {
  const { active, registered } = useExtensions.getState();
  return registered.length === active.length ? active : [];
};

/** What the worker should have too. */
export const activeTexts = (): readonly ExtensionSource[] =>
  activeExtensions().map(({ name, source }) => ({ name, source, checked: true }));

/** A worker may try a text for seconds. Changes wait for one another, so that none undoes another that began meanwhile. */
const changes = createMutex();

/** How the active extensions change. */
interface Change {
  /** From those that are active now to those that should be, each of which is tried unless it is among them. */
  next(active: readonly TriedExtension[]): readonly ExtensionSource[];
  /** Called when they are registered here. What it throws takes the change back. */
  confirm(): Promise<void>;
  /** Those that are no longer active, to be kept with the reason. */
  aside?(active: readonly TriedExtension[]): readonly IdleExtension[];
}

/**
 * Changes the active extensions, after all changes that began earlier.
 * @throws what is wrong with one of them, or what `confirm` throws; then nothing has changed.
 */
export const changeActive = ({ next, confirm, aside }: Change, tryOne = tryExtension): Promise<void> =>
  changes.run(async () => {
    const active = activeExtensions();
    const wanted = await triedAmong(next(active), active, tryOne);
    // Entries may have been dropped while a worker tried the new ones.
    const { idle, registered } = useExtensions.getState();
    try {
      await register(wanted, aside?.(active));
      await confirm();
    } catch (error) {
      await takeBack({ active, idle, registered });
      throw error;
    }
  });

/** Undoes a change: one that the worker refuses, or that the browser has no room for. */
async function takeBack(before: Pick<ExtensionState, "active" | "idle" | "registered">): Promise<void> {
  replaceExtensions(await loadDescribed(before.active));
  try {
    useExtensions.setState(before);
  } catch {
    // Without room, storage has kept what it had, and the state of this page is set before it is stored.
  }
}

async function triedAmong(
  wanted: readonly ExtensionSource[],
  known: readonly TriedExtension[],
  tryOne: typeof tryExtension,
): Promise<TriedExtension[]> {
  const all: TriedExtension[] = [];
  for (const own of wanted) {
    const before = known.find(({ source }) => source === own.source);
    all.push(before ? { ...before, name: own.name } : await tryText(own, tryOne));
  }
  return all;
}

/**
 * Registers what has been tried, in place of the active ones, and keeps others without registering them, in one step: storage never holds
 * less than before. @throws what is wrong with one of them; then nothing changes.
 */
async function register(
  tried: readonly TriedExtension[],
  aside: readonly IdleExtension[] = [],
): Promise<void> {
  const registered = replaceExtensions(await loadDescribed(tried));
  useExtensions.setState(({ idle }) => ({
    active: tried,
    // A text that works now is no longer idle.
    idle: named(tried, [
      ...idle.filter(({ source }) => !tried.some((own) => own.source === source)),
      ...aside,
    ]),
    registered,
  }));
}

/** The idle ones under names that are free: "mine (2).mjs". Of houses, each file a few megabytes, the first one stays. */
function named(active: readonly ExtensionSource[], idle: readonly IdleExtension[]): IdleExtension[] {
  const taken = new Set(active.map(({ name }) => name));
  const isFirst = (own: IdleExtension) =>
    !isHousesFile(own.name) || own === idle.find(({ name }) => isHousesFile(name));
  return idle.filter(isFirst).map((own) => {
    let free = own.name;
    // In front of its ending, which says what a file is.
    for (let n = 2; taken.has(free); n++) free = own.name.replace(/(\.\w+)?$/, ` (${n})$1`);
    taken.add(free);
    return { ...own, name: free };
  });
}

/** The loaded houses; undefined if there are none. */
export const activeHouses = (): ExtensionSource | undefined =>
  activeExtensions().find(({ name }) => isHousesFile(name));

export function dropIdle({ source }: ExtensionSource): void {
  useExtensions.setState(({ idle }) => ({ idle: idle.filter((own) => own.source !== source) }));
}

/**
 * Registers the stored extensions after a reload, one by one, so that one that fails does not disable the others. All are tried again after
 * an update of the studio.
 */
export const restoreExtensions = (tryOne = tryExtension): Promise<void> =>
  changes.run(async () => {
    const { active: kept } = useExtensions.getState();
    if (kept.length === 0) return;
    const failed: IdleExtension[] = [];
    let good: readonly TriedExtension[] = [];
    for (const own of kept)
      try {
        const next = [...good, await triedAgain(own, tryOne)];
        replaceExtensions(await loadDescribed(next));
        good = next;
      } catch (error) {
        failed.push({ name: own.name, source: own.source, problem: serializeError(error).message });
      }
    await register(good, failed);
  });

/**
 * An extension as this version of the studio has tried it; as an earlier one has, where no worker can be started now. One whose trial ended
 * the page is not tried again.
 */
async function triedAgain(own: TriedExtension, tryOne: typeof tryExtension): Promise<TriedExtension> {
  if (own.members && own.triedBy === VERSION) return own;
  if (own.source === useExtensionDraft.getState().ended?.source) {
    const { message, hint } = endedWith(own);
    throw new ExtensionError("invalid", message, hint);
  }
  try {
    return await tryText(own, tryOne);
  } catch (error) {
    if (own.members && error instanceof ExtensionError && error.code === "unavailable") return own;
    throw error;
  }
}

/** The active extension that has an environment. @throws ExtensionError when there is none. */
export function extensionOf(envId: string): ExtensionSource {
  const { active, registered } = useExtensions.getState();
  const own = registered.find(({ provides }) => provides.includes(`environment ${envId}`));
  const found = active.find(({ name }) => name === own?.name);
  if (!found) throw new ExtensionError("missing", `No extension has the environment "${envId}".`);
  return { name: found.name, source: found.source };
}
