// Extensions added to the page: stored on this device and named in this thread, which runs none of their code. The session registers them
// in the worker.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { ExtensionError, serializeError } from "../../core/errors.ts";
import { counted } from "../../core/format.ts";
import { isHousesFile } from "../../envs/navigation/houses.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import type { DescribedExtension } from "../../extension/described.ts";
import { type Registered, replaceExtensions, type Tried } from "../../extension/index.ts";
import { loadDescribed } from "../../run/snippet.ts";
import { tryExtension } from "../../worker/extension-check-client.ts";

/** A text that is kept but not registered, and why. */
interface IdleExtension extends ExtensionSource {
  readonly problem: string;
}

interface ExtensionState {
  /** Registered, in order. */
  readonly active: readonly DescribedExtension[];
  readonly idle: readonly IdleExtension[];
  /** What the active ones add, in their order. */
  readonly registered: readonly Registered[];
  /** What was found about the environments of a text, by the text; of those that were tried in this visit. */
  readonly reports: Readonly<Record<string, Tried["reports"]>>;
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
async function tryText(
  { name, source }: ExtensionSource,
  tryOne: typeof tryExtension,
): Promise<DescribedExtension> {
  if (isHousesFile(name)) return { name, source, checked: true };
  const { members, reports } = await tryOne({ name, source });
  useExtensions.setState((state) => ({ reports: { ...state.reports, [source]: reports } }));
  const broken = reports.flatMap(({ lines }) => lines.filter(({ ok }) => !ok));
  if (broken.length > 0)
    throw new ExtensionError(
      "invalid",
      `${name}: an environment does not keep ${counted(broken.length, "promise")} of the contract.`,
      "The list says what was found.",
    );
  return { name, source, checked: true, members };
}

/** What is registered, in order. Nothing counts before it is registered here. */
export const activeExtensions = (): readonly DescribedExtension[] => {
  const { active, registered } = useExtensions.getState();
  return registered.length === active.length ? active : [];
};

/** What the worker should have too. */
export const activeTexts = (): readonly ExtensionSource[] =>
  activeExtensions().map(({ name, source }) => ({ name, source, checked: true }));

/**
 * Registers these in place of the active ones, and tries those that are not among them.
 * @throws what is wrong with one of them; then nothing changes.
 */
export async function registerInPage(
  extensions: readonly ExtensionSource[],
  tryOne = tryExtension,
): Promise<void> {
  const known = activeExtensions();
  const next: DescribedExtension[] = [];
  for (const own of extensions) {
    const before = known.find(({ source }) => source === own.source);
    next.push(before ? { ...before, name: own.name } : await tryText(own, tryOne));
  }
  await registerAgain(next);
}

/** Registers what has been tried, in place of the active ones. @throws what is wrong with one of them; then nothing changes. */
export async function registerAgain(tried: readonly DescribedExtension[]): Promise<void> {
  const registered = replaceExtensions(await loadDescribed(tried));
  useExtensions.setState(({ idle }) => ({
    active: tried,
    triedBy: VERSION,
    // An extension that works now is no longer idle.
    idle: idle.filter(({ name }) => !tried.some((own) => own.name === name)),
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

/**
 * Registers the stored extensions after a reload, one by one, so that one that fails does not disable the others. All are tried again after
 * an update of the studio.
 */
export async function restoreExtensions(tryOne = tryExtension): Promise<void> {
  const { active: kept, triedBy } = useExtensions.getState();
  if (kept.length === 0) return;
  const failed: IdleExtension[] = [];
  let good: readonly DescribedExtension[] = [];
  for (const own of kept)
    try {
      const isTried = triedBy === VERSION && own.members !== undefined;
      const next = [...good, isTried ? own : await tryText(own, tryOne)];
      replaceExtensions(await loadDescribed(next));
      good = next;
    } catch (error) {
      failed.push({ name: own.name, source: own.source, problem: serializeError(error).message });
    }
  await registerAgain(good);
  useExtensions.setState(({ idle }) => ({ idle: [...idle, ...failed] }));
}

/** The active extension that has an environment. @throws ExtensionError when there is none. */
export function extensionOf(envId: string): ExtensionSource {
  const { active, registered } = useExtensions.getState();
  const own = registered.find(({ provides }) => provides.includes(`environment ${envId}`));
  const found = active.find(({ name }) => name === own?.name);
  if (!found) throw new ExtensionError("missing", `No extension has the environment "${envId}".`);
  return { name: found.name, source: found.source };
}
