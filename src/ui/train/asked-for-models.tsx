// The places to choose models that a stored run pays, in a notice. Few runs need them, so they are loaded with the first that does.
import { lazy, Suspense, useState } from "react";
import type { RunConfig } from "../../config/run-config.ts";
import { useRun } from "../store/run-store.ts";
import { missingKinds } from "../store/similarity-store.ts";

const ModelRows = lazy(() => import("../configure/paid-models.tsx"));

/** The models that a stored run pays and the page does not have; nothing where it has them all. */
export function AskedForModels({ config }: { config: RunConfig }) {
  // Read once: a row must not disappear when its file is chosen.
  const [kinds] = useState(() => missingKinds(config));
  if (kinds.length === 0) return null;
  return (
    <div className="basis-full">
      <Suspense>
        <ModelRows kinds={kinds} />
      </Suspense>
    </div>
  );
}

/** The same for the run on screen. */
export function AskedForShownModels() {
  const runId = useRun((view) => view.runId);
  const config = useRun((view) => view.config);
  return config && <AskedForModels key={runId} config={config} />;
}
