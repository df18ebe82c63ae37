// Extensions are registered twice: in the page, which names what they add and runs none of their code, and in the worker, which runs it.
import { isHousesFile } from "../../envs/navigation/houses.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import type { tryExtension } from "../../worker/extension-check-client.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { recheckDraft } from "../store/draft-store.ts";
import {
  activeExtensions,
  activeTexts,
  putAside,
  putHousesAside,
  registerAgain,
  registerInPage,
} from "../store/extension-store.ts";
import { showRefusal, useSession } from "../store/session-store.ts";
import type { Connection } from "./connection.ts";

/** Whether one extension cannot be registered beside another: names are unique, and only one file of houses is loaded. */
const takesPlaceOf = (name: string, other: string): boolean =>
  name === other || (isHousesFile(name) && isHousesFile(other));

export function createExtensions({ call }: Connection, tryOne: typeof tryExtension) {
  /**
   * Registers these extensions in the page and in the worker, in place of the active ones.
   * @throws what is wrong with one of them; nothing has changed then.
   */
  async function changeExtensions(next: readonly ExtensionSource[]): Promise<void> {
    const before = activeExtensions();
    try {
      await registerInPage(next, tryOne);
      // Without a worker yet: it receives the active extensions when it connects.
      if (useSession.getState().connection > 0) await call("setExtensions", { extensions: activeTexts() });
    } catch (error) {
      await registerAgain(before);
      throw error;
    } finally {
      recheckDraft();
    }
  }

  /** Registers the extensions that a run was made with. The page's own of the same name, and its houses, are put aside. */
  async function adoptExtensions({ name, extensions = [] }: StoredRun): Promise<void> {
    const active = activeExtensions();
    const lacking = extensions.filter(({ source }) => !active.some((own) => own.source === source));
    if (lacking.length === 0) return;
    const replaced = active.filter((own) => lacking.some((needed) => takesPlaceOf(needed.name, own.name)));
    await changeExtensions([...active.filter((own) => !replaced.includes(own)), ...lacking]);
    for (const own of replaced)
      if (isHousesFile(own.name))
        putHousesAside(own, `Inactive, because the run ${name} uses its own houses.`);
      else putAside(own, `Inactive, because the run ${name} uses another extension of this name.`);
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
