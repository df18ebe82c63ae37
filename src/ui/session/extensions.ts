// Extensions are registered twice: in the page, which names what they add and runs none of their code, and in the worker, which runs it.
import { isHousesFile } from "../../envs/navigation/houses.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import type { tryExtension } from "../../worker/extension-check-client.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { recheckDraft } from "../store/draft-store.ts";
import { activeTexts, changeActive } from "../store/extension-store.ts";
import { showRefusal, useSession } from "../store/session-store.ts";
import type { Connection } from "./connection.ts";

/** Whether one extension cannot be registered beside another: names are unique, and only one file of houses is loaded. */
const takesPlaceOf = (name: string, other: string): boolean =>
  name === other || (isHousesFile(name) && isHousesFile(other));

const inactive = ({ name }: ExtensionSource, run: string): string =>
  isHousesFile(name)
    ? `Inactive, because the run ${run} uses its own houses.`
    : `Inactive, because the run ${run} uses another extension of this name.`;

export function createExtensions({ call }: Connection, tryOne: typeof tryExtension) {
  /** Registers the active extensions in the worker. Without one yet: it receives them when it connects. */
  async function confirm(): Promise<void> {
    if (useSession.getState().connection > 0) await call("setExtensions", { extensions: activeTexts() });
  }

  /**
   * Registers extensions in the page and in the worker. @param next from the active ones to those that should be
   * @throws what is wrong with one of them; nothing has changed then.
   */
  const changeExtensions = (
    next: (active: readonly ExtensionSource[]) => readonly ExtensionSource[],
  ): Promise<void> => changeActive({ next, confirm }, tryOne).finally(recheckDraft);

  /** Registers the extensions that a run was made with. The page's own of the same name, and its houses, are put aside. */
  async function adoptExtensions({ name, extensions = [] }: StoredRun): Promise<void> {
    const has = (active: readonly ExtensionSource[], { source }: ExtensionSource) =>
      active.some((own) => own.source === source);
    if (extensions.length === 0) return;
    const makesWay = (active: readonly ExtensionSource[], own: ExtensionSource) =>
      extensions.some((needed) => !has(active, needed) && takesPlaceOf(needed.name, own.name));
    const next = (active: readonly ExtensionSource[]) => [
      ...active.filter((own) => !makesWay(active, own)),
      ...extensions.filter((needed) => !has(active, needed)),
    ];
    const aside = (active: readonly ExtensionSource[]) =>
      active
        .filter((own) => makesWay(active, own))
        .map((own) => ({ name: own.name, source: own.source, problem: inactive(own, name) }));
    await changeActive({ next, confirm, aside }, tryOne).finally(recheckDraft);
  }

  return {
    changeExtensions,
    /** True once the extensions of this run are active; otherwise the page shows what is wrong with them. */
    adopt: (run: StoredRun): Promise<boolean> =>
      adoptExtensions(run).then(
        () => true,
        (error) => {
          showRefusal(error);
          return false;
        },
      ),
  };
}
