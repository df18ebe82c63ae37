// What the run is busy with where its charts will be, and what it does before it rests.
import { ChartLine } from "lucide-react";
import { endingText, firstResultText, firstValidationText } from "../store/run-state.ts";
import { useRun } from "../store/run-store.ts";
import type { RunView } from "../store/run-view.ts";

/** One line above the charts, or in their place before there is any data. */
export function UnderWay({ hasData }: { hasData: boolean }) {
  const text = useRun((view) => (hasData ? textAbove(view) : firstText(view)));
  if (!text) return null;
  return (
    <p className="flex items-center gap-2 text-dense text-muted">
      <ChartLine size={16} aria-hidden className="flex-none" />
      <span className="nums">{text}</span>
    </p>
  );
}

/** A pause leaves the charts where they are, and may take no time; after a stop the summary takes this place. */
const textAbove = (view: RunView): string =>
  view.state === "stopping" ? endingText(view) : firstValidationText(view);

const firstText = (view: RunView): string => endingText(view) || firstResultText(view);
