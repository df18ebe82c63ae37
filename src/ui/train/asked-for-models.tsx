// The places to choose models that a stored run pays, in a notice. Few runs need them, so they are loaded with the first that does.
import { lazy, Suspense, useState } from "react";
import type { RunConfig } from "../../config/run-config.ts";
import { useRun } from "../store/run-store.ts";
import { missingKinds, paidKinds, useSimilarity } from "../store/similarity-store.ts";

const ModelRows = lazy(() => import("../configure/paid-models.tsx"));

interface AskedForProps {
  config: RunConfig;
  /** Also those that the page has, so that another file can be chosen. */
  all?: boolean | undefined;
}

/** The models that a stored run pays and the page does not have; nothing where it has them all. */
export function AskedForModels({ config, all = false }: AskedForProps) {
  // A row must not disappear when its file is chosen.
  const [atFirst] = useState(() => (all ? paidKinds(config) : missingKinds(config)));
  const now = useSimilarity((models) => missingKinds(config, models).join());
  const kinds = paidKinds(config).filter((kind) => atFirst.includes(kind) || now.split(",").includes(kind));
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
export function AskedForShownModels({ all }: Pick<AskedForProps, "all">) {
  const runId = useRun((view) => view.runId);
  const config = useRun((view) => view.config);
  return config && <AskedForModels key={runId} config={config} all={all} />;
}
