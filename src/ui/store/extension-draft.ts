// The extension that is being written, and the one that is being tried. A worker that tries code shares the memory of its tab, so code that
// takes all of it may end the tab; what was written is stored before, and is not tried again before the user says so.
import { create } from "zustand";
import type { SerializedError } from "../../core/errors.ts";
import { z } from "../../core/schema.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { attempt, type TabStorage, tabStorage } from "./tab-storage.ts";

const KEY = "vagen-extension-draft";

/** Why a change was refused. */
export interface Problem extends Pick<SerializedError, "message" | "hint"> {
  /** The text that was refused; absent for another change. */
  readonly source?: string;
}

/** What became of an extension. */
export interface Added {
  readonly name: string;
  readonly how: "added" | "replaced";
}

interface ExtensionDraft {
  /** What the editor holds. */
  readonly text: ExtensionSource;
  /** What a worker tries now. */
  readonly trying: ExtensionSource | null;
  /** What a worker tried when the page ended, until the user has seen it. */
  readonly ended: ExtensionSource | null;
  /** Whether the editor is open. Its text is kept when it closes, because a click outside must not lose it. */
  readonly editing: boolean;
  /** Whether the list of extensions is being changed. */
  readonly changing: boolean;
  /** Why the last change was refused. */
  readonly problem: Problem | null;
  /** The extension that was added last in this visit. */
  readonly added: Added | null;
}

export const EMPTY: ExtensionSource = { name: "", source: "" };

export const useExtensionDraft = create<ExtensionDraft>()(() => ({
  text: EMPTY,
  trying: null,
  ended: null,
  editing: false,
  changing: false,
  problem: null,
  added: null,
}));

export const setDraftText = (text: ExtensionSource): void => useExtensionDraft.setState({ text });

/** The user has seen which text was tried last. */
export const forgetEnded = (): void => useExtensionDraft.setState({ ended: null });

/** What is wrong with a text that was being tried when the page crashed. */
export const endedWith = ({ name }: ExtensionSource) => ({
  message: `${name}: the page crashed while it tried this code, which may need more memory than the browser has.`,
  hint: "Correct it; it is not tried again before you press Add.",
});

/** What `work` resolves to, which tries `own`. Until then storage says so. */
export async function whileTrying<T>(own: ExtensionSource, work: () => Promise<T>): Promise<T> {
  useExtensionDraft.setState({ trying: { name: own.name, source: own.source } });
  try {
    return await work();
  } finally {
    useExtensionDraft.setState({ trying: null });
  }
}

/**
 * Stores every change from now on. A page that is left or loaded again has not crashed: it stores that nothing is being tried. Returns a
 * function that stops it.
 */
export function keepExtensionDraft(
  storage: TabStorage | undefined = tabStorage(),
  page: Pick<EventTarget, "addEventListener" | "removeEventListener"> | undefined = globalThis.window,
): () => void {
  const keep = ({ text, trying }: Pick<ExtensionDraft, "text" | "trying">) =>
    attempt(() => storage?.setItem(KEY, JSON.stringify({ text, trying })));
  const leave = () => keep({ ...useExtensionDraft.getState(), trying: null });
  page?.addEventListener("pagehide", leave);
  const stop = useExtensionDraft.subscribe(keep);
  return () => {
    stop();
    page?.removeEventListener("pagehide", leave);
  };
}

const SOURCE = z.object({ name: z.string(), source: z.string() });
const KEPT = z.object({ text: SOURCE, trying: SOURCE.nullable() });

/** Brings back what the last page of this tab held, and opens the editor with a text that may have ended that page. */
export function restoreExtensionDraft(storage: TabStorage | undefined = tabStorage()): void {
  const kept = attempt(() => KEPT.parse(JSON.parse(storage?.getItem(KEY) ?? "null")));
  if (!kept) return;
  const { text, trying: ended } = kept;
  const editing = ended?.source === text.source;
  const problem = ended && { ...endedWith(ended), source: ended.source };
  useExtensionDraft.setState({ text, ended, editing, problem });
}
