// What becomes of the edits in the form if the run that has this draft goes on: they stay in the form, and the run keeps its settings.
import { useMemo } from "react";
import type { ConfigChange } from "../../config/changes.ts";
import { settingTitle } from "../../config/describe.ts";
import type { RunConfig } from "../../config/run-config.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { splitPending, withFileOf } from "../session/draft-changes.ts";
import { useDraft } from "../store/draft-store.ts";
import { useRun } from "../store/run-store.ts";
import { canGoOn } from "../store/run-view.ts";
import { useSession } from "../store/session-store.ts";
import { pendingInForm } from "./origin.ts";

/** A run that can go on, with the settings that it goes on with. */
interface Unfinished {
  config: RunConfig;
  /** What the run itself has changed. */
  automatic: readonly ConfigChange[];
}

/** Says before a run is resumed or continued that it goes on without the edits in the form. */
export function KeptEdits() {
  const draft = useDraft((state) => state.draft);
  const run = useUnfinished(useDraft((state) => state.runId));
  if (!draft || !run) return null;
  const paths = pendingInForm(run.config, withFileOf(run.config, draft), run.automatic);
  if (paths.length === 0) return null;
  const { live, restart } = splitPending(paths);
  return (
    <p className="text-caption text-muted" role="status" data-testid="kept-edits">
      If you continue {run.config.name}, it keeps its own settings. Your later changes stay in the form.
      <Settings what="You can apply these once it trains:" paths={live} />
      <Settings what="These need a new run:" paths={restart} />
    </p>
  );
}

/** A sentence that ends with the titles of settings; nothing without any. */
function Settings({ what, paths }: { what: string; paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <>
      {" "}
      {what} <span className="text-text">{paths.map(settingTitle).join(", ")}</span>.
    </>
  );
}

/** The run of this id, on screen or stored, if it can go on to its end. */
function useUnfinished(runId: string | null): Unfinished | null {
  const shown = useRun((view) => view.runId === runId);
  const config = useRun((view) => (canGoOn(view) && view.state !== "finished" ? view.config : null));
  const automatic = useRun((view) => view.automatic);
  const stored = useSession((session) => session.stored.find((run) => run.runId === runId));
  return useMemo(() => {
    if (shown) return config && { config, automatic };
    const isOpen = stored && !stored.elsewhere && stored.update < stored.totalUpdates;
    return isOpen ? { config: stored.config, automatic: automaticIn(stored) } : null;
  }, [shown, config, automatic, stored]);
}

const automaticIn = ({ events }: StoredRun): ConfigChange[] =>
  events.filter((event) => event.type === "config_changed").filter(({ automatic }) => automatic);
