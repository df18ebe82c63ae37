// What the buttons of the editor and of the list of extensions do.
import { serializeError } from "../../core/errors.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { changeExtensions } from "../session/session.ts";
import {
  EMPTY,
  forgetEnded,
  type Problem,
  setDraftText,
  useExtensionDraft,
} from "../store/extension-draft.ts";
import { dropIdle, useExtensions } from "../store/extension-store.ts";
import { setUi } from "../store/ui-store.ts";

/** The first of "extension 1", "extension 2", … that is free. */
export function freeName(taken: readonly string[]): string {
  const names = taken.map((_, i) => `extension ${i + 1}`);
  return names.find((name) => !taken.includes(name)) ?? `extension ${taken.length + 1}`;
}

/** Opens the editor with the text that was begun and not added, or else with an empty one. */
export function beginExtension(): void {
  const { active, idle } = useExtensions.getState();
  const { name, source } = useExtensionDraft.getState().text;
  const taken = [...active, ...idle].map((own) => own.name);
  if (!name && !source) setDraftText({ ...EMPTY, name: freeName(taken) });
  openEditor();
}

/** Opens the editor with an extension. */
export function editExtension({ name, source }: ExtensionSource): void {
  replaceText({ name, source });
  openEditor();
}

/** Puts another text in the place of that in the editor, with which what was wrong with that is gone. */
export const replaceText = (text: ExtensionSource): void =>
  useExtensionDraft.setState({ text, problem: null });

/** On a phone the list is behind the Configure tab. A window that becomes that narrow shows the tab when the editor closes. */
function openEditor(): void {
  setUi({ trainTab: "configure" });
  useExtensionDraft.setState({ editing: true, added: null });
}

/** Closes the editor, whose text is kept. */
export function closeEditor(): void {
  useExtensionDraft.setState({ editing: false });
  forgetEnded();
}

/** Adds what the editor holds, in place of an extension of the same name. The editor closes unless the text is refused. */
export async function addExtension(): Promise<void> {
  const { text } = useExtensionDraft.getState();
  const own = { name: text.name.trim(), source: text.source };
  const { active, idle } = useExtensions.getState();
  const replaces = active.some(({ name }) => name === own.name);
  const former = idle.filter(({ name }) => name === own.name);
  const others = (now: readonly ExtensionSource[]) => now.filter(({ name }) => name !== own.name);
  if (!(await change((now) => [...others(now), own], own.source))) return;
  for (const each of former) dropIdle(each);
  const added = { name: own.name, how: replaces ? "replaced" : "added" } as const;
  useExtensionDraft.setState({ text: EMPTY, added, editing: false });
}

export const removeExtension = ({ name }: ExtensionSource): Promise<boolean> =>
  change((now) => now.filter((own) => own.name !== name));

/** Whether the extensions could be changed; otherwise the store has the problem. @param source the text that is to be added */
async function change(next: Parameters<typeof changeExtensions>[0], source?: string): Promise<boolean> {
  forgetEnded();
  // An earlier problem would seem to belong to this change.
  useExtensionDraft.setState({ problem: null, added: null, changing: true });
  try {
    await changeExtensions(next);
    return true;
  } catch (error) {
    const problem: Problem = serializeError(error);
    useExtensionDraft.setState({ problem: source === undefined ? problem : { ...problem, source } });
    return false;
  } finally {
    useExtensionDraft.setState({ changing: false });
  }
}
