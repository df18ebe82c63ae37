// What shows stored runs. Its code is loaded once there are some.
import { room } from "../lib/room.tsx";
import { Notice } from "./notice.tsx";

const storedRuns = () => import("./stored-runs.tsx");

export const Offers = room(async () => ({ default: (await storedRuns()).Offers }), NotLoaded);
export const RunElsewhere = room(async () => ({ default: (await storedRuns()).RunElsewhere }), NotLoaded);
export const StoredRunsDialog = room(
  async () => ({ default: (await storedRuns()).StoredRunsDialog }),
  NotLoaded,
);
// The offers beside them say so already.
export const StoredRunsButton = room(
  async () => ({ default: (await storedRuns()).StoredRunsButton }),
  Nothing,
);
export const StoredRunsList = room(async () => ({ default: (await storedRuns()).StoredRunsList }), Nothing);

function Nothing() {
  return null;
}

function NotLoaded() {
  return (
    <Notice tone="warning" title="Stored runs could not be shown">
      Check that the studio can be reached, then reload the page.
    </Notice>
  );
}
