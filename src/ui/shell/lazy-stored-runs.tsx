// What shows stored runs. Its code is loaded once there are some.
import { room } from "../lib/room.tsx";
import { Notice } from "./notice.tsx";

const NOT_LOADED = {
  Offers: NotLoaded,
  RunElsewhere: NotLoaded,
  // The offers beside it say so already.
  StoredRunsButton: () => null,
  StoredRunsList: () => null,
  StoredRunsDialog: NotLoaded,
};

const storedRuns = () => import("./stored-runs.tsx").catch(() => NOT_LOADED);

export const Offers = room(async () => ({ default: (await storedRuns()).Offers }));
export const RunElsewhere = room(async () => ({ default: (await storedRuns()).RunElsewhere }));
export const StoredRunsButton = room(async () => ({ default: (await storedRuns()).StoredRunsButton }));
export const StoredRunsList = room(async () => ({ default: (await storedRuns()).StoredRunsList }));
export const StoredRunsDialog = room(async () => ({ default: (await storedRuns()).StoredRunsDialog }));

function NotLoaded() {
  return (
    <Notice tone="warning" title="Stored runs could not be shown">
      Check that the studio can be reached, then reload the page.
    </Notice>
  );
}
