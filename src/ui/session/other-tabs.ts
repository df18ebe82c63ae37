// Other tabs may train as well: while one does, none can start here, and its run on this screen is kept up to date.
import { runStore } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { useSession } from "../store/session-store.ts";
import type { Connection } from "./connection.ts";

/** Time between two looks at what other tabs train. */
const LOOK_MS = 3000;

/** Whether this tab trains a run. */
export const isTraining = (): boolean => isActive(runStore.getState().state);

/** Id of the run that another tab trains; null when none does. */
export const trainedElsewhere = ({ call }: Connection): Promise<string | null> =>
  call("trainedElsewhere", null).catch(() => null);

export function createOtherTabs(
  connection: Connection,
  { refreshStored }: { refreshStored: () => Promise<void> },
) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Another tab may have started or ended a run while this one was hidden. */
  async function lookAround(): Promise<void> {
    if (useSession.getState().connection > 0 && !isTraining()) await refreshStored();
  }

  async function look(): Promise<void> {
    if (isTraining()) return;
    const before = useSession.getState();
    const elsewhere = await trainedElsewhere(connection);
    if (elsewhere !== before.elsewhere || before.stored.some((run) => run.elsewhere)) await lookAround();
  }

  /** Looks every few seconds from now on. */
  function watchOtherTabs(): void {
    clearTimeout(timer);
    // The next look waits for the answer to this one: reading a long run can take longer than the time between two.
    timer = setTimeout(() => void look().finally(watchOtherTabs), LOOK_MS);
  }

  return { lookAround, watchOtherTabs };
}
