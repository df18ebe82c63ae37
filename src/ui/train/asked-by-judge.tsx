// The fields for a judge's key or recording, in a notice. Few runs need them, so they are loaded with the first that does.
import { lazy, Suspense, useState } from "react";
import type { RunConfig } from "../../config/run-config.ts";
import { accessFor } from "../store/judge-store.ts";
import { useRun } from "../store/run-store.ts";
import { useRecordingKept } from "../store/shown-judge.ts";

const StoredJudgeAccess = lazy(() =>
  import("../configure/judge-access.tsx").then((module) => ({ default: module.StoredJudgeAccess })),
);

/** What the judge of a stored run needs before it can continue; nothing for a judge that needs nothing. */
export function AskedByJudge({ config, kept }: { config: RunConfig; kept: boolean }) {
  const { name } = config.judge;
  if (name !== "llm" && (name !== "recorded" || kept)) return null;
  return (
    <div className="basis-full">
      <Suspense>
        <StoredJudgeAccess config={config} />
      </Suspense>
    </div>
  );
}

/** The same for the run on screen. A run that was started in this visit already has its access. */
export function AskedByShownJudge() {
  const config = useRun((view) => view.config);
  const kept = useRecordingKept();
  // Read once: a field must not disappear while the user types into it.
  const [given] = useState(() => config !== null && accessFor(config).judge !== undefined);
  return config && !given && <AskedByJudge config={config} kept={kept} />;
}
